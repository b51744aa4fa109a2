import { expect, test } from 'vitest'
import { checkElection } from '../../src/api/options.ts'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { mutex } from '../../src/election/store/mutex.ts'
import { MemoryLease } from '../election/store/memory-lease.ts'

const client = new MemoryLease().client()

test('mutex() refuses a store that lacks a method, or whose name is malformed', () => {
  const { renew: _, ...incomplete } = client
  expect(() => mutex(incomplete as never)).toThrow(InvalidOptionError)
  expect(() => mutex(incomplete as never)).toThrow('lacks renew')
  expect(() => mutex({ ...client, name: 'My Store' })).toThrow('1 to 24 characters')
  expect(mutex(client)).toEqual({ strategy: 'mutex', store: client })
})

test('the lease time of a store is at least its own least lease time', () => {
  const store = { ...client, leastLeaseTime: 2_000, usualLeaseTime: 5_000 }
  expect(checkElection({ election: mutex(store) }).store).toMatchObject({ leaseTime: 5_000 })
  expect(checkElection({ election: mutex(store), leaseTime: 2_000 }).store).toMatchObject({ leaseTime: 2_000 })
  expect(() => checkElection({ election: mutex(store), leaseTime: 1_999 })).toThrow('from 2000')
  expect(() => checkElection({ election: mutex(client), leaseTime: 499 })).toThrow('from 500')
})

test('voters do not go with a store, and a lease time needs one of the two', () => {
  expect(() => checkElection({ election: mutex(client), voters: [] })).toThrow('`voters` go with')
  expect(() => checkElection({ leaseTime: 1_000 })).toThrow('without `voters` or a store')
})

test('an election that does not exist gets an error that names the others', () => {
  for (const election of ['raft', 'mutex', {}, null])
    expect(() => checkElection({ election: election as never })).toThrow(/must be one of bully, lowest, ring/)
})
