import type { JobOutcome, Submission, SubmissionContent } from '../jobs/protocol/submit-messages.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JobCheckpoint } from './checkpoint.ts'

/** One leadership of a job. */
export interface PastLeader {
  leader: PeerIdString
  epoch: number
}

/** Leaderships of a job that are remembered: workers report the chunks that these assigned. */
export const MOST_LEADERS = 64

/** The record of a job in the journal. */
export interface JobRecord extends SubmissionContent {
  task: string
  /** Slots of the cluster when the job was accepted: `split` gets the same number again wherever it resumes. */
  slots: number
  /** How long the outcome is retained, in ms. */
  keep: number
  /** Code and input, as long as the job runs. */
  submission: Submission | undefined
  /** Its progress as long as it runs; undefined at the beginning. */
  checkpoint: JobCheckpoint | undefined
  /** Its leaders, the newest last: chunks that they assigned count. */
  leaders: readonly PastLeader[]
  /** Once it has ended, as long as it is retained. */
  outcome: JobOutcome | undefined
}

/** The size of a record, without its few hundred bytes of fixed fields. */
export function bytesOfRecord({ submission, checkpoint, outcome }: JobRecord): number {
  let bytes = submission === undefined ? 0 : submission.code.byteLength + submission.input.byteLength
  if (checkpoint?.kind === 'folded') bytes += checkpoint.accumulator.byteLength
  else for (const piece of checkpoint?.partials ?? []) bytes += piece.bytes.byteLength
  return outcome?.type === 'completed' ? bytes + outcome.result.byteLength : bytes
}

/** The record of a job that `now` leads. */
export function ledBy(record: JobRecord, now: PastLeader): JobRecord {
  const last = record.leaders.at(-1)
  if (last?.epoch === now.epoch && last.leader === now.leader) return record
  return { ...record, leaders: [...record.leaders, now].slice(-MOST_LEADERS) }
}
