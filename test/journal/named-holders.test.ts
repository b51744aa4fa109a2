import { describe, expect, it } from 'vitest'
import { NamedHolders } from '../../src/journal/core/named-holders.ts'

const all = { standbys: ['b', 'c'], isSynced: () => true, mayName: () => true }
const stored = () => true

describe('the holders that a store names', () => {
  it('the leader waits for one of the peers that earlier leaders have named', () => {
    const holders = new NamedHolders('a', ['b', 'c'], true)
    expect(holders.isRead(() => false)).toBe(false)
    expect(holders.isRead(id => id === 'c')).toBe(true)
    holders.waive()
    expect(holders.isRead(() => false)).toBe(true)
  })

  it('a leader that was named itself has read a holder, unless a restart has lost its copies', () => {
    expect(new NamedHolders('a', ['a', 'b'], true).isRead(() => false)).toBe(true)
    expect(new NamedHolders('a', ['a', 'b'], false).isRead(() => false)).toBe(false)
  })

  it('nothing is acknowledged until the store names the leader, and all that it names store the entry', () => {
    const holders = new NamedHolders('a', [], true)
    expect(holders.lacking(stored)).toBe(1)
    expect(holders.next(all)).toEqual(['a', 'b', 'c'])
    expect(holders.lacking(stored)).toBe(1)
    holders.confirm(['a', 'b', 'c'])
    expect(holders.lacking(stored)).toBe(0)
    expect(holders.lacking(id => id === 'b')).toBe(1)
  })

  it('nothing is acknowledged while the store may already name nobody, because there were no jobs', () => {
    const holders = new NamedHolders('a', [], true)
    holders.confirm(['a', 'b', 'c'])
    expect(holders.next(undefined)).toEqual([])
    expect(holders.lacking(stored)).toBe(1)
  })

  it('a peer keeps its copies while the store may name it', () => {
    const holders = new NamedHolders('a', ['x'], true)
    expect(holders.has('x')).toBe(true)
    holders.next(all)
    expect([holders.has('x'), holders.has('b')]).toEqual([true, true])
    holders.confirm(['a', 'b', 'c'])
    expect([holders.has('x'), holders.has('b')]).toEqual([false, true])
  })

  it('without a store nothing waits for names', () => {
    const holders = new NamedHolders('a', undefined, true)
    expect(holders.isRead(() => false)).toBe(true)
    expect(holders.lacking(() => false)).toBe(0)
  })
})
