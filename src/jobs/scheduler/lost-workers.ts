/**
 * Which chunks of a job workers were lost with, and how such a chunk runs from then on, so that a chunk that ends its process does not end the
 * cluster peer by peer.
 *
 * A chunk of a dead worker may have been running, or have waited: a chunk that kills at once leaves no time to report. So after one death
 * the chunks of the dead worker run `announced`: the leader knows of each before it begins. When another peer dies, the leader knows which
 * chunks were running; only those run `quarantined`, in a process of their own.
 *
 * A worker whose channel broke may be dead or not. Until that is known it counts as dead: to isolate a chunk does no harm.
 */
import type { PeerIdString } from '../../network/types.ts'
import type { ChunkTable } from './chunk-table.ts'
import type { SchedulerRules } from './rules.ts'
import type { RunMode } from './types.ts'

export interface Loss {
  worker: PeerIdString
  /** The worker had reported the chunk as running; else it may have waited. */
  ran: boolean
  /** The worker's peer is known to have died. */
  died: boolean
}

export class LostChunks {
  readonly #losses = new Map<number, Loss[]>()

  /** A worker that had the chunk is gone. */
  add(index: number, loss: Loss): void {
    this.#losses.set(index, [...(this.#losses.get(index) ?? []), loss])
  }

  /** It is known whether a lost worker has died. */
  settle(worker: PeerIdString, died: boolean): void {
    for (const [index, losses] of this.#losses) {
      const left = losses.filter(loss => died || loss.worker !== worker || loss.died)
      for (const loss of left) if (loss.worker === worker) loss.died = true
      if (left.length === 0) this.#losses.delete(index)
      else this.#losses.set(index, left)
    }
  }

  /** The chunk is done. */
  delete(index: number): void {
    this.#losses.delete(index)
  }

  modeOf(index: number, rules: SchedulerRules): RunMode {
    const losses = this.#losses.get(index)
    if (losses === undefined) return 'plain'
    return rules.deadPeers(losses) >= 2 && rules.wasRunning(losses) ? 'quarantined' : 'announced'
  }
}

/** A leader that died is taken to have had at least this many chunks itself. */
const LEAST_SUSPECTED = 8

/**
 * Chunks that the leader before this one may have been running when it died: the first ones that no worker retains. A leader dispatches the
 * lowest chunks, to itself as well, and about as many as to others.
 */
export class LostLeader {
  readonly #leader: PeerIdString
  /** Chunks before it were looked at. */
  #next: number
  #suspected = 0

  constructor(leader: PeerIdString, first: number) {
    this.#leader = leader
    this.#next = first
  }

  /** @param avoid - the worker that should not run these chunks */
  suspect(chunks: ChunkTable, avoid: PeerIdString | undefined): void {
    const most = LEAST_SUSPECTED + 2 * chunks.retained.mostOfOne
    for (; this.#suspected < most && this.#next < chunks.queue.end; this.#next++)
      if (chunks.suspect(this.#next, { worker: this.#leader, ran: false, died: true }, avoid)) this.#suspected += 1
  }
}
