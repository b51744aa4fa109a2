import { describe, expect, it, vi } from 'vitest'
import { ElectionStoreError } from '../../../src/common/errors.ts'
import type { LeaseStore } from '../../../src/election/store/lease-store.ts'
import { openStore } from '../../../src/election/store/open-store.ts'
import { MemoryLease } from './memory-lease.ts'

const options = { self: 'a', leaseTime: 1_000, signal: undefined, patience: 300 }

describe('openStore()', () => {
  it('the first peer writes the record, and all peers read the same id from it', async () => {
    const lease = new MemoryLease()
    const [first, second] = await Promise.all([openStore(lease.client(), options), openStore(lease.client(), options)])
    expect(first.id).toMatch(/\S/)
    expect(second).toEqual(first)
    expect(lease.state).toMatchObject({ holder: undefined, heir: undefined })
  })

  it('a store that does not answer gets a clear error that keeps the cause', async () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:2379')
    const store: LeaseStore = { ...new MemoryLease().client(), watch: () => failing(cause) }
    const opened = openStore(store, options)
    await expect(opened).rejects.toThrow(ElectionStoreError)
    await expect(opened).rejects.toThrow(
      /the store of the election, memory, does not answer: .*ECONNREFUSED.*; check its address/
    )
    await expect(opened).rejects.toMatchObject({ cause })
  })

  it('a peer waits for a store that is about to start', async () => {
    const lease = new MemoryLease()
    lease.failure = new Error('connect ECONNREFUSED')
    const opened = openStore(lease.client(), { ...options, patience: 60_000 })
    await vi.waitFor(() => expect(lease.calls.length).toBeGreaterThan(1))
    lease.failure = undefined
    expect(await opened).toMatchObject({ epoch: 0 })
  })

  it('a place in the store that holds something else is left as it is', async () => {
    const lease = new MemoryLease()
    lease.state.record = 'a shopping list'
    const opened = openStore(lease.client(), options)
    await expect(opened).rejects.toThrow(ElectionStoreError)
    await expect(opened).rejects.toThrow(/holds something else .*"a shopping list"/)
    expect(lease.state.record).toBe('a shopping list')
  })

  it('an abort ends the wait for a store that is silent', async () => {
    const controller = new AbortController()
    const store: LeaseStore = { ...new MemoryLease().client(), watch: () => silent() }
    const opened = openStore(store, { ...options, signal: controller.signal })
    controller.abort(new Error('no longer wanted'))
    await expect(opened).rejects.toThrow('no longer wanted')
  })
})

// biome-ignore lint/correctness/useYield: this watch never yields
async function* failing(error: Error): AsyncGenerator<never> {
  throw error
}

async function* silent(): AsyncGenerator<never> {
  yield await new Promise<never>(() => {})
}
