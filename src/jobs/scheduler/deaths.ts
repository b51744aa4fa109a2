/**
 * Which chunks of a job peers have died with, and what follows for how they are run: one that takes its process with it must not go
 * through the cluster peer by peer.
 *
 * A chunk that a peer died with may have been running there, or have waited; a chunk that kills at once leaves no time to say so. So
 * after one death the chunks that the dead peer had are run only after the leader was told that they begin. When another peer dies
 * then, it is known which ones were running; only those run in a process of their own from then on.
 *
 * A worker that is lost (its channel broke) may be dead or not. Until that is known it counts: running a chunk apart does no harm.
 */
import type { PeerIdString } from '../../network/types.ts'
import type { RunMode, SchedulerRules } from './types.ts'

interface Loss {
  worker: PeerIdString
  /** It was running, by what the worker said; else it may have waited. */
  ran: boolean
  /** The worker's peer has died; else nobody knows yet. */
  died: boolean
}

export class Deaths {
  readonly #losses = new Map<number, Loss[]>()

  /** A worker is gone that had the chunk. */
  add(index: number, loss: Loss): void {
    const losses = this.#losses.get(index)
    if (losses === undefined) this.#losses.set(index, [loss])
    else losses.push(loss)
  }

  /** It is known what has become of a worker that was lost. */
  settle(worker: PeerIdString, died: boolean): void {
    for (const [index, losses] of this.#losses) {
      if (!losses.some(loss => loss.worker === worker && !loss.died)) continue
      const left = died ? losses : losses.filter(loss => loss.worker !== worker || loss.died)
      for (const loss of left) if (loss.worker === worker) loss.died = true
      if (left.length === 0) this.#losses.delete(index)
      else this.#losses.set(index, left)
    }
  }

  /** The chunk has its partial. */
  forget(index: number): void {
    this.#losses.delete(index)
  }

  /** How the chunk is to be run. */
  modeOf(index: number, rules: SchedulerRules): RunMode {
    const losses = this.#losses.get(index)
    if (losses === undefined) return 'plain'
    const count = rules.differentPeers ? new Set(losses.map(({ worker }) => worker)).size : losses.length
    const ran = losses.some(({ ran }) => ran) || !rules.onlyStarted
    return count >= 2 && ran ? 'quarantined' : 'announced'
  }
}
