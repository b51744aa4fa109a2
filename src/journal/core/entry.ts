/**
 * A journal entry, and the choice between copies of a job. The core reads only the head; the record (submission,
 * checkpoint, outcome) is opaque.
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
 * How a job ended; later ends in this list beat earlier ones. A job is abandoned when no client waits for it, so no
 * client learned of that end. If the job still runs elsewhere, a client waits for it there.
 */
export const ENDS = ['abandoned', 'cancelled', 'failed', 'completed'] as const
export type End = (typeof ENDS)[number]

export interface Head {
  job: string
  stamp: Stamp
  /** Distinguishes submissions with the same job id. */
  submissionId: string
  /** Undefined while the job runs. */
  end: End | undefined
  /** Whether the outcome of an ended job is still retained. Without it the entry is a tombstone. */
  hasOutcome: boolean
}

export interface Entry<Record> extends Head {
  record: Record
}

/** Negative if leadership `a` is older. */
export function compareWriters(a: Writer, b: Writer): number {
  return a.epoch - b.epoch || compareRanks(a.rank, b.rank)
}

export function compareStamps(a: Stamp, b: Stamp): number {
  return compareWriters(a, b) || a.version - b.version
}

/**
 * The copy of a job that counts. Within one submission, an end beats a running copy, whichever is newer. Among several
 * submissions under one id, an outcome beats everything, since a client has seen it; without an outcome, a running job
 * beats a tombstone. Otherwise the newest copy counts.
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
