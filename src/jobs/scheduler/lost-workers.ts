/**
 * Records which workers were lost with which chunks, and selects how such a chunk runs from then on, so that a chunk
 * that kills its process does not kill the cluster peer by peer.
 *
 * A chunk of a dead worker may have been running or waiting: a chunk that kills at once leaves no time to report. So
 * after one death, the chunks of the dead worker run `announced`: the leader knows of each chunk before the chunk begins. When
 * another peer dies, the leader knows which chunks were running. Only these chunks run `quarantined`, in a process of their
 * own.
 *
 * A worker whose channel broke may be dead or alive. Until the leader knows that, the worker counts as dead, because isolating a chunk does no
 * harm.
 */
import type { PeerIdString } from '../../network/types.ts'
import type { ChunkTable } from './chunk-table.ts'
import type { SchedulerRules } from './rules.ts'
import type { RunMode } from './types.ts'

export interface Loss {
  worker: PeerIdString
  /** Whether the worker had reported the chunk as running. If it had not, the chunk may have waited. */
  ran: boolean
  /** Whether the leader knows that the peer of the worker has died. */
  died: boolean
}

export class LostChunks {
  readonly #losses = new Map<number, Loss[]>()

  /** Records that a worker with this chunk is gone. */
  add(index: number, loss: Loss): void {
    this.#losses.set(index, [...(this.#losses.get(index) ?? []), loss])
  }

  /** Records whether a lost worker has died. */
  settle(worker: PeerIdString, died: boolean): void {
    for (const [index, losses] of this.#losses) {
      const left = losses.filter(loss => died || loss.worker !== worker || loss.died)
      for (const loss of left) if (loss.worker === worker) loss.died = true
      if (left.length === 0) this.#losses.delete(index)
      else this.#losses.set(index, left)
    }
  }

  /** Forgets the losses of a chunk that is done. */
  delete(index: number): void {
    this.#losses.delete(index)
  }

  modeOf(index: number, rules: SchedulerRules): RunMode {
    const losses = this.#losses.get(index)
    if (losses === undefined) return 'plain'
    return rules.deadPeers(losses) >= 2 && rules.wasRunning(losses) ? 'quarantined' : 'announced'
  }
}

/** The smallest number of chunks that a dead leader is assumed to have run itself. */
const LEAST_SUSPECTED = 8

/**
 * The chunks that the previous leader may have been running when it died. These are the lowest chunks that no worker
 * retains, because a leader dispatches the lowest chunks, and gives about as many chunks to itself as to each other
 * worker.
 */
export class LostLeader {
  readonly #leader: PeerIdString
  /** The index before which all chunks have been checked. */
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
