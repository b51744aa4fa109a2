/** The record that a store keeps beside the lease. It outlives the lease. */
import { ElectionStoreError } from '../../common/errors.ts'
import { MAX_EPOCH } from '../core/messages.ts'

/** The longest record, in characters. */
export const MOST_RECORD_CHARACTERS = 4_096

export interface StoreRecord {
  /** Identifies the race: a random text that the first holder has written. */
  id: string
  /** The epoch of the last lease. */
  epoch: number
}

/** @throws ElectionStoreError when the text is not a record of p2p-worker */
export function readRecord(text: string): StoreRecord {
  const record = parsed(text)
  if (isRecord(record)) return { id: record.id, epoch: record.epoch }
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
  const { id, epoch } = value as Partial<StoreRecord>
  return typeof id === 'string' && id !== '' && Number.isInteger(epoch) && epoch! >= 0 && epoch! <= MAX_EPOCH
}
