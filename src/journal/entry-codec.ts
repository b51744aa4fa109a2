/** Encodes and decodes the entries of the journal. */
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
  checkPeerId,
  checkText,
  decodePeerChunks,
  encodePeerChunks,
  hexOf,
  MAX_PEERS,
  unshared
} from '../jobs/protocol/wire-parts.ts'
import { RECORD_LIMITS } from '../membership/record-limits.ts'
import { checkedPack } from '../tasks/values/pack.ts'
import type {
  JournalCheckpoint as WireCheckpoint,
  JournalEntry as WireEntry,
  JournalLock as WireLock,
  JournalPartials as WirePartials
} from '../wire/jobs.gen.ts'
import { isWhole, type JobCheckpoint, type PartialsFrom } from './checkpoint.ts'
import type { Entry } from './core/entry.ts'
import { headOf } from './core/replica.ts'
import { decodeHead, encodeHead } from './head-codec.ts'
import { isJobId, isLockName, isScheduleKey } from './names.ts'
import { isJob, isLock, type JobRecord, type JournalRecord, type LockRecord, MOST_LEADERS } from './record.ts'
import { decodeSchedule, encodeSchedule } from './schedule-codec.ts'

/** The most pieces of partials in one checkpoint, and the most partials in one piece. */
const MAX_PIECES = 100_000
const MAX_PARTIALS = 10_000_000
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

export function encodeCheckpoint(checkpoint: JobCheckpoint): WireCheckpoint {
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

export function decodeCheckpoint(wire: WireCheckpoint): JobCheckpoint {
  check(wire.digest.byteLength === 32, 'a SHA-256 has 32 bytes')
  const how = { next: checkCount(wire.next, 'an index'), digest: wire.digest, perPeer: decodePeerChunks(wire.perPeer) }
  if (wire.accumulator === undefined) return { ...how, kind: 'appended', partials: wire.partials.map(decodePartials) }
  check(wire.partials.length === 0, 'partials beside an accumulator')
  return { ...how, kind: 'folded', accumulator: wire.accumulator }
}

/** The fields of a job in an entry that is none. */
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
  const head = encodeHead(headOf(entry))
  if (isLock(entry.record)) return { ...NO_JOB, head, lock: encodeLock(entry.record) }
  if (!isJob(entry.record)) return { ...NO_JOB, head, ...encodeSchedule(entry.record) }
  const { task, sha256, inputSha256, slots, keep, submission, checkpoint, leaders, outcome } = entry.record
  return {
    head,
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
  const schedule = decodeSchedule(wire)
  if (schedule !== undefined) {
    check(isScheduleKey(head.job, schedule) && head.end === undefined, 'an entry of a schedule that is none')
    return { ...head, record: schedule }
  }
  check(isJobId(head.job), 'a job with the name of a lock or a schedule')
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

export const CHECKPOINT_LIMITS = { perPeer: MAX_PEERS, partials: MAX_PIECES }
export const ENTRY_LIMITS = {
  submission: SUBMISSION_LIMITS,
  checkpoint: CHECKPOINT_LIMITS,
  leaders: MOST_LEADERS,
  lock: { holders: MOST_LOCK_HOLDERS },
  ...OUTCOME_LIMITS
}
