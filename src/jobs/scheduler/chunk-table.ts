/**
 * The one home of what is known of each chunk of a job. A chunk goes through these states:
 *
 *     waiting → assigned → running → done → folded
 *        ↑_________|__________|
 *        failed, returned, or its worker is gone
 *
 * A chunk that a worker retains from an earlier leadership waits until it is claimed. A slow chunk may be assigned to a second worker as well: the
 * first partial counts. Every transition keeps the queue, the counts, the workers' shares and the record for viewers in step with the states.
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

/** A power of two. */
const LEAST_CELLS = 256

/** What a second worker has of a chunk. */
interface Copy {
  share: Share
  since: number
  state: typeof ASSIGNED | typeof RUNNING
}

export class ChunkTable {
  /** For viewers. */
  readonly record: ChunkRecord
  /** The waiting chunks. */
  readonly queue: ReadyQueue
  readonly lost = new LostChunks()
  readonly retained = new RetainedChunks()
  /** The workers where `run` threw, by chunk. */
  readonly failedAt = new Map<number, readonly PeerIdString[]>()
  /** How many chunks are folded together, but for the last ones. */
  groupSize = 1
  /** Chunks at a worker, or at two. */
  outstanding = 0
  /** Partials that are not folded. */
  done = 0
  /** Bytes of these partials. */
  partialBytes = 0
  /** Bytes of the chunks that are not done. */
  chunkBytes = 0
  /** Chunks that were folded under earlier leaders and are computed again. */
  recomputed = 0
  /** The first chunk of this leadership. */
  readonly #begin: number
  /** Chunks before it are folded. */
  #foldNext: number
  #folding = 0
  /** The lowest chunk that is not done. */
  #firstMissing: number
  /** Chunks from it on were never assigned. */
  #assignedEnd: number
  /** The columns are rings: the cell of a chunk is its index modulo their length. They have room for all chunks that are not folded. */
  #mask = LEAST_CELLS - 1
  #states = new Uint8Array(LEAST_CELLS)
  /** Which worker has the chunk. */
  #shares: (Share | undefined)[] = new Array<undefined>(LEAST_CELLS).fill(undefined)
  /** When the chunk should have begun to run there (ms). */
  #since = new Float64Array(LEAST_CELLS)
  /** Bytes of the chunk until it is done, then of its partial. */
  #sizes = new Uint32Array(LEAST_CELLS)
  readonly #copies = new Map<number, Copy>()
  /** Which chunks each worker has ever had: an outcome of another chunk is forged. */
  readonly #history = new Map<PeerIdString, IndexRuns>()
  /** Chunks that were claimed where they were retained. */
  readonly #claimed = new Set<number>()
  /** Chunks before it were folded under earlier leaders. */
  #seen = 0
  /** Chunks before it were looked at for {@link recomputed}. */
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

  /** The lowest chunk that is not folded. */
  get foldNext(): number {
    return this.#foldNext
  }

  /** Chunks that this leadership has folded. */
  get folded(): number {
    return this.#foldNext - this.#begin
  }

  /** How many chunks have a copy. */
  get copies(): number {
    return this.#copies.size
  }

  /** Bytes of partials that are not folded, or will be when all outstanding chunks return as large as the average. */
  get expectedPartialBytes(): number {
    const average = this.#partialsSeen === 0 ? 0 : this.#partialBytesSeen / this.#partialsSeen
    return this.partialBytes + average * this.outstanding
  }

  /** Undefined before the first chunk. */
  get averageChunkBytes(): number | undefined {
    const seen = this.queue.end - this.#begin
    return seen === 0 ? undefined : this.#chunkBytesSeen / seen
  }

  isDone(index: number): boolean {
    return index < this.#foldNext || (index < this.queue.end && this.#states[index & this.#mask] === DONE)
  }

