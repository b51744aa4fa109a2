import { describe, expect, it } from 'vitest'
import { lockRows, MOST_LOCKS, MOST_SESSIONS, pauseAfter } from '../../../src/http/dashboard/model/locks.ts'
import { START } from '../../../src/http/dashboard/model/model.ts'
import { lock, status, told } from './told.ts'

describe('the locks on the dashboard', () => {
  it('the model keeps the newest list, and does not change when the list is the same', () => {
    expect(START.locks).toEqual([])
    const one = told([{ type: 'locks', at: 0, data: [lock('a', 1, 0)] }])
    expect(one.locks).toEqual([lock('a', 1, 0)])
    expect(told([{ type: 'locks', at: 1, data: [lock('a', 1, 0)] }], one)).toBe(one)
    const waited = told([{ type: 'locks', at: 2, data: [lock('a', 1, 1)] }], one)
    expect(waited.locks).toEqual([lock('a', 1, 1)])
    const leaderless = told([{ type: 'status', at: 3, data: status({ leader: null, epoch: null }) }], waited)
    expect(leaderless.locks).toEqual([lock('a', 1, 1)])
    expect(told([{ type: 'locks', at: 4, data: [] }], leaderless).locks).toEqual([])
  })

  it('locks that somebody waits for come first, and holders and waiters keep their order', () => {
    const rows = lockRows([lock('a', 1, 0), lock('b', 2, 3), lock('c', 1, 1)])
    expect(rows.map(({ name }) => name)).toEqual(['b', 'c', 'a'])
    expect(rows[0]!.holders.map(({ owner }) => owner)).toEqual(['h0', 'h1'])
    expect(rows[0]!.waiters.map(({ owner }) => owner)).toEqual(['w0', 'w1', 'w2'])
    expect([rows[0]!.moreHolders, rows[0]!.moreWaiters]).toEqual([0, 0])
  })

  it('the page shows a bounded part of many locks, holders and waiters, and counts the others', () => {
    const many = Array.from({ length: MOST_LOCKS + 1 }, (_, index) => lock(`n${index}`, 12, MOST_SESSIONS + 1))
    const rows = lockRows(many)
    expect(rows).toHaveLength(MOST_LOCKS)
    expect(rows[0]).toMatchObject({ moreHolders: 2, moreWaiters: 1 })
    expect(rows[0]!.holders).toHaveLength(MOST_SESSIONS)
    expect(rows[0]!.waiters.map(({ owner }) => owner)).not.toContain('w10')
  })

  it('the page asks at most once a second, and less often for many locks', () => {
    expect([pauseAfter([]), pauseAfter(Array.from({ length: 500 }, () => lock('a', 1, 0)))]).toEqual([1_000, 5_000])
  })
})
