/**
 * Whose turn it is among jobs of one priority: that of the job which has had the least slot time, whether its chunks are
 * long or short. What is under way counts as if it took as long as usual, and is corrected when it has ended.
 *
 * A job that had nothing to be given for a while has no claim to what it missed: it goes on from where the others are
 * (as in start-time fair queueing).
 */
import type { JobRecord } from './scheduled-job.ts'

/** Before anything was measured, all chunks count as equally long. */
const UNKNOWN_MS = 1

export class FairShares {
  /** By priority, the slot time of the job whose turn came last. */
  readonly #reached = new Map<number, number>()
  /** Jobs that could be given nothing, since then. */
  readonly #resting = new Set<JobRecord>()

  /** A job has no chunk that may be given out. */
  rests(job: JobRecord): void {
    this.#resting.add(job)
  }

  forget(job: JobRecord): void {
    this.#resting.delete(job)
  }

  /** The job whose turn it is; of those with equal claims, the one with the fewest chunks under way. */
  next(jobs: Iterable<JobRecord>): JobRecord | undefined {
    const candidates = [...jobs]
    let unknown = UNKNOWN_MS
    for (const { usual } of candidates) unknown = Math.max(unknown, usual.mean)
    let best: JobRecord | undefined
    let least = Number.POSITIVE_INFINITY
    for (const job of candidates) {
      const time = this.#slotTime(job, unknown)
      if (best !== undefined && (time > least || (time === least && job.outstanding >= best.outstanding))) continue
      best = job
      least = time
    }
    if (best !== undefined) this.#reached.set(best.terms.priority, least)
    return best
  }

  #slotTime(job: JobRecord, unknown: number): number {
    const each = job.usual.measured === 0 ? unknown : job.usual.mean
    const own = job.busyMs + (job.outstanding + job.copies.size) * each
    if (this.#resting.delete(job)) {
      const reached = this.#reached.get(job.terms.priority) ?? 0
      job.headStart = Math.max(job.headStart, reached - own)
    }
    return job.headStart + own
  }
}
