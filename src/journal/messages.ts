/** The messages between the leader and the replicas of its journal (protocol "journal"). */

import {
  decodeOutcome,
  decodeSubmission,
  encodeOutcome,
  encodeSubmission,
  MAX_TASK_NAME,
  OUTCOME_LIMITS,
  SUBMISSION_LIMITS
} from '../jobs/protocol/submit-messages.ts'
import { packNumbers, unpackNumbers } from '../jobs/protocol/varints.ts'
import {
  bytesOf,
  check,
  checkCount,
  checkKeep,
  checkOne,
  checkPeerId,
  checkText,
  decodePeerChunks,
  decodeWith,
  encodePeerChunks,
  hexOf,
  MAX_MESSAGE_BYTES,
  MAX_PEERS,
  unshared
} from '../jobs/protocol/wire-parts.ts'
import { RECORD_LIMITS } from '../membership/record-limits.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { checkedPack } from '../tasks/values/pack.ts'
import {
  JournalMessage as Wire,
  type JournalCheckpoint as WireCheckpoint,
  type JournalEntry as WireEntry,
  type JournalLock as WireLock,
  type JournalPartials as WirePartials
} from '../wire/jobs.gen.ts'
import { isWhole, type JobCheckpoint, type PartialsFrom } from './checkpoint.ts'
import type { Entry, Head, Stamp } from './core/entry.ts'
import type { HolderList } from './core/holder-list.ts'
import { headOf } from './core/replica.ts'
import {
  checkEntryName,
  decodeHead,
  decodeHeads,
  decodeHolders,
  decodeStamp,
  encodeHead,
  encodeHolders,
  encodeStamp,
  HOLDERS_LIMITS,
  headsInTurns,
  isLockName,
  MAX_ENTRIES,
  type ReadAnswer
} from './head-codec.ts'
import { isLock, type JobRecord, type JournalRecord, type LockRecord, MOST_LEADERS } from './record.ts'

/** A message from the leader to a replica. `priority` is the leader's priority, which orders the leaderships with the same epoch. */
export type JournalRequest =
  | { type: 'read'; priority: number }
  | { type: 'fetch'; job: string }
  /** One entry, or the entries of several locks. The answer `held` names the last entry, and confirms all of them. */
  | { type: 'put'; entries: Entry<JournalRecord>[] }
  /** The unchanged entry of an earlier leader. */
  | { type: 'copy'; entry: Entry<JournalRecord> }
  /** A newer checkpoint, which contains only the partials that the replica lacks. */
  | { type: 'update'; head: Head; checkpoint: JobCheckpoint }
  | { type: 'forget'; job: string; stamp: Stamp }
  /** Who holds the journal, or held it under an earlier leader. */
  | { type: 'holders'; list: HolderList }

/** A message from a replica to the leader. */
export type JournalReply =
  | ({ type: 'heads' } & ReadAnswer)
  | { type: 'fetched'; job: string; entry: Entry<JournalRecord> | undefined }
  | { type: 'held'; job: string; version: number }
  /** The peer keeps the leader's list of this version, and has handled all that was sent before. */
  | { type: 'noted'; version: number }
  | { type: 'refused' }

/** A request or a reply. `epoch` is the leader's epoch in both. */
export type JournalMessage = { epoch: number } & (JournalRequest | JournalReply)

/** The most pieces of partials in one checkpoint, and the most partials in one piece. */
const MAX_PIECES = 100_000
const MAX_PARTIALS = 10_000_000
/** The most entries in one message. */
export const MOST_ENTRIES_A_PUT = 100
/** The most holders of a lock, and the longest texts of one. */
export const MOST_LOCK_HOLDERS = 1_000
export const MAX_SESSION = 64
export const MAX_OWNER = 200
const MOST_SLOTS = MAX_PEERS * RECORD_LIMITS.slots

/** Checks the slot count of a cluster, which `split` receives. */
function checkSlots(slots: number): number {
  check(slots <= MOST_SLOTS, 'more slots than a cluster can have')
  return slots
}

/** The encoded lengths of pieces. The next checkpoint of a job has the same pieces, and a new one. */
const encodedLengths = new WeakMap<Uint32Array, Uint8Array<ArrayBuffer>>()

function encodePartials({ first, lengths, bytes }: PartialsFrom): WirePartials {
  const encoded = encodedLengths.get(lengths) ?? packNumbers(lengths)
  encodedLengths.set(lengths, encoded)
  return { first, lengths: encoded, payload: unshared(bytes) }
}

function decodePartials(wire: WirePartials): PartialsFrom {
  const pack = checkedPack(unpackNumbers(wire.lengths, MAX_PARTIALS), wire.payload)
  return { first: checkCount(wire.first, 'an index'), ...pack }
}

function encodeCheckpoint(checkpoint: JobCheckpoint): WireCheckpoint {
  const { next, digest, perPeer } = checkpoint
  return {
    next,
    digest: unshared(digest),
    perPeer: encodePeerChunks(Object.entries(perPeer)),
    ...(checkpoint.kind === 'folded'
      ? { accumulator: unshared(checkpoint.accumulator), partials: [] }
      : { partials: checkpoint.partials.map(encodePartials) })
  }
}

function decodeCheckpoint(wire: WireCheckpoint): JobCheckpoint {
  check(wire.digest.byteLength === 32, 'a SHA-256 has 32 bytes')
  const how = { next: checkCount(wire.next, 'an index'), digest: wire.digest, perPeer: decodePeerChunks(wire.perPeer) }
  if (wire.accumulator === undefined) return { ...how, kind: 'appended', partials: wire.partials.map(decodePartials) }
  check(wire.partials.length === 0, 'partials beside an accumulator')
  return { ...how, kind: 'folded', accumulator: wire.accumulator }
}

