/**
 * A journal entry, and the choice between copies of a job. The core reads only the head of an entry. It does not read the record
 * (submission, checkpoint, outcome).
 */
import { compareRanks, type Rank } from '../../election/core/rank.ts'

/** A leadership as the author of entries. */
export interface Writer {
  epoch: number
  rank: Rank
}

/** Orders the entries of one job: first by leadership, and then by version within the leadership. */
export interface Stamp extends Writer {
  version: number
}

/**
 * How a job ended. Each end in this list wins over the ends before it. A leader abandons a job when no client waits for the job, so no
 * client has learned of this end. If the job still runs in another part of the cluster, a client waits for the job there.
 */
export const ENDS = ['abandoned', 'cancelled', 'failed', 'completed'] as const
export type End = (typeof ENDS)[number]

export interface Head {
  job: string
  stamp: Stamp
  /** Distinguishes submissions with the same job id. */
  submissionId: string
  /** How the job ended. Undefined while the job runs. */
  end: End | undefined
  /** Whether the outcome of an ended job is still retained. Without an outcome the entry is a tombstone. */
  hasOutcome: boolean
  /** How much of a running job the entry's checkpoint covers: the number of chunks before it. 0 without a checkpoint. */
  next: number
  /** On how many disks each entry of the job must be before it is acknowledged. */
  durable: number
  /** Whether the job may have ended already, so that it does not run until a user says so. Only of a job without an end. */
  isSuspended?: boolean | undefined
}

export interface Entry<Record> extends Head {
  record: Record
}

/** Compares leaderships. Returns a negative number if `a` is older than `b`. */
export function compareWriters(a: Writer, b: Writer): number {
  return a.epoch - b.epoch || compareRanks(a.rank, b.rank)
}

export function compareStamps(a: Stamp, b: Stamp): number {
  return compareWriters(a, b) || a.version - b.version
}

/** Whether the job of an entry goes on by itself. */
export function runs({ end, isSuspended = false }: Head): boolean {
  return end === undefined && !isSuspended
}

/** Orders stamps of which none is the oldest. */
export function compareFloors(a: Stamp | undefined, b: Stamp | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareStamps(a, b)
}

/**
 * Returns the copy of a job that counts. Within one submission, an ended copy wins over a running copy, even if the running copy is
 * newer. Of running copies, the one with the later checkpoint wins, even if its stamp is older: the peer that came first after a full stop may
 * have led with an old copy. Among several submissions with the same id, a copy with an outcome wins over all others, because a client may have seen the
 * outcome. Without an outcome, a running copy wins over a tombstone. Otherwise the newest copy counts.
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
  if (b.end !== undefined) return b.end === 'abandoned'
  return (a.next - b.next || compareStamps(a.stamp, b.stamp)) > 0
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
