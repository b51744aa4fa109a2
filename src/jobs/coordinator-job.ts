import type { PeerIdString } from '../network/types.ts'
import type { CoordinatorStats } from './coordinator-types.ts'
import { Pace } from './credit.ts'
import { ReadyQueue } from './ready-queue.ts'
import { ReorderWindow } from './reorder-window.ts'
import type { JobProgress } from './types.ts'

/** What one worker has of one job. */
export class Share {
  /** Given out, no outcome yet. */
  readonly outstanding = new Set<number>()
  readonly pace = new Pace()
}

/** A worker as the coordinator sees it. */
export class WorkerRecord {
  readonly id: PeerIdString
  slots: number
  readonly shares = new Map<string, Share>()

  constructor(id: PeerIdString, slots: number) {
    this.id = id
    this.slots = slots
  }

  /** Chunks that run or wait there. */
  get outstanding(): number {
    let sum = 0
    for (const share of this.shares.values()) sum += share.outstanding.size
    return sum
  }

  share(job: string): Share {
    let share = this.shares.get(job)
    if (share === undefined) {
      share = new Share()
      this.shares.set(job, share)
    }
    return share
  }
}

/** A job as the coordinator sees it. */
export class JobRecord {
  readonly id: string
  readonly retriesAllowed: number
  readonly queue = new ReadyQueue()
  readonly window = new ReorderWindow()
  /** Sizes of the chunks that are held because they may have to be sent (again). */
  readonly chunkSizes = new Map<number, number>()
  chunkBytes = 0
  /** How often `run` threw, by index. */
  readonly failures = new Map<number, number>()
  readonly perPeer = new Map<PeerIdString, number>()
  state: 'accepted' | 'running' = 'accepted'
  pulling = false
  splitDone = false
  finishing = false
  outstanding = 0
  retries = 0
  /** Something changed since the last progress message. */
  progressDue = false
  #partialsSeen = 0
  #partialBytesSeen = 0
  #chunkBytesSeen = 0

  constructor(id: string, retriesAllowed: number) {
    this.id = id
    this.retriesAllowed = retriesAllowed
  }

  get total(): number | undefined {
    return this.splitDone ? this.queue.end : undefined
  }

  /** Bytes of partials that are held, or will be when all outstanding chunks return as large as the average. */
  get expectedPartialBytes(): number {
    const average = this.#partialsSeen === 0 ? 0 : this.#partialBytesSeen / this.#partialsSeen
    return this.window.bytes + average * this.outstanding
  }

  /** Average size of a chunk; undefined before the first. */
  get averageChunkBytes(): number | undefined {
    return this.queue.end === 0 ? undefined : this.#chunkBytesSeen / this.queue.end
  }

  addChunks(first: number, sizes: readonly number[]): void {
    for (let i = 0; i < sizes.length; i++) {
      const size = sizes[i]!
      this.chunkSizes.set(first + i, size)
      this.chunkBytes += size
      this.#chunkBytesSeen += size
    }
    this.queue.add(sizes.length)
  }

  /** A chunk's partial arrived and counts: the chunk will not be sent again. */
  keepPartial(index: number, bytes: number, worker: PeerIdString): void {
    this.chunkBytes -= this.chunkSizes.get(index) ?? 0
    this.chunkSizes.delete(index)
    this.failures.delete(index)
    this.window.put(index, bytes)
    this.#partialsSeen += 1
    this.#partialBytesSeen += bytes
    this.perPeer.set(worker, (this.perPeer.get(worker) ?? 0) + 1)
  }

  /** Counts one more failure of a chunk, and tells whether it may be tried again. */
  mayRetry(index: number): boolean {
    const failures = (this.failures.get(index) ?? 0) + 1
    this.failures.set(index, failures)
    return failures <= this.retriesAllowed
  }

  progress(peers: number): JobProgress {
    return { state: this.state, done: this.window.foldNext, total: this.total, peers, retries: this.retries }
  }

  stats(): CoordinatorStats {
    return { chunks: this.queue.end, retries: this.retries, perPeer: Object.fromEntries(this.perPeer) }
  }
}
