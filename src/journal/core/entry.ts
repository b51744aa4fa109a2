/**
 * What the journal keeps of a job, and which of several copies counts. Only the head is looked at here; the record (what was submitted,
 * how far it is, how it ended) is carried.
 */
import { compareRanks, type Rank } from '../../election/core/rank.ts'

/** A leader in its capacity as the one who writes. */
export interface Writer {
  epoch: number
  rank: Rank
}

/** Orders the entries of one job: by leadership, then by version within it. */
export interface Stamp extends Writer {
  version: number
}

/**
 * How a job ended; later ones beat earlier ones. One that was abandoned, since no client waited for it, was told to nobody: where it
 * still runs, somebody does wait for it.
 */
export const ENDS = ['abandoned', 'cancelled', 'failed', 'completed'] as const
export type End = (typeof ENDS)[number]

export interface Head {
  job: string
  stamp: Stamp
  /** Given when the job was accepted: tells it from one that was submitted under the same id before or after. */
  submissionId: string
  /** Undefined while the job runs. */
  end: End | undefined
  /** Of a job that has ended: whether its outcome is still held. Without it the entry is only a tombstone. */
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
 * The copy of a job that counts. What ended has ended, whatever an older or a newer copy says: its tombstone beats all that is
 * of the same submissionId, and an outcome beats all there is, since the job was submitted once. Without an outcome, a job that was submitted
 * again under the id runs. Otherwise the newest counts.
 *
 * @param ends - later ones beat earlier ones
 */
export function newest<H extends Head>(heads: readonly H[], ends: readonly End[] = ENDS): H | undefined {
  const submissionIds = new Map<string, H>()
  for (const head of heads) {
    const other = submissionIds.get(head.submissionId)
    if (other === undefined || beatsOfBirth(head, other, ends)) submissionIds.set(head.submissionId, head)
  }
  let best: H | undefined
  for (const head of submissionIds.values()) if (best === undefined || beats(head, best, ends)) best = head
  return best
}

function beatsOfBirth(a: Head, b: Head, ends: readonly End[]): boolean {
  if ((a.end === undefined) !== (b.end === undefined))
    return a.end !== undefined ? a.end !== 'abandoned' : b.end === 'abandoned'
  if (a.end !== undefined && b.end !== undefined) return beatsEnded(a, b, ends)
  return compareStamps(a.stamp, b.stamp) > 0
}

function beats(a: Head, b: Head, ends: readonly End[]): boolean {
  if (a.hasOutcome !== b.hasOutcome) return a.hasOutcome
  // Both with an outcome, or both without: of the latter, one that runs.
  if ((a.end === undefined) !== (b.end === undefined)) return a.end === undefined
  if (a.end !== undefined && b.end !== undefined) return beatsEnded(a, b, ends)
  return compareStamps(a.stamp, b.stamp) > 0
}

function beatsEnded(a: Head, b: Head, ends: readonly End[]): boolean {
  if (a.hasOutcome !== b.hasOutcome) return a.hasOutcome
  return ends.indexOf(a.end!) - ends.indexOf(b.end!) > 0 || (a.end === b.end && compareStamps(a.stamp, b.stamp) > 0)
}
