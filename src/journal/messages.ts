/** The messages between the leader and the replicas of its journal (protocol "journal"). */

import { check, checkCount, checkOne, decodeWith, MAX_MESSAGE_BYTES } from '../jobs/protocol/wire-parts.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { JournalMessage as Wire } from '../wire/jobs.gen.ts'
import type { JobCheckpoint } from './checkpoint.ts'
import type { Entry, Head, Stamp } from './core/entry.ts'
import type { HolderList } from './core/holder-list.ts'
import {
  CHECKPOINT_LIMITS,
  decodeCheckpoint,
  decodeEntry,
  ENTRY_LIMITS,
  encodeCheckpoint,
  encodeEntry
} from './entry-codec.ts'
import {
  decodeHead,
  decodeHeads,
  decodeHolders,
  decodeStamp,
  encodeHead,
  encodeHolders,
  encodeStamp,
  HOLDERS_LIMITS,
  headsInTurns,
  MAX_ENTRIES,
  type ReadAnswer
} from './head-codec.ts'
import { checkEntryName } from './names.ts'
import type { JournalRecord } from './record.ts'

/** A message from the leader to a replica. `priority` is the leader's priority, which orders the leaderships with the same epoch. */
export type JournalRequest =
  | { type: 'read'; priority: number }
  | { type: 'fetch'; job: string }
  /** One entry, or the entries of several locks and marks. The answer `held` names the last entry, and confirms all of them. */
  | { type: 'put'; entries: Entry<JournalRecord>[] }
  /** The unchanged entry of an earlier leader. */
  | { type: 'copy'; entry: Entry<JournalRecord> }
  /** A newer checkpoint, which contains only the partials that the replica lacks. */
  | { type: 'update'; head: Head; checkpoint: JobCheckpoint }
  | { type: 'forget'; job: string; stamp: Stamp }
  /** Who holds the journal, or held it under an earlier leader. */
  | { type: 'holders'; list: HolderList }
  /** The peer, which had lost entries, has all of them again. */
  | { type: 'whole' }

/** A message from a replica to the leader. */
export type JournalReply =
  | ({ type: 'heads' } & ReadAnswer)
  | { type: 'fetched'; job: string; entry: Entry<JournalRecord> | undefined }
  /** `isOnDisk`: the entry is on the disk of the peer, if the peer has one. A peer whose disk fails answers once more when the disk has taken the entry. */
  | { type: 'held'; job: string; version: number; isOnDisk: boolean }
  /** The peer keeps the leader's list of this version, and has handled all that was sent before. */
  | { type: 'noted'; version: number }
  | { type: 'refused' }

/** A request or a reply. `epoch` is the leader's epoch in both. */
export type JournalMessage = { epoch: number } & (JournalRequest | JournalReply)

/** The most entries in one message. */
export const MOST_ENTRIES_A_PUT = 100

function toWire(message: JournalRequest | JournalReply): Partial<Wire> {
  switch (message.type) {
    case 'read':
      return { read: { priority: message.priority } }
    case 'heads':
      return {
        heads: {
          heads: message.heads.map(encodeHead),
          age: message.age,
          ...(message.isIncomplete && { incomplete: true }),
          onDisk: message.isOnDisk,
          ...(message.list && { holders: encodeHolders(message.list) })
        }
      }
    case 'fetch':
      return { fetch: { job: message.job } }
    case 'fetched':
      return { fetched: { job: message.job, ...(message.entry && { entry: encodeEntry(message.entry) }) } }
    case 'put':
      return { put: { entries: message.entries.map(encodeEntry) } }
    case 'copy':
      return { copy: { entries: [encodeEntry(message.entry)] } }
    case 'update':
      return { update: { head: encodeHead(message.head), checkpoint: encodeCheckpoint(message.checkpoint) } }
    case 'held':
      return { held: { job: message.job, version: message.version, onDisk: message.isOnDisk } }
    case 'forget':
      return { forget: { job: message.job, stamp: encodeStamp(message.stamp) } }
    case 'holders':
      return { holders: encodeHolders(message.list) }
    case 'whole':
      return { whole: {} }
    case 'noted':
      return { noted: { version: message.version } }
    case 'refused':
      return { refused: {} }
  }
}

function fromWire({
  read,
  heads,
  fetch,
  fetched,
  put,
  copy,
  update,
  held,
  forget,
  holders,
  noted,
  whole,
  refused
}: Wire): JournalRequest | JournalReply {
  checkOne([read, heads, fetch, fetched, put, copy, update, held, forget, holders, noted, whole, refused])
  if (read !== undefined) return { type: 'read', priority: read.priority }
  if (heads !== undefined)
    return {
      type: 'heads',
      heads: decodeHeads(heads.heads),
      age: checkCount(heads.age, 'an age'),
      list: heads.holders && decodeHolders(heads.holders),
      isIncomplete: heads.incomplete,
      isOnDisk: heads.onDisk
    }
  if (fetch !== undefined) return { type: 'fetch', job: checkEntryName(fetch.job) }
  if (fetched !== undefined) {
    const entry = fetched.entry && decodeEntry(fetched.entry)
    check(entry === undefined || entry.job === fetched.job, 'an entry of another job')
    return { type: 'fetched', job: checkEntryName(fetched.job), entry }
  }
  if (put !== undefined) {
    const entries = put.entries.map(decodeEntry)
    check(entries.length > 0, 'no entry')
    return { type: 'put', entries }
  }
  if (copy !== undefined) {
    check(copy.entries.length === 1, 'a copy of one entry')
    return { type: 'copy', entry: decodeEntry(copy.entries[0]) }
  }
  if (update !== undefined) {
    const head = decodeHead(update.head)
    check(head.end === undefined && update.checkpoint !== undefined, 'an update of a job that has ended')
    return { type: 'update', head, checkpoint: decodeCheckpoint(update.checkpoint) }
  }
  if (held !== undefined)
    return {
      type: 'held',
      job: checkEntryName(held.job),
      version: checkCount(held.version, 'a version'),
      isOnDisk: held.onDisk
    }
  if (forget !== undefined) return { type: 'forget', job: checkEntryName(forget.job), stamp: decodeStamp(forget.stamp) }
  if (holders !== undefined) return { type: 'holders', list: decodeHolders(holders) }
  if (whole !== undefined) return { type: 'whole' }
  if (noted !== undefined) return { type: 'noted', version: checkCount(noted.version, 'a version') }
  return { type: 'refused' }
}

const LIMITS = {
  heads: { heads: MAX_ENTRIES, holders: HOLDERS_LIMITS },
  holders: HOLDERS_LIMITS,
  fetched: { entry: ENTRY_LIMITS },
  put: { entries: MOST_ENTRIES_A_PUT, entries$: ENTRY_LIMITS },
  copy: { entries: 1, entries$: ENTRY_LIMITS },
  update: { checkpoint: CHECKPOINT_LIMITS }
}

const codec: Codec<JournalMessage> = {
  encode: message => Wire.encode({ epoch: message.epoch, ...toWire(message) }),
  decode(bytes) {
    const wire = decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    return { epoch: checkCount(wire.epoch, 'an epoch'), ...fromWire(wire) }
  },
  decodeInTurns: bytes => headsInTurns(bytes)?.then(heads => ({ type: 'heads', ...heads }))
}

export const journalProtocol: ProtocolSpec<JournalMessage> = {
  name: 'journal',
  codec,
  maxMessageBytes: MAX_MESSAGE_BYTES,
  needs: 'join'
}