/** The fields of a job in the entry of a lock. */
const NO_JOB = { task: '', sha256: new Uint8Array(), inputSha256: new Uint8Array(), slots: 0, leaders: [] }

function encodeLock({ limit, token, holders }: LockRecord): WireLock {
  return { limit, token, holders: holders.map(holder => ({ ...holder })) }
}

function decodeLock({ limit, token, holders }: WireLock): LockRecord {
  return {
    limit: checkCount(limit, 'a limit'),
    token: checkCount(token, 'a token'),
    holders: holders.map(holder => ({
      session: checkText(holder.session, MAX_SESSION, 'a session'),
      client: checkPeerId(holder.client),
      owner: checkText(holder.owner, MAX_OWNER, 'an owner'),
      token: checkCount(holder.token, 'a token'),
      ttl: checkCount(holder.ttl, 'a ttl'),
      since: checkCount(holder.since, 'a time')
    }))
  }
}

export function encodeEntry(entry: Entry<JournalRecord>): WireEntry {
  if (isLock(entry.record)) return { ...NO_JOB, head: encodeHead(headOf(entry)), lock: encodeLock(entry.record) }
  const { task, sha256, inputSha256, slots, keep, submission, checkpoint, leaders, outcome } = entry.record
  return {
    head: encodeHead(headOf(entry)),
    task: task.slice(0, MAX_TASK_NAME),
    sha256: bytesOf(sha256),
    inputSha256: bytesOf(inputSha256),
    slots,
    keep,
    leaders: leaders.slice(-MOST_LEADERS),
    ...(submission && { submission: encodeSubmission(submission) }),
    ...(checkpoint && { checkpoint: encodeCheckpoint(checkpoint) }),
    ...(outcome && encodeOutcome(outcome))
  }
}

export function decodeEntry(wire: WireEntry | undefined): Entry<JournalRecord> {
  check(wire !== undefined, 'no entry')
  const head = decodeHead(wire.head)
  if (wire.lock !== undefined) {
    check(isLockName(head.job) && head.end === undefined, 'an entry of a lock that is none')
    return { ...head, record: decodeLock(wire.lock) }
  }
  check(!isLockName(head.job), 'a job with the name of a lock')
  const submission = wire.submission && decodeSubmission(wire.submission)
  const checkpoint = wire.checkpoint && decodeCheckpoint(wire.checkpoint)
  const outcome = decodeOutcome(wire)
  check((submission !== undefined) === (head.end === undefined), 'code and input belong to a job that runs')
  check(checkpoint === undefined || head.end === undefined, 'a checkpoint of a job that has ended')
  if (checkpoint?.kind === 'appended') check(isWhole(checkpoint.partials, checkpoint.next), 'partials are missing')
  check((outcome !== undefined) === head.hasOutcome, 'an outcome that does not fit the head')
  check(outcome === undefined || outcome.type === head.end, 'an outcome that does not fit the end')
  const record: JobRecord = {
    task: checkText(wire.task, MAX_TASK_NAME, "a task's name"),
    sha256: hexOf(wire.sha256),
    inputSha256: hexOf(wire.inputSha256),
    slots: checkSlots(wire.slots),
    keep: checkKeep(wire.keep),
    submission,
    checkpoint,
    leaders: wire.leaders.map(({ leader, epoch }) => ({
      leader: checkPeerId(leader),
      epoch: checkCount(epoch, 'an epoch')
    })),
    outcome
  }
  return { ...head, next: checkpoint?.next ?? 0, record }
}

function toWire(message: JournalRequest | JournalReply): Partial<Wire> {
  switch (message.type) {
    case 'read':
      return { read: { priority: message.priority } }
    case 'heads':
      return {
        heads: {
          heads: message.heads.map(encodeHead),
          age: message.age,
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
      return { held: { job: message.job, version: message.version } }
    case 'forget':
      return { forget: { job: message.job, stamp: encodeStamp(message.stamp) } }
    case 'holders':
      return { holders: encodeHolders(message.list) }
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
  refused
}: Wire): JournalRequest | JournalReply {
  checkOne([read, heads, fetch, fetched, put, copy, update, held, forget, holders, noted, refused])
  if (read !== undefined) return { type: 'read', priority: read.priority }
  if (heads !== undefined)
    return {
      type: 'heads',
      heads: decodeHeads(heads.heads),
      age: checkCount(heads.age, 'an age'),
      list: heads.holders && decodeHolders(heads.holders)
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
    return { type: 'held', job: checkEntryName(held.job), version: checkCount(held.version, 'a version') }
  if (forget !== undefined) return { type: 'forget', job: checkEntryName(forget.job), stamp: decodeStamp(forget.stamp) }
  if (holders !== undefined) return { type: 'holders', list: decodeHolders(holders) }
  if (noted !== undefined) return { type: 'noted', version: checkCount(noted.version, 'a version') }
  return { type: 'refused' }
}

const CHECKPOINT_LIMITS = { perPeer: MAX_PEERS, partials: MAX_PIECES }
export const ENTRY_LIMITS = {
  submission: SUBMISSION_LIMITS,
  checkpoint: CHECKPOINT_LIMITS,
  leaders: MOST_LEADERS,
  lock: { holders: MOST_LOCK_HOLDERS },
  ...OUTCOME_LIMITS
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
