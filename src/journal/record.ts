import type { JobOutcome, Submission, SubmissionContent } from '../jobs/protocol/submit-messages.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JobCheckpoint } from './checkpoint.ts'

/** One leadership of a job. */
export interface PastLeader {
  leader: PeerIdString
  epoch: number
}

/** So many leaderships of a job are remembered: workers show what the last ones gave. */
export const MOST_LEADERS = 64

/** What the journal carries of a job. */
export interface JobRecord extends SubmissionContent {
  task: string
  /** Slots of the cluster when the job was accepted: `split` is told the same again, wherever it goes on. */
  slots: number
  /** For how long the outcome is kept, in ms. */
  keep: number
  /** Code and input, as long as the job runs. */
  submission: Submission | undefined
  /** How far it is, as long as it runs; undefined at the beginning. */
  checkpoint: JobCheckpoint | undefined
  /** Who has led it, the newest last: what they gave to workers counts. */
  leaders: readonly PastLeader[]
  /** Once it has ended, as long as it is kept. */
  outcome: JobOutcome | undefined
}

/** What it takes beside a few hundred bytes. */
export function bytesOfRecord({ submission, checkpoint, outcome }: JobRecord): number {
  let bytes = submission === undefined ? 0 : submission.code.byteLength + submission.input.byteLength
  if (checkpoint?.kind === 'folded') bytes += checkpoint.accumulator.byteLength
  else for (const piece of checkpoint?.partials ?? []) bytes += piece.bytes.byteLength
  return outcome?.type === 'completed' ? bytes + outcome.result.byteLength : bytes
}

/** A record of a job that `now` leads. */
export function ledBy(record: JobRecord, now: PastLeader): JobRecord {
  const last = record.leaders.at(-1)
  if (last?.epoch === now.epoch && last.leader === now.leader) return record
  return { ...record, leaders: [...record.leaders, now].slice(-MOST_LEADERS) }
}
