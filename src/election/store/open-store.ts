import { randomUUID } from 'node:crypto'
import { ElectionStoreError, P2pWorkerError } from '../../common/errors.ts'
import { allowManyListeners, eitherSignal, orAborted, signalAfter } from '../../lib/abort.ts'
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

/** How long a peer that joins waits for the store, in ms. */
const PATIENCE = 10_000

/**
 * Returns the record of the store. If there is none yet, this peer writes the first one: it takes the lease, and releases it.
 *
 * @throws ElectionStoreError when the store does not answer, or does not work
 */
export async function openStore(
  store: LeaseStore,
  { self, leaseTime, signal }: { self: PeerIdString; leaseTime: number; signal: AbortSignal | undefined }
): Promise<StoreRecord> {
  const patience = eitherSignal(signal, signalAfter(PATIENCE))
  try {
    return await orAborted(firstRecord(store, self, leaseTime, allowManyListeners(patience.signal)), patience.signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof P2pWorkerError) throw error
    throw new ElectionStoreError(
      `the store of the election, ${store.name}, does not answer: ${(error as Error).message}; check its address, and that it runs`,
      { cause: error }
    )
  } finally {
    patience.release()
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
    const first = (recorded: string | undefined): string => recorded ?? writeRecord({ id: randomUUID(), epoch: 0 })
    const lease = await store.acquire({ holder, session, leaseTime, record: first, signal })
    if (lease === undefined) continue
    await store.release({ session, signal })
    return readRecord(lease.record)
  }
  throw new Error('its watch has ended')
}

/** Resolves with the present state of the lease. */
export async function presentState(store: LeaseStore, signal: AbortSignal): Promise<LeaseState> {
  for await (const state of store.watch({ signal })) return state
  throw new Error('its watch has ended')
}
