/** An independent record of the peers that died while they ran each chunk, and of the mode in which each chunk must run. */
import type { RunMode } from '../../src/jobs/scheduler/index.ts'

/** The loss of a worker that had a chunk. Says whether the chunk certainly ran, and whether the worker's peer certainly died. */
interface Loss {
  worker: string
  ran: boolean
  died: boolean
}

/** Chunks are named `job index`. */
export class DeathBook {
  readonly #losses = new Map<string, Loss[]>()
  /** The chunk that ended the process of each worker. */
  readonly #killers = new Map<string, string>()
  /** The peers whose processes each chunk has ended, as far as the current leader knows. */
  readonly #victims = new Map<string, Set<string>>()

  startOver(): void {
    this.#losses.clear()
    this.#killers.clear()
    this.#victims.clear()
  }

  /** Records that a chunk ended the process of a worker. */
  killed(worker: string, chunk: string): void {
    this.#killers.set(worker, chunk)
  }

  isBack(worker: string): void {
    this.#settle(worker, false)
    this.#killers.delete(worker)
  }

  /** Records that the leader regards a worker as gone, with the reason if the leader knows the reason. */
  gone(
    worker: string,
    why: 'died' | 'left' | 'lost',
    outstanding: Iterable<string>,
    started: ReadonlySet<string>
  ): void {
    if (why !== 'left') {
      for (const chunk of outstanding) {
        const losses = this.#losses.get(chunk) ?? []
        losses.push({ worker, ran: started.has(chunk), died: false })
        this.#losses.set(chunk, losses)
      }
    }
    if (why !== 'lost') this.#settle(worker, why === 'died')
  }

  forget(chunk: string): void {
    this.#losses.delete(chunk)
  }

  /** Returns the mode in which a chunk that no worker has must run. */
  modeOf(chunk: string): RunMode {
    const losses = this.#losses.get(chunk)
    if (losses === undefined) return 'plain'
    const peers = new Set(losses.map(({ worker }) => worker)).size
    return peers > 1 && losses.some(({ ran }) => ran) ? 'quarantined' : 'announced'
  }

  #settle(worker: string, died: boolean): void {
    for (const [chunk, losses] of this.#losses) {
      for (const loss of losses) if (died && loss.worker === worker) loss.died = true
      const left = losses.filter(loss => loss.died || loss.worker !== worker)
      if (left.length > 0) this.#losses.set(chunk, left)
      else this.#losses.delete(chunk)
    }
    const killer = this.#killers.get(worker)
    if (!died || killer === undefined || !this.#losses.get(killer)?.some(loss => loss.worker === worker)) return
    const victims = this.#victims.get(killer) ?? new Set()
    this.#victims.set(killer, victims.add(worker))
    if (victims.size > 2) throw new Error(`${killer} has ended ${[...victims]}: more than two peers`)
  }
}
