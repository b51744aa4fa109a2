/**
 * The state of each chunk of a job, in one place. A chunk goes through these states:
 *
 *     waiting → assigned → running → done → folded
 *        ↑_________|__________|
 *        failed, returned, or its worker is gone
 *
 * A chunk that a worker retains from an earlier leadership waits until it is claimed. A slow chunk may also be assigned
 * to a second worker: the first partial counts. Each transition updates the queue, the counts, the workers' shares and
 * the viewers' record together with the state.
 */
import { IndexRuns } from '../../lib/index-runs.ts'
import type { PeerIdString } from '../../network/types.ts'
import { type ChunkRecord, WAITING as RECORDED_WAITING } from '../shared/chunk-record.ts'
import { type Loss, LostChunks } from './lost-workers.ts'
import { ReadyQueue, RetainedChunks } from './ready-queue.ts'
import type { Share } from './scheduled-job.ts'
import type { OfferedChunk } from './types.ts'

const WAITING = 0
const ASSIGNED = 1
const RUNNING = 2
const DONE = 3

/** The initial number of cells, a power of two. */
const LEAST_CELLS = 256

/** The copy of a chunk at a second worker. */
interface Copy {
  share: Share
  since: number
  state: typeof ASSIGNED | typeof RUNNING
}

export class ChunkTable {
  /** The record of the chunks for viewers. */
  readonly record: ChunkRecord
  /** The waiting chunks. */
  readonly queue: ReadyQueue
  readonly lost = new LostChunks()
  readonly retained = new RetainedChunks()
  /** The workers where `run` threw, by chunk. */
  readonly failedAt = new Map<number, readonly PeerIdString[]>()
  /** Number of chunks that are folded together. The last group may be smaller. */
  groupSize = 1
  /** Number of chunks that one worker or two workers have. */
  outstanding = 0
  /** Number of partials that are not folded. */
  done = 0
  /** Bytes of the partials that are not folded. */
  partialBytes = 0
  /** Bytes of the chunks that are not done. */
  chunkBytes = 0
  /** Number of chunks that were folded under earlier leaders and are computed again. */
  recomputed = 0
  /** The index of the first chunk under this leadership. */
  readonly #begin: number
  /** The index before which all chunks are folded. */
  #foldNext: number
  #folding = 0
  /** The index of the lowest chunk that is not done. */
  #firstMissing: number
  /** The index from which on no chunk was ever assigned. */
  #assignedEnd: number
  /** The columns are rings with room for all unfolded chunks. The cell of a chunk is its index modulo the length of the ring. */
  #mask = LEAST_CELLS - 1
  #states = new Uint8Array(LEAST_CELLS)
  /** The share of the worker that has the chunk. */
  #shares: (Share | undefined)[] = new Array<undefined>(LEAST_CELLS).fill(undefined)
  /** The time (ms) at which the chunk should have begun to run at its worker. */
  #since = new Float64Array(LEAST_CELLS)
  /** Bytes of the chunk. After the chunk is done, bytes of its partial. */
  #sizes = new Uint32Array(LEAST_CELLS)
  readonly #copies = new Map<number, Copy>()
  /** The chunks that each worker has ever had. An outcome of another chunk is forged. */
  readonly #history = new Map<PeerIdString, IndexRuns>()
  /** Chunks that were claimed from a worker that retained them. */
  readonly #claimed = new Set<number>()
  /** The index before which all chunks were folded under earlier leaders. */
  #seen = 0
  /** The index before which {@link recomputed} has counted the chunks. */
  #looked: number
  #chunkBytesSeen = 0
  #partialsSeen = 0
  #partialBytesSeen = 0

  constructor(first: number, record: ChunkRecord) {
    this.record = record
    this.#begin = first
    this.#foldNext = first
    this.#firstMissing = first
    this.#assignedEnd = first
    this.#looked = first
    this.queue = new ReadyQueue(first)
  }

  /** The index of the lowest chunk that is not folded. */
  get foldNext(): number {
    return this.#foldNext
  }

  /** Number of chunks that this leadership has folded. */
  get folded(): number {
    return this.#foldNext - this.#begin
  }

