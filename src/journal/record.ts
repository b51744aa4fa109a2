import type { JobOutcome, Submission, SubmissionContent } from '../jobs/protocol/submit-messages.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JobCheckpoint } from './checkpoint.ts'
import type { End } from './core/entry.ts'
import type { ScheduleRecord } from './schedule-record.ts'

/** One leadership of a job. */
export interface PastLeader {
  leader: PeerIdString
  epoch: number
}

/** The most leaderships that the record of a job contains. Workers may report chunks that these leaders assigned. */
export const MOST_LEADERS = 64

/** The record of a job in the journal. */
export interface JobRecord extends SubmissionContent {
  task: string
  /** The number of slots of the cluster when the job was accepted. A resumed `split` gets the same number. */
  slots: number
  /** How long the outcome is retained, in ms. */
  keep: number
  /** The code and the input. Undefined when the job has ended. */
  submission: Submission | undefined
  /** The progress of a running job. Undefined before the first checkpoint. */
  checkpoint: JobCheckpoint | undefined
  /** The job's leaders, the newest last. Workers may report chunks that these leaders assigned. */
  leaders: readonly PastLeader[]
  /** The outcome. Undefined while the job runs, and after the outcome is dropped. */
  outcome: JobOutcome | undefined
}

/** An entry to write. An entry with an end but without an outcome is a tombstone. */
export interface Write {
  job: string
  submissionId: string
  end?: End
  /** On how many disks the job must be. Default: as in the entry before. */
  durable?: number
  record: JobRecord
}

/** A session that holds a lock. */
export interface RecordedHolder {
  readonly session: string
  readonly client: PeerIdString
  /** Describes the client to people. */
  readonly owner: string
  readonly token: number
  /** How long the session lasts after each request, in ms. */
  readonly ttl: number
  /** When the lock was granted, in ms since the Unix epoch. */
  readonly since: number
}

/** The record of a lock in the journal. */
export interface LockRecord {
  /** How many sessions may hold the lock at the same time. */
  readonly limit: number
  /** The newest token of this lock. */
  readonly token: number
  readonly holders: readonly RecordedHolder[]
}

/** What the journal records. */
export type JournalRecord = JobRecord | LockRecord | ScheduleRecord

export function isJob(record: JournalRecord): record is JobRecord {
  return 'leaders' in record
}

export function isLock(record: JournalRecord): record is LockRecord {
  return 'holders' in record
}

/** Returns the size of a record in bytes, without the few hundred bytes of its fixed fields. */
export function bytesOfRecord(record: JournalRecord): number {
  if (isLock(record)) return record.holders.length * 200
  const { submission, rest } = contentsOf(record)
  return [...submission, ...rest].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Returns the contents of a record: the code and the input of a job, which may be pending, and the others. */
export function contentsOf(record: JournalRecord): { submission: Uint8Array[]; rest: Uint8Array[] } {
  if (isLock(record)) return { submission: [], rest: [] }
  if (!isJob(record)) return { submission: [], rest: record.kind === 'definition' ? both(record.submission) : [] }
  const { submission, checkpoint, outcome } = record
  const folded =
    checkpoint?.kind === 'folded' ? [checkpoint.accumulator] : (checkpoint?.partials ?? []).map(({ bytes }) => bytes)
  return {
    submission: submission === undefined ? [] : both(submission),
    rest: outcome?.type === 'completed' ? [...folded, outcome.result] : folded
  }
}

function both({ code, input }: Submission): Uint8Array[] {
  return [code, input]
}

/** Returns the record of a job with `now` added as its latest leader. */
export function ledBy(record: JournalRecord, now: PastLeader): JournalRecord {
  if (!isJob(record)) return record
  const last = record.leaders.at(-1)
  if (last?.epoch === now.epoch && last.leader === now.leader) return record
  return { ...record, leaders: [...record.leaders, now].slice(-MOST_LEADERS) }
}

/** Returns the record of a new job. */
export function recordOf(submission: Submission, slots: number, leader: PastLeader): JobRecord {
  const { task, sha256, inputSha256, keep } = submission
  const begun = { checkpoint: undefined, leaders: [leader], outcome: undefined }
  return { task, sha256, inputSha256, slots, keep, submission, ...begun }
}
