/**
 * Whose turn it is among jobs of one priority: start-time fair queueing by slot time, whether chunks are long or short. The job that has had the
 * least slot time is next. Outstanding chunks count as if they took as long as usual.
 */
import type { ScheduledJob } from './scheduled-job.ts'

/** Before anything was measured, all chunks count as equally long (ms). */
const UNKNOWN_MS = 1

export class FairShares {
  /** By priority, the slot time of the job that had the last turn. */
  readonly #reached = new Map<number, number>()
  /** Slot time assumed for a job that joined late or was idle, so that it does not overtake the others. */
  readonly #headStarts = new Map<ScheduledJob, number>()
  /** Jobs that have had no chunk to dispatch. */
  readonly #idle = new Set<ScheduledJob>()

  idle(job: ScheduledJob): void {
    this.#idle.add(job)
  }

  /** Idle jobs among these go on from where the others of their priority are. */
  resume(jobs: readonly ScheduledJob[]): void {
    const unknown = unknownMs(jobs)
    for (const job of jobs) {
      if (!this.#idle.delete(job)) continue
      const missed = (this.#reached.get(job.terms.priority) ?? 0) - ownTime(job, unknown)
      this.#headStarts.set(job, Math.max(this.#headStarts.get(job) ?? 0, missed))
    }
  }

  /** The job with the least slot time; of two with the same, the one with fewer chunks outstanding. */
  next(jobs: readonly ScheduledJob[]): ScheduledJob | undefined {
    const unknown = unknownMs(jobs)
    let best: ScheduledJob | undefined
    let least = Number.POSITIVE_INFINITY
    for (const job of jobs) {
      const time = this.#slotTime(job, unknown)
      if (time > least || (time === least && best!.chunks.outstanding <= job.chunks.outstanding)) continue
      best = job
      least = time
    }
    return best
  }

  /** A job of these gets its turn. */
  took(job: ScheduledJob, jobs: readonly ScheduledJob[]): void {
    this.#reached.set(job.terms.priority, this.#slotTime(job, unknownMs(jobs)))
  }

  remove(job: ScheduledJob): void {
    this.#idle.delete(job)
    this.#headStarts.delete(job)
  }

  #slotTime(job: ScheduledJob, unknown: number): number {
    return (this.#headStarts.get(job) ?? 0) + ownTime(job, unknown)
  }
}

/** How long a chunk of an unmeasured job counts. */
function unknownMs(jobs: readonly ScheduledJob[]): number {
  return Math.max(UNKNOWN_MS, ...jobs.map(({ usual }) => usual.mean))
}

function ownTime({ usual, busyMs, chunks }: ScheduledJob, unknown: number): number {
  return busyMs + (chunks.outstanding + chunks.copies) * (usual.measured === 0 ? unknown : usual.mean)
}
