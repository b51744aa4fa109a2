import { randomUUID } from 'node:crypto'
import { ElectionStoreError, P2pWorkerError } from '../../common/errors.ts'
import { allowManyListeners, eitherSignal, orAborted, signalAfter } from '../../lib/abort.ts'
import { Backoff } from '../../lib/backoff.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { LeaseTime } from '../quorum/lease.ts'
import type { LeaseState, LeaseStore } from './lease-store.ts'
import { readRecord, type StoreRecord, writeRecord } from './record.ts'

/** The store of a cluster, from which a peer has read the record. */
export interface OpenStore extends LeaseTime {
  readonly store: LeaseStore
  /** The id in the record. */
  readonly id: string
}

/** How long a peer that joins waits for the store, in ms. The two may start at the same time. */
const PATIENCE = 10_000
/** How long the release of the first lease may take, in ms. */
const RELEASE_MS = 2_000
/** The pauses between two attempts, in ms. */
const PAUSES = { first: 100, last: 1_000 } as const

export interface OpenStoreOptions {
  self: PeerIdString
  leaseTime: number
  signal: AbortSignal | undefined
  /** How long this peer waits for the store, in ms. Default 10,000. */
  patience?: number
}

/**
 * Returns the record of the store. If there is none yet, this peer writes the first one: it takes the lease, and releases it.
 *
 * @throws ElectionStoreError when the store does not answer, or does not work
 */
export async function openStore(
  store: LeaseStore,
  { self, leaseTime, signal, patience = PATIENCE }: OpenStoreOptions
): Promise<StoreRecord> {
  const limit = eitherSignal(signal, signalAfter(patience))
  allowManyListeners(limit.signal)
  const backoff = new Backoff(PAUSES.first, PAUSES.last)
  let cause: unknown
  try {
    for (;;) {
      try {
        return await orAborted(firstRecord(store, self, leaseTime, limit.signal), limit.signal)
      } catch (error) {
        if (error instanceof P2pWorkerError) throw error
        // When the time is over, the last answer of the store says more than that the time is over.
        if (!limit.signal.aborted) cause = error
        await backoff.wait(limit.signal)
      }
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof P2pWorkerError) throw error
    throw new ElectionStoreError(
      `the store of the election, ${store.name}, does not answer: ${((cause ?? error) as Error).message}; check its address, and that it runs`,
      { cause: cause ?? error }
    )
  } finally {
    limit.release()
  }
}

async function firstRecord(
  store: LeaseStore,
  holder: PeerIdString,
  leaseTime: number,
  signal: AbortSignal
): Promise<StoreRecord> {
  for await (const { record } of store.watch({ signal })) {
    if (record !== undefined) return readRecord(record)
    const session = randomUUID()
    const first = (recorded: string | undefined): string =>
      recorded ?? writeRecord({ id: randomUUID(), epoch: 0, holders: [], changes: 0 })
    const lease = await store.acquire({ holder, session, leaseTime, record: first, signal })
    if (lease === undefined) continue
    // Even if this peer no longer waits, it must not keep the lease.
    await store.release({ session, signal: signalAfter(RELEASE_MS) }).catch(() => {})
    return readRecord(lease.record)
  }
  throw new Error('its watch has ended')
}

/** Resolves with the present state of the lease. */
export async function presentState(store: LeaseStore, signal: AbortSignal): Promise<LeaseState> {
  for await (const state of store.watch({ signal })) return state
  throw new Error('its watch has ended')
}