  /** Number of chunks with a copy. */
  get copies(): number {
    return this.#copies.size
  }

  /** The expected bytes of the unfolded partials, if all outstanding chunks return partials of average size. */
  get expectedPartialBytes(): number {
    const average = this.#partialsSeen === 0 ? 0 : this.#partialBytesSeen / this.#partialsSeen
    return this.partialBytes + average * this.outstanding
  }

  /** The average size of a chunk, in bytes. `undefined` before the first chunk. */
  get averageChunkBytes(): number | undefined {
    const seen = this.queue.end - this.#begin
    return seen === 0 ? undefined : this.#chunkBytesSeen / seen
  }

  isDone(index: number): boolean {
    return index < this.#foldNext || (index < this.queue.end && this.#states[index & this.#mask] === DONE)
  }

  /** Whether a worker has the chunk, alone or together with another worker. */
  isAt(index: number, share: Share): boolean {
    if (index < this.#foldNext || index >= this.#assignedEnd) return false
    return this.#shares[index & this.#mask] === share || this.#copies.get(index)?.share === share
  }

  /** Whether a worker has, or ever had, the chunk. */
  hasHad(index: number, worker: PeerIdString): boolean {
    return this.#history.get(worker)?.mayHave(index) === true
  }

  /** Yields each chunk that only one worker has and that should have begun before `time`, with the time at which it should have begun. */
  *startedBefore(time: number): Generator<{ index: number; share: Share; since: number }> {
    for (let index = this.#foldNext; index < this.#assignedEnd; index++) {
      const since = this.#since[index & this.#mask]!
      const share = this.#shares[index & this.#mask]
      if (since < time && share !== undefined && !this.#copies.has(index)) yield { index, share, since }
    }
  }

  /** The indices of a worker's chunks. */
  *at(share: Share): Generator<number> {
    for (let index = this.#foldNext; index < this.#assignedEnd && share.outstanding > 0; index++)
      if (this.isAt(index, share)) yield index
  }

  /** Adds chunks from `split` → waiting. */
  add(sizes: ArrayLike<number>): void {
    const first = this.queue.end
    this.#reserve(first + sizes.length - this.#foldNext)
    for (let i = 0; i < sizes.length; i++) {
      const cell = (first + i) & this.#mask
      this.#states[cell] = WAITING
      this.#sizes[cell] = sizes[i]!
      this.chunkBytes += sizes[i]!
      this.#chunkBytesSeen += sizes[i]!
    }
    this.queue.add(sizes.length)
    this.record.add(sizes.length)
  }

  /** Assigns the lowest ready chunk to a worker: waiting → assigned. */
  assignNext(share: Share, evenAvoided: boolean, since: number): number | undefined {
    const index = this.queue.take(share.worker, evenAvoided)
    if (index !== undefined) this.#assign(index, share, since, ASSIGNED)
    return index
  }

  /** Assigns a given chunk, if it was never assigned: waiting → assigned. Returns whether it was assigned. */
  assignFresh(index: number, share: Share, since: number): boolean {
    if (!this.queue.removeFresh(index)) return false
    this.#assign(index, share, since, ASSIGNED)
    return true
  }

  /** Assigns a chunk to a second worker as well. */
  copy(index: number, share: Share, since: number, state: Copy['state'] = ASSIGNED): void {
    this.#copies.set(index, { share, since, state })
    share.outstanding += 1
    share.history.add(index, this.#foldNext)
  }

  /**
   * Handles that a worker retains a chunk from an earlier leadership. If the chunk waits, it is claimed later ("waits"). If the chunk runs at
   * another worker, the retaining worker should get a copy ("copy"). Otherwise returns the unneeded offer of this chunk.
   */
  offer(offer: OfferedChunk): 'waits' | 'copy' | OfferedChunk {
    const { index, state } = offer
    if (this.isDone(index) || index >= this.queue.end) return offer
    if (this.#shares[index & this.#mask] === undefined) return this.retained.add(offer) ?? 'waits'
    return state === 'waiting' || this.#copies.has(index) ? offer : 'copy'
  }

  /** Claims a retained chunk that another worker also has. The retaining worker gets the second copy. */
  claimCopy(offer: OfferedChunk, share: Share, since: number, isRunning: boolean): void {
    this.#claim(offer)
    this.copy(offer.index, share, since, isRunning ? RUNNING : ASSIGNED)
    this.record.set(offer.index, this.#codeOf(share))
  }

  /** Claims a retained chunk: waiting → assigned or running. Returns false if the chunk does not wait any more. */
  claim(offer: OfferedChunk, share: Share, since: number, isRunning: boolean): boolean {
    this.retained.delete(offer.index)
    if (!this.queue.remove(offer.index)) return false
    this.#claim(offer)
    this.#assign(offer.index, share, since, isRunning ? RUNNING : ASSIGNED)
    return true
  }

  /** Records that a worker starts a chunk: assigned → running. */
  start(index: number, share: Share): void {
    if (!this.isAt(index, share)) return
    const copy = this.#copies.get(index)
    if (copy?.share === share) copy.state = RUNNING
    else this.#states[index & this.#mask] = RUNNING
  }

  /** Records that the partial of a chunk has arrived: assigned or running → done. Returns the share of the worker whose copy must be dropped. */
  complete(index: number, share: Share, bytes: number): Share | undefined {
    const other = this.#leave(index, share)
    if (other !== undefined) this.#leave(index, other)
    const cell = index & this.#mask
    this.chunkBytes -= this.#sizes[cell]!
    this.#states[cell] = DONE
    this.#sizes[cell] = bytes
    this.done += 1
    this.partialBytes += bytes
    this.#partialsSeen += 1
    this.#partialBytesSeen += bytes
    this.failedAt.delete(index)
    this.lost.delete(index)
    this.record.set(index, this.#codeOf(share) + 1)
    while (this.#firstMissing < this.#assignedEnd && this.#states[this.#firstMissing & this.#mask] === DONE)
      this.#firstMissing += 1
    return other
  }

  /** Records that `run` threw: assigned or running → failed, and then waiting unless another worker has the chunk. */
  fail(index: number, share: Share): { failures: number; isElsewhere: boolean } {
    const failures = [...(this.failedAt.get(index) ?? []), share.worker]
    this.failedAt.set(index, failures)
    return { failures: failures.length, isElsewhere: this.#leave(index, share) !== undefined }
  }

  /** Records that a worker returns a chunk that it has not run: → waiting, unless another worker has the chunk. */
  return(index: number, share: Share): void {
    if (this.#leave(index, share) === undefined) this.requeue(index)
  }

  /** Records that the worker of a chunk is gone, and records the loss if `loss` is given. Returns whether another worker has the chunk. */
  lose(index: number, share: Share, loss: Pick<Loss, 'died'> | undefined): boolean {
    if (loss !== undefined) {
      const copy = this.#copies.get(index)
      const state = copy?.share === share ? copy.state : this.#states[index & this.#mask]
      this.lost.add(index, { worker: share.worker, ran: state === RUNNING, died: loss.died })
    }
    return this.#leave(index, share) !== undefined
  }

  /** Puts a chunk that no worker has any more back into the queue: → waiting. */
  requeue(index: number, avoid?: PeerIdString): void {
    this.#claimed.delete(index)
    this.#states[index & this.#mask] = WAITING
    this.queue.giveBack(index, avoid)
    this.record.set(index, RECORDED_WAITING)
  }

  /** Marks a ready chunk that no worker retains as possibly lost with a worker. Returns whether the chunk was marked. */
  suspect(index: number, loss: Loss, avoid: PeerIdString | undefined): boolean {
    if (this.retained.has(index) || !this.queue.remove(index)) return false
    this.lost.add(index, loss)
    this.requeue(index, avoid)
    return true
  }

  historyOf(worker: PeerIdString): IndexRuns {
    const history = this.#history.get(worker) ?? new IndexRuns()
    this.#history.set(worker, history)
    return history
  }

  /**
   * Returns the next chunks to fold: a run without gaps, of at least one group. Returns `undefined` if there is no
   * such run, or a fold is running. `total`: the number of chunks of the job, if known.
   */
  startFold(maxCount: number, maxBytes: number, total?: number): { first: number; count: number } | undefined {
    if (this.#folding > 0) return undefined
    let count = 0
    let bytes = 0
    for (let end = this.#endOfGroup(this.#foldNext, total); end !== undefined; ) {
      for (let index = this.#foldNext + count; index < end; index++) bytes += this.#sizes[index & this.#mask]!
      if (count > 0 && (bytes > maxBytes || end - this.#foldNext > maxCount)) break
      count = end - this.#foldNext
      end = this.#endOfGroup(end, total)
    }
    if (count === 0) return undefined
    this.#folding = count
    return { first: this.#foldNext, count }
  }

  /** Records that the running fold has ended: its chunks go from done to folded. Returns whether this fold was running. */
  fold(first: number, count: number): boolean {
    if (this.#folding === 0 || first !== this.#foldNext || count !== this.#folding) return false
    for (let index = first; index < first + count; index++) this.partialBytes -= this.#sizes[index & this.#mask]!
    this.done -= count
    this.#foldNext += count
    this.#folding = 0
    this.seen(0)
    return true
  }

  /** Records that the chunks before `folded` were folded under earlier leaders. Counts the chunks that were not claimed as recomputed. */
  seen(folded: number): void {
    this.#seen = Math.max(this.#seen, folded)
    const end = Math.min(this.#seen, this.#foldNext)
    for (; this.#looked < end; this.#looked++) if (!this.#claimed.delete(this.#looked)) this.recomputed += 1
  }

  #codeOf(share: Share): number {
    share.code ??= this.record.givenTo(share.worker)
    return share.code
  }

  #assign(index: number, share: Share, since: number, state: Copy['state']): void {
    const cell = index & this.#mask
    this.#states[cell] = state
    this.#shares[cell] = share
    this.#since[cell] = since
    this.#assignedEnd = Math.max(this.#assignedEnd, index + 1)
    this.outstanding += 1
    share.outstanding += 1
    share.history.add(index, this.#foldNext)
    this.record.set(index, this.#codeOf(share))
  }

  #claim({ index, size, state }: OfferedChunk): void {
    this.#claimed.add(index)
    if (state !== 'held') return
    // With this size the budget knows the size of partials from the start.
    this.#partialsSeen += 1
    this.#partialBytesSeen += size
  }

  /** Takes a chunk from a worker. Returns the share of the worker with the other copy, if there is one. */
  #leave(index: number, share: Share): Share | undefined {
    share.outstanding -= 1
    const cell = index & this.#mask
    const copy = this.#copies.size === 0 ? undefined : this.#copies.get(index)
    if (copy === undefined) {
      this.#shares[cell] = undefined
      this.outstanding -= 1
      return undefined
    }
    this.#copies.delete(index)
    if (copy.share !== share) {
      this.#shares[cell] = copy.share
      this.#since[cell] = copy.since
      this.#states[cell] = copy.state
    }
    const other = this.#shares[cell]!
    this.record.set(index, this.#codeOf(other))
    return other
  }

  /** Returns the end of the group that begins at `first`. Returns `undefined` unless the whole group is done. */
  #endOfGroup(first: number, total = Number.POSITIVE_INFINITY): number | undefined {
    const end = Math.min(first + this.groupSize, total)
    return first < end && end <= this.#firstMissing ? end : undefined
  }

  /** Makes room for this many unfolded chunks. */
  #reserve(count: number): void {
    let cells = this.#states.length
    while (cells < count) cells *= 2
    if (cells === this.#states.length) return
    const [mask, states, shares, since, sizes] = [this.#mask, this.#states, this.#shares, this.#since, this.#sizes]
    this.#mask = cells - 1
    this.#states = new Uint8Array(cells)
    this.#shares = new Array<undefined>(cells).fill(undefined)
    this.#since = new Float64Array(cells)
    this.#sizes = new Uint32Array(cells)
    for (let index = this.#foldNext; index < this.queue.end; index++) {
      const from = index & mask
      const to = index & this.#mask
      this.#states[to] = states[from]!
      this.#shares[to] = shares[from]
      this.#since[to] = since[from]!
      this.#sizes[to] = sizes[from]!
    }
  }
}
