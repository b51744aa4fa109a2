/**
 * An entry of the journal, and which of several copies of a job counts. The core reads the head only; the record (submission, checkpoint,
 * outcome) is opaque.
 */
import { compareRanks, type Rank } from '../../election/core/rank.ts'

/** One leadership, as the author of entries. */
export interface Writer {
  epoch: number
  rank: Rank
}

/** Orders the entries of one job: by leadership, then by version within it. */
export interface Stamp extends Writer {
  version: number
}

/**
 * How a job ended; later ends beat earlier ones. A job is abandoned when no client waits for it, so nobody was told; where it still runs, a
 * client does wait.
 */
export const ENDS = ['abandoned', 'cancelled', 'failed', 'completed'] as const
export type End = (typeof ENDS)[number]

export interface Head {
  job: string
  stamp: Stamp
  /** Tells the job from one that was submitted under the same id before or after. */
  submissionId: string
  /** Undefined while the job runs. */
  end: End | undefined
  /** Whether the outcome of an ended job is still retained. Without it the entry is a tombstone. */
  hasOutcome: boolean
}

export interface Entry<Record> extends Head {
  record: Record
}

/** Below 0 when `a` is the older leadership. */
export function compareWriters(a: Writer, b: Writer): number {
  return a.epoch - b.epoch || compareRanks(a.rank, b.rank)
}

export function compareStamps(a: Stamp, b: Stamp): number {
  return compareWriters(a, b) || a.version - b.version
}

/**
 * The copy of a job that counts. Of one submission an end beats a running copy, whichever is newer. Among several submissions under one id an
 * outcome beats everything, since a client has seen it; without one, a running job beats a tombstone. Otherwise the newest counts.
 */
export function newest<H extends Head>(heads: readonly H[]): H | undefined {
  const bySubmission = new Map<string, H>()
  for (const head of heads) {
    const other = bySubmission.get(head.submissionId)
    if (other === undefined || beatsOfSubmission(head, other)) bySubmission.set(head.submissionId, head)
  }
  let best: H | undefined
  for (const head of bySubmission.values()) if (best === undefined || beats(head, best)) best = head
  return best
}

function beatsOfSubmission(a: Head, b: Head): boolean {
  if (a.end !== undefined && b.end !== undefined) return beatsEnded(a, b, a.end, b.end)
  if (a.end !== undefined) return a.end !== 'abandoned'
  return b.end === undefined ? compareStamps(a.stamp, b.stamp) > 0 : b.end === 'abandoned'
}

function beats(a: Head, b: Head): boolean {
  if (a.hasOutcome !== b.hasOutcome) return a.hasOutcome
  if (a.end !== undefined && b.end !== undefined) return beatsEnded(a, b, a.end, b.end)
  if (a.end === undefined && b.end === undefined) return compareStamps(a.stamp, b.stamp) > 0
  return a.end === undefined
}

function beatsEnded(a: Head, b: Head, endOfA: End, endOfB: End): boolean {
  if (a.hasOutcome !== b.hasOutcome) return a.hasOutcome
  return ENDS.indexOf(endOfA) - ENDS.indexOf(endOfB) > 0 || (endOfA === endOfB && compareStamps(a.stamp, b.stamp) > 0)
}