  /** Whether a worker has the chunk, alone or beside another worker. */
  isAt(index: number, share: Share): boolean {
    if (index < this.#foldNext || index >= this.#assignedEnd) return false
    return this.#shares[index & this.#mask] === share || this.#copies.get(index)?.share === share
  }

  /** Whether a worker has, or ever had, the chunk. */
  hasHad(index: number, worker: PeerIdString): boolean {
    return this.#history.get(worker)?.mayHave(index) === true
  }

  /** The chunks that one worker alone should have begun before a time, with the time. */
  *startedBefore(time: number): Generator<{ index: number; share: Share; since: number }> {
    for (let index = this.#foldNext; index < this.#assignedEnd; index++) {
      const since = this.#since[index & this.#mask]!
      const share = this.#shares[index & this.#mask]
      if (since < time && share !== undefined && !this.#copies.has(index)) yield { index, share, since }
    }
  }

  /** The chunks that a worker has. */
  *at(share: Share): Generator<number> {
    for (let index = this.#foldNext; index < this.#assignedEnd && share.outstanding > 0; index++)
      if (this.isAt(index, share)) yield index
  }

  /** Adds chunks of `split` → waiting. */
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

  /** The lowest ready chunk for a worker: waiting → assigned. */
  assignNext(share: Share, evenAvoided: boolean, since: number): number | undefined {
    const index = this.queue.take(share.worker, evenAvoided)
    if (index !== undefined) this.#assign(index, share, since, ASSIGNED)
    return index
  }

  /** A certain chunk, if it was never assigned: waiting → assigned. Whether it was so. */
  assignFresh(index: number, share: Share, since: number): boolean {
    if (!this.queue.removeFresh(index)) return false
    this.#assign(index, share, since, ASSIGNED)
    return true
  }

  /** A chunk goes to a second worker as well. */
  copy(index: number, share: Share, since: number, state: Copy['state'] = ASSIGNED): void {
    this.#copies.set(index, { share, since, state })
    share.outstanding += 1
    share.history.add(index, this.#foldNext)
  }

  /**
   * A worker retains a chunk from an earlier leadership. A chunk that waits is claimed later. Of one that another worker has, the retaining one should
   * have a copy, unless it only waits there. Else returns the offer of this chunk that is not needed.
   */
  offer(offer: OfferedChunk): 'waits' | 'copy' | OfferedChunk {
    const { index, state } = offer
    if (this.isDone(index) || index >= this.queue.end) return offer
    if (this.#shares[index & this.#mask] === undefined) return this.retained.add(offer) ?? 'waits'
    return state === 'waiting' || this.#copies.has(index) ? offer : 'copy'
  }

  /** A retained chunk that another worker has: the retaining one has a copy from now on. */
  claimCopy(offer: OfferedChunk, share: Share, since: number, isRunning: boolean): void {
    this.#claim(offer)
    this.copy(offer.index, share, since, isRunning ? RUNNING : ASSIGNED)
    this.record.set(offer.index, this.#codeOf(share))
  }

  /** A retained chunk: waiting → assigned or running. False where it does not wait any more. */
  claim(offer: OfferedChunk, share: Share, since: number, isRunning: boolean): boolean {
    this.retained.delete(offer.index)
    if (!this.queue.remove(offer.index)) return false
    this.#claim(offer)
    this.#assign(offer.index, share, since, isRunning ? RUNNING : ASSIGNED)
    return true
  }

  /** A worker is about to run a chunk: assigned → running. */
  start(index: number, share: Share): void {
    if (!this.isAt(index, share)) return
    const copy = this.#copies.get(index)
    if (copy?.share === share) copy.state = RUNNING
    else this.#states[index & this.#mask] = RUNNING
  }

  /** The partial of a chunk is there: assigned or running → done. Returns who had the other copy, and has it no more. */
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

  /** `run` threw: assigned or running → failed, and waiting unless another worker has it. Returns how often it failed, and whether it waits. */
  fail(index: number, share: Share): { failures: number; isElsewhere: boolean } {
    const failures = [...(this.failedAt.get(index) ?? []), share.worker]
    this.failedAt.set(index, failures)
    return { failures: failures.length, isElsewhere: this.#leave(index, share) !== undefined }
  }

  /** A worker gives the chunk back, not done: waiting unless another worker has it. */
  return(index: number, share: Share): void {
    if (this.#leave(index, share) === undefined) this.requeue(index)
  }

  /** A worker is gone: its chunk is lost with it, where the loss is known. Returns whether another worker has it. */
  lose(index: number, share: Share, loss: Pick<Loss, 'died'> | undefined): boolean {
    if (loss !== undefined) {
      const copy = this.#copies.get(index)
      const state = copy?.share === share ? copy.state : this.#states[index & this.#mask]
      this.lost.add(index, { worker: share.worker, ran: state === RUNNING, died: loss.died })
    }
    return this.#leave(index, share) !== undefined
  }

  /** A chunk that no worker has any more → waiting. */
  requeue(index: number, avoid?: PeerIdString): void {
    this.#claimed.delete(index)
    this.#states[index & this.#mask] = WAITING
    this.queue.giveBack(index, avoid)
    this.record.set(index, RECORDED_WAITING)
  }

  /** A ready chunk that nobody retains may have been lost with a worker. Whether it is one. */
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
   * The next chunks to fold: a run without gaps, of at least one group. Undefined: there are none, or a fold is under way. `total`: how many chunks
   * the job has, where that is known.
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

  /** The chunks of the fold that was started: done → folded. Whether that fold was under way. */
  fold(first: number, count: number): boolean {
    if (this.#folding === 0 || first !== this.#foldNext || count !== this.#folding) return false
    for (let index = first; index < first + count; index++) this.partialBytes -= this.#sizes[index & this.#mask]!
    this.done -= count
    this.#foldNext += count
    this.#folding = 0
    this.seen(0)
    return true
  }

  /** Chunks before `folded` had been folded under earlier leaders. Those of them that were not claimed are computed again. */
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
    // So the budget knows from the beginning how large partials are.
    this.#partialsSeen += 1
    this.#partialBytesSeen += size
  }

  /** A worker has a chunk no more. Returns who has it now: the one with the other copy. */
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

  /** The end of the group that begins there, if all of it is done. */
  #endOfGroup(first: number, total = Number.POSITIVE_INFINITY): number | undefined {
    const end = Math.min(first + this.groupSize, total)
    return first < end && end <= this.#firstMissing ? end : undefined
  }

  /** Makes room for this many chunks that are not folded. */
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
