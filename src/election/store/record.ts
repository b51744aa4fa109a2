/** The record that a store keeps beside the lease. It outlives the lease. */
import { ElectionStoreError } from '../../common/errors.ts'
import type { PeerIdString } from '../../network/types.ts'
import { MAX_EPOCH } from '../core/messages.ts'

/** The longest record, in characters. */
export const MOST_RECORD_CHARACTERS = 4_096

export interface StoreRecord {
  /** Identifies the race: a random text that the first holder has written. */
  id: string
  /** The epoch of the last lease. */
  epoch: number
  /** The peers that hold the journal, as the leader of this epoch or an earlier one has named them. */
  holders: readonly PeerIdString[]
  /** How often the leader of this epoch has changed the holders. */
  changes: number
}

/** The most holders that a record names. */
const MOST_HOLDERS = 16

/** @throws ElectionStoreError when the text is not a record of p2p-worker */
export function readRecord(text: string): StoreRecord {
  const record = parsed(text)
  if (isRecord(record)) return { id: record.id, epoch: record.epoch, holders: record.holders, changes: record.changes }
  throw new ElectionStoreError(
    `the store of the election holds something else where the record of the lease belongs: ${JSON.stringify(text.slice(0, 80))}; use another place in the store, or remove this`
  )
}

export function writeRecord(record: StoreRecord): string {
  return JSON.stringify(record)
}

function parsed(text: string): unknown {
  if (text.length > MOST_RECORD_CHARACTERS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is StoreRecord {
  if (typeof value !== 'object' || value === null) return false
  const { id, epoch, holders, changes } = value as Partial<StoreRecord>
  const areHolders =
    Array.isArray(holders) && holders.length <= MOST_HOLDERS && holders.every(each => typeof each === 'string')
  const isCount = (count: unknown): boolean => Number.isInteger(count) && Number(count) >= 0
  return typeof id === 'string' && id !== '' && isCount(epoch) && epoch! <= MAX_EPOCH && isCount(changes) && areHolders
}
