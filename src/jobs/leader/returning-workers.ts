import { isLive } from '../../membership/core/member.ts'
import type { Membership } from '../../membership/types.ts'
import type { PeerIdString } from '../../network/types.ts'

/** How long after its start a peer waits for workers that may have partials of a job, in ms. */
const NEWS_MS = 2_000
/** The same if another worker has offered partials of the job. */
const RETURN_MS = 10_000

/** The workers that may come back after the end of all peers. */
export interface Returning {
  /** The workers with a data folder that this peer knew before it was restarted. */
  workers: readonly PeerIdString[]
  /** When this peer was started, by `performance.now()`. */
  since: number
}

export interface ReturningWorkersInit extends Returning {
  membership: Membership
  /** Called when other jobs wait than before. */
  onChanged(): void
}

/**
 * After the end of all peers, these come back one after the other, with the partials on their disks. A job that resumes waits for them. If nobody has
 * partials of the job, as is usual when checkpoints cover them, then it soon goes on.
 */
export class ReturningWorkers {
  readonly #init: ReturningWorkersInit
  readonly #absent: Set<PeerIdString>
  /** The jobs of which workers have offered partials. */
  readonly #offered = new Set<string>()
  #isNew = true
  readonly #timers: NodeJS.Timeout[] = []

  constructor(init: ReturningWorkersInit) {
    const { workers, membership } = init
    this.#init = init
    const mayReturn = (id: PeerIdString): boolean => {
      const member = membership.get(id)
      return member === undefined || (isLive(member) && member.role !== 'leader')
    }
    this.#absent = new Set(workers.filter(mayReturn))
    this.#after(NEWS_MS, () => {
      this.#isNew = false
    })
    this.#after(RETURN_MS, () => this.#absent.clear())
  }

  /** Whether some of the workers are awaited. */
  get areAwaited(): boolean {
    return this.#absent.size > 0
  }

  /** Whether a job that resumes waits for the workers. */
  isAwaiting(job: string): boolean {
    return this.areAwaited && (this.#isNew || this.#offered.has(job))
  }

  /** Handles that a worker has offered chunks of a job. */
  offered(job: string): void {
    if (!this.areAwaited || this.#offered.has(job)) return
    this.#offered.add(job)
    this.#init.onChanged()
  }

  /** Handles that a worker has made all its offers. */
  joined(worker: PeerIdString): void {
    if (!this.#absent.delete(worker) || this.areAwaited) return
    this.stop()
    this.#init.onChanged()
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  /** Calls `run` at a time after the start of this peer, or now if that is past. */
  #after(ms: number, run: () => void): void {
    const left = this.#init.since + ms - performance.now()
    if (left <= 0) run()
    else if (this.areAwaited)
      this.#timers.push(
        setTimeout(() => {
          run()
          this.#init.onChanged()
        }, left)
      )
  }
}
