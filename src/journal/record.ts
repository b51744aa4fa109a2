import type { JobOutcome, Submission, SubmissionContent } from '../jobs/protocol/submit-messages.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JobCheckpoint } from './checkpoint.ts'

/** One leadership of a job. */
export interface PastLeader {
  leader: PeerIdString
  epoch: number
}

/** The most leaderships of a job that are remembered, so that workers can report chunks that these assigned. */
export const MOST_LEADERS = 64

/** The record of a job in the journal. */
export interface JobRecord extends SubmissionContent {
  task: string
  /** Number of slots of the cluster when the job was accepted: a resumed `split` gets the same number again. */
  slots: number
  /** How long the outcome is retained, in ms. */
  keep: number
  /** Code and input; `undefined` when the job has ended. */
  submission: Submission | undefined
  /** The progress of a running job; `undefined` at the beginning. */
  checkpoint: JobCheckpoint | undefined
  /** The job's leaders, newest last: workers may report chunks that these assigned. */
  leaders: readonly PastLeader[]
  /** The outcome; `undefined` while the job runs and after the outcome is dropped. */
  outcome: JobOutcome | undefined
}

/** The size of a record, without its few hundred bytes of fixed fields. */
export function bytesOfRecord({ submission, checkpoint, outcome }: JobRecord): number {
  let bytes = submission === undefined ? 0 : submission.code.byteLength + submission.input.byteLength
  if (checkpoint?.kind === 'folded') bytes += checkpoint.accumulator.byteLength
  else for (const piece of checkpoint?.partials ?? []) bytes += piece.bytes.byteLength
  return outcome?.type === 'completed' ? bytes + outcome.result.byteLength : bytes
}

/** The record of a job with `now` as its latest leader. */
export function ledBy(record: JobRecord, now: PastLeader): JobRecord {
  const last = record.leaders.at(-1)
  if (last?.epoch === now.epoch && last.leader === now.leader) return record
  return { ...record, leaders: [...record.leaders, now].slice(-MOST_LEADERS) }
}
