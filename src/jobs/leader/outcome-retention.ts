import { DEFAULT_LIMITS, type Limits } from '../../common/limits.ts'

/**
 * For how long (ms) at least a tombstone records that a job has ended. This must be longer than any partition after which two
 * sides may have to agree on one outcome.
 */
const TOMBSTONE_MS = 24 * 3_600_000

interface OutcomeRetentionParts {
  onDrop(job: string): void
  onForget(job: string): void
  /** Whether a tombstone may be forgotten: no peer may come back with an older entry of the job. Default: it may. */
  mayForget?(job: string): boolean
  limits?: Limits | undefined
}

/**
 * Keeps the outcomes of ended jobs for their keep time, and then keeps the tombstones. Above the limits of count or bytes, drops the
 * outcomes that would expire soonest, but never the newest outcome.
 */
export class OutcomeRetention {
  readonly #outcomes = new Map<string, { timer: NodeJS.Timeout; bytes: number; due: number }>()
  /** When each job became a tombstone, by `performance.now()`. */
  readonly #tombstones = new Map<string, number>()
  readonly #onDrop: (job: string) => void
  readonly #onForget: (job: string) => void
  readonly #mayForget: (job: string) => boolean
  readonly #limits: Limits
  #bytes = 0

  constructor(parts: OutcomeRetentionParts) {
    this.#limits = parts.limits ?? DEFAULT_LIMITS
    this.#onDrop = parts.onDrop
    this.#onForget = parts.onForget
    this.#mayForget = parts.mayForget ?? (() => true)
  }

  /** Keeps the outcome of an ended job for `ms` ms. The outcome has `bytes` bytes. */
  keep(job: string, bytes: number, ms: number): void {
    this.remove(job)
    if (ms === 0) {
      this.#drop(job)
      return
    }
    const timer = setTimeout(() => this.#drop(job), ms)
    // The timer must not keep the process alive.
    timer.unref()
    this.#outcomes.set(job, { timer, bytes, due: performance.now() + ms })
    this.#bytes += bytes
    const limits = this.#limits
    while (this.#outcomes.size > limits.outcomes || this.#bytes > limits.outcomeBytes) {
      const soonest = this.#soonest(job)
      if (soonest === undefined) break
      this.#drop(soonest)
    }
  }

  /** Returns the outcome that expires soonest, but never the outcome of the job `spared`. */
  #soonest(spared: string): string | undefined {
    const others = [...this.#outcomes].filter(([job]) => job !== spared)
    return others.sort(([, a], [, b]) => a.due - b.due)[0]?.[0]
  }

  /** Drops the outcome of the job, and keeps only a tombstone. */
  bury(job: string): void {
    this.remove(job)
    const now = performance.now()
    this.#tombstones.set(job, now)
    for (const [oldest, since] of this.#tombstones) {
      const isDue = now - since > TOMBSTONE_MS && this.#mayForget(oldest)
      if (this.#tombstones.size <= this.#limits.endedJobs && !isDue) break
      this.#tombstones.delete(oldest)
      this.#onForget(oldest)
    }
  }

  /** Forgets the outcome and the tombstone of a job that runs now. */
  remove(job: string): void {
    this.#tombstones.delete(job)
    const outcome = this.#outcomes.get(job)
    if (outcome === undefined) return
    clearTimeout(outcome.timer)
    this.#bytes -= outcome.bytes
    this.#outcomes.delete(job)
  }

  stop(): void {
    for (const job of [...this.#outcomes.keys()]) this.remove(job)
    this.#tombstones.clear()
  }

  #drop(job: string): void {
    this.remove(job)
    this.#onDrop(job)
  }
}
