/**
 * Selects the job that is next among jobs of one priority. Uses start-time fair queueing by slot time, so long and short chunks count alike. The
 * job with the least slot time is next. Outstanding chunks count as if they took the usual time.
 */
import type { ScheduledJob } from './scheduled-job.ts'

/** The assumed duration of each chunk (ms) before any is measured. */
const UNKNOWN_MS = 1

export class FairShares {
  /** For each priority, the slot time of the job that had the last turn. */
  readonly #reached = new Map<number, number>()
  /** Slot time assumed for a job that joined late or was idle, so that it does not overtake the others. */
  readonly #headStarts = new Map<ScheduledJob, number>()
  /** The jobs without a chunk to dispatch. */
  readonly #idle = new Set<ScheduledJob>()

  idle(job: ScheduledJob): void {
    this.#idle.add(job)
  }

  /** Resumes the idle jobs among `jobs`. An idle job gets the slot time that the other jobs of its priority have reached. */
  resume(jobs: Iterable<ScheduledJob>): void {
    const unknown = unknownMs(jobs)
    for (const job of jobs) {
      if (!this.#idle.delete(job)) continue
      const missed = (this.#reached.get(job.terms.priority) ?? 0) - ownTime(job, unknown)
      this.#headStarts.set(job, Math.max(this.#headStarts.get(job) ?? 0, missed))
    }
  }

  /** Returns the job with the least slot time. Of jobs with equal slot time, returns the job with fewer outstanding chunks. */
  next(jobs: Iterable<ScheduledJob>): ScheduledJob | undefined {
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

  /** Records the turn of a job among `jobs`. */
  took(job: ScheduledJob, jobs: Iterable<ScheduledJob>): void {
    this.#reached.set(job.terms.priority, this.#slotTime(job, unknownMs(jobs)))
  }

  /** Records the turns of all these jobs of one priority, of which the one with the most slot time comes last. */
  tookAll(jobs: Iterable<ScheduledJob>): void {
    const unknown = unknownMs(jobs)
    let most = 0
    for (const job of jobs) {
      most = Math.max(most, this.#slotTime(job, unknown))
      this.#reached.set(job.terms.priority, most)
    }
  }

  remove(job: ScheduledJob): void {
    this.#idle.delete(job)
    this.#headStarts.delete(job)
  }

  #slotTime(job: ScheduledJob, unknown: number): number {
    return (this.#headStarts.get(job) ?? 0) + ownTime(job, unknown)
  }
}

/** The assumed duration of a chunk (ms) in an unmeasured job. */
function unknownMs(jobs: Iterable<ScheduledJob>): number {
  let longest = UNKNOWN_MS
  for (const { usual } of jobs) longest = Math.max(longest, usual.mean)
  return longest
}

function ownTime({ usual, busyMs, chunks }: ScheduledJob, unknown: number): number {
  return busyMs + (chunks.outstanding + chunks.copies) * (usual.measured === 0 ? unknown : usual.mean)
}
