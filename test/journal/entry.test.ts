import { expect, test } from 'vitest'
import { compareStamps, type End, type Head, newest } from '../../src/journal/core/entry.ts'
import fc from '../properties.ts'

function head(epoch: number, rest: Partial<Head> = {}): Head {
  const stamp = { epoch, rank: { priority: 0, id: 'a' }, version: 1 }
  return { job: 'night', stamp, submissionId: 'first', end: undefined, hasOutcome: false, next: 0, durable: 0, ...rest }
}

const ended = (end: End, hasOutcome = true): Partial<Head> => ({ end, hasOutcome })

test('among running copies of a job, the copy of the newest leadership wins, and within a leadership the newest version', () => {
  const [old, late] = [head(1), head(2)]
  expect(newest([old, late])).toBe(late)
  const next = { ...late, stamp: { ...late.stamp, version: 2 } }
  expect(newest([next, late, old])).toBe(next)
  const higher = { ...late, stamp: { ...late.stamp, rank: { priority: 0, id: 'b' } } }
  expect(newest([next, higher])).toBe(higher)
})

test('an ended copy wins over a running copy, even if the running copy is newer', () => {
  const over = head(1, ended('completed'))
  expect(newest([over, head(9)])).toBe(over)
  const tombstone = head(1, ended('completed', false))
  expect(newest([tombstone, head(9)])).toBe(tombstone)
})

test('a completed copy wins over a failed copy, and a failed copy wins over a cancelled copy', () => {
  const [completed, failed, cancelled] = [
    head(1, ended('completed')),
    head(2, ended('failed')),
    head(3, ended('cancelled'))
  ]
  expect(newest([cancelled, completed, failed])).toBe(completed)
  expect(newest([cancelled, failed])).toBe(failed)
})

test('a running copy wins over an abandoned copy', () => {
  const abandoned = head(9, ended('abandoned', false))
  const running = head(1)
  expect(newest([abandoned, running])).toBe(running)
  expect(newest([abandoned, head(2, { submissionId: 'second' })])?.submissionId).toBe('second')
  const over = head(1, ended('cancelled'))
  expect(newest([abandoned, over])).toBe(over)
})

test('a resubmitted job wins over the tombstone of the first submission, but not over the outcome of the first submission', () => {
  const again = head(1, { submissionId: 'second' })
  const tombstone = head(5, ended('completed', false))
  expect(newest([tombstone, again])).toBe(again)
  const over = head(5, ended('completed'))
  expect(newest([over, again])).toBe(over)
})

test('the order in which copies are found does not change which copy wins', () => {
  const one = fc.record({
    job: fc.constant('night'),
    stamp: fc.record({
      epoch: fc.nat({ max: 2 }),
      rank: fc.record({ priority: fc.constant(0), id: fc.constantFrom('a', 'b') }),
      version: fc.nat({ max: 2 })
    }),
    submissionId: fc.constantFrom('first', 'second', 'third'),
    end: fc.constantFrom(undefined, 'abandoned', 'cancelled', 'failed', 'completed') as fc.Arbitrary<End | undefined>,
    hasOutcome: fc.boolean(),
    next: fc.nat({ max: 2 }),
    durable: fc.constant(0)
  })
  const heads = fc
    .uniqueArray(one, { selector: ({ stamp }) => JSON.stringify(stamp), maxLength: 5, minLength: 1 })
    .map(heads =>
      heads.map(each => ({
        ...each,
        hasOutcome: each.hasOutcome && each.end !== undefined && each.end !== 'abandoned',
        next: each.end === undefined ? each.next : 0
      }))
    )
  fc.assert(
    fc.property(heads, fc.infiniteStream(fc.nat()), (heads, stream) => {
      const shuffled = [...heads]
        .map(each => ({ each, key: stream.next().value as number }))
        .sort((a, b) => a.key - b.key || compareStamps(a.each.stamp, b.each.stamp))
      expect(newest(shuffled.map(({ each }) => each))).toBe(newest(heads))
    })
  )
  expect(newest([])).toBeUndefined()
})
