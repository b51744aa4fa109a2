import { IndexMap } from '../../lib/index-map.ts'
import type { PeerIdString } from '../../network/types.ts'
import { ChunkRecord, WAITING } from '../shared/chunk-record.ts'
import type { JobProgress } from '../shared/types.ts'
import { Claims } from './claims.ts'
import { Deaths } from './deaths.ts'
import { FoldPace } from './fold-pace.ts'
import { GivenChunks } from './given-chunks.ts'
import { PrefetchWindow } from './prefetch-window.ts'
import { ReadyQueue } from './ready-queue.ts'
import { ReorderWindow } from './reorder-window.ts'
import { ShardHomes } from './shard-homes.ts'
import {
  type Folded,
  type JobTerms,
  type LedChunks,
  NOTHING_FOLDED,
  type OfferedChunk,
  type SchedulerStats,
  type WorkerTraits
} from './types.ts'
import { UsualDuration } from './usual-duration.ts'

/** A leader that died is taken to have had at least so many chunks. */
const LEAST_SUSPECTED = 8

/** What one worker has of one job. */
export class Share {
  /** Given out, no outcome yet: with the time at which each should have begun to run. */
  readonly outstanding = new IndexMap<number>()
  /** Those of them that it said were about to run. */
  readonly started = new Set<number>()
  readonly pace: PrefetchWindow

  /** @param remembered milliseconds that a chunk of the same task took before */
  constructor(remembered?: number) {
    this.pace = new PrefetchWindow(remembered)
  }

  /** It has a chunk no more; whether it had it. */
  drop(index: number): boolean {
    this.started.delete(index)
    return this.outstanding.delete(index)
  }
}

/** A worker as the coordinator sees it. */
export class WorkerRecord implements WorkerTraits {
  readonly id: PeerIdString
  slots: number
  tags: Readonly<Record<string, string>>
  spared: boolean
  readonly shares = new Map<string, Share>()

  constructor(id: PeerIdString, { slots, tags, spared }: WorkerTraits) {
    this.id = id
    this.slots = slots
    this.tags = tags
    this.spared = spared
  }

  change({ slots, tags, spared }: Partial<WorkerTraits>): void {
    this.slots = slots ?? this.slots
    this.tags = tags ?? this.tags
    this.spared = spared ?? this.spared
  }

  /** Chunks that run or wait there. */
  get outstanding(): number {
    let sum = 0
    for (const share of this.shares.values()) sum += share.outstanding.size
    return sum
  }

  share(job: JobRecord): Share {
    let share = this.shares.get(job.id)
    if (share === undefined) {
      share = new Share(job.remembered)
      this.shares.set(job.id, share)
    }
    return share
  }
}

/** A job as the coordinator sees it. */
export class JobRecord {
  readonly id: string
  readonly terms: JobTerms
  readonly queue: ReadyQueue
  readonly window: ReorderWindow
  readonly foldPace = new FoldPace()
  /** Sizes of the chunks that are held because they may have to be sent (again). */
  readonly chunkSizes = new IndexMap<number>()
  chunkBytes = 0
  /** Where `run` threw, by index. */
  readonly failures = new Map<number, PeerIdString[]>()
  /** Chunks that two workers have: which. */
  readonly copies = new Map<number, Set<PeerIdString>>()
  /** What workers had that are gone. */
  readonly deaths = new Deaths()
  /** What workers have ever had. */
  readonly given = new GivenChunks()
  /** What workers have of earlier leaderships. */
  readonly claims = new Claims()
  /** Workers may still say that they have something of it: until they have, nothing is given out. */
  awaitsOffers = false
  readonly usual = new UsualDuration()
  /** Milliseconds that a chunk of the same task took in an earlier job. */
  remembered: number | undefined
  readonly perPeer = new Map<PeerIdString, number>()
  /** What has become of each chunk, for whoever wants to see it. */
  readonly chunks: ChunkRecord
  state: 'accepted' | 'running' = 'accepted'
  pulling = false
  splitDone = false
  /** How long `split` took for each of the chunks that were pulled last, in ms. */
  splitMsEach: number | undefined
  /** As much of a cheap split as may be has been read ahead, and less than half of that has gone since. */
  isReadAhead = false
  finishing = false
  /** Chunks that are at a worker, or at two. */
  outstanding = 0
  retries = 0
  speculated = 0
  /** Chunks given to workers, all copies. */
  dispatched = 0
  /** Slot time that its chunks have taken, in ms. */
  busyMs = 0
  /** What it counts as having had of it without having had it ({@link FairShares}). */
  headStart = 0
  /** Since when (ms) there has been no worker for chunks that are ready. */
  unservedSince: number | undefined
  /** That has lasted long enough to be told. */
  unserved = false
  /** Something changed since the last progress message. */
  progressDue = false
  /** Of an iteration. */
  readonly homes = new ShardHomes()
  readonly #first: number
  /** The leader that the job had, and that died while it may have computed. */
  readonly #diedWith: PeerIdString | undefined
  /** Chunks before it have been looked at for whether that leader may have had them. */
  #suspectedTo: number
  #suspected = 0
  /** What workers have brought along. */
  readonly #claimed = new Set<number>()
  /** Chunks before it had been folded under earlier leaders. */
  #seen = 0
  /** Those before it have been looked at for whether they were computed again. */
  #looked: number
  #recomputed = 0
  #partialsSeen = 0
  #partialBytesSeen = 0
  #chunkBytesSeen = 0

  constructor(id: string, terms: JobTerms, from: Folded = NOTHING_FOLDED, diedWith?: PeerIdString) {
    this.id = id
    this.terms = terms
    this.#diedWith = diedWith
    this.#first = from.next
    this.#suspectedTo = from.next
    this.#looked = from.next
    this.queue = new ReadyQueue(from.next)
    this.window = new ReorderWindow(from.next)
    const { next } = from
    // Where a stream goes on is what its client says: any number, and there is no room to be made for what is before it.
    this.chunks =
      terms.ahead === undefined
        ? new ChunkRecord(next)
        : ChunkRecord.from({ first: next, end: next, peers: [], runs: [] })
    for (const [peer, chunks] of Object.entries(from.perPeer)) this.perPeer.set(peer, chunks)
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
    const seen = this.queue.end - this.#first
    return seen === 0 ? undefined : this.#chunkBytesSeen / seen
  }

  addChunks(first: number, sizes: ArrayLike<number>): void {
    for (let i = 0; i < sizes.length; i++) {
      const size = sizes[i]!
      this.chunkSizes.set(first + i, size)
      this.chunkBytes += size
      this.#chunkBytesSeen += size
    }
    this.queue.add(sizes.length)
    this.chunks.add(sizes.length)
  }

  /** A worker has been given these, or has them from before. */
  give(worker: PeerIdString, indices: readonly number[]): void {
    this.given.add(worker, indices, this.window.foldNext)
    const code = this.chunks.givenTo(worker)
    for (const index of indices) this.chunks.set(index, code)
  }

  /** A chunk's partial arrived and counts: the chunk will not be sent again. */
  keepPartial(index: number, bytes: number, worker: PeerIdString): void {
    this.chunkBytes -= this.chunkSizes.get(index) ?? 0
    this.chunkSizes.delete(index)
    this.failures.delete(index)
    this.deaths.forget(index)
    this.window.put(index, bytes)
    this.homes.ran(index, worker)
    this.#partialsSeen += 1
    this.#partialBytesSeen += bytes
    this.perPeer.set(worker, (this.perPeer.get(worker) ?? 0) + 1)
  }

  /** A second worker has a chunk. */
  copy(index: number, first: PeerIdString, second: PeerIdString): void {
    this.copies.set(index, new Set([first, second]))
  }

  /** What a worker has of a chunk is to count. */
  claim({ index, size, state }: OfferedChunk): void {
    this.#claimed.add(index)
    if (state !== 'held') return
    // So the budget knows from the beginning how large partials are.
    this.#partialsSeen += 1
    this.#partialBytesSeen += size
  }

  /**
   * The first chunks that nobody offers may have been at the leader that died: it gave out the lowest ones, to itself as well, and about as
   * many as to others.
   *
   * @param avoid - who should not run them
   */
  suspect(avoid: PeerIdString | undefined): void {
    if (this.#diedWith === undefined) return
    const most = LEAST_SUSPECTED + 2 * this.claims.mostOfOne
    for (; this.#suspected < most && this.#suspectedTo < this.queue.end; this.#suspectedTo++) {
      const index = this.#suspectedTo
      if (this.claims.has(index) || !this.queue.remove(index)) continue
      this.deaths.add(index, { worker: this.#diedWith, ran: false, died: true })
      this.queue.giveBack(index, avoid)
      this.#suspected += 1
    }
  }

  /** A chunk goes back to the queue. */
  giveBack(index: number, avoid?: PeerIdString): void {
    this.#claimed.delete(index)
    this.queue.giveBack(index, avoid)
    this.chunks.set(index, WAITING)
  }

  /** Somebody knows that so many chunks had been folded under earlier leaders. */
  seen(folded: number): void {
    this.#seen = Math.max(this.#seen, folded)
    this.look()
  }

  /** Counts what has been computed again. */
  look(): void {
    const end = Math.min(this.#seen, this.window.foldNext)
    for (; this.#looked < end; this.#looked++) if (!this.#claimed.delete(this.#looked)) this.#recomputed += 1
  }

  /** A worker has a chunk no more; returns who else has it. */
  letGo(index: number, worker: PeerIdString): PeerIdString | undefined {
    const holders = this.copies.get(index)
    if (holders === undefined) {
      this.outstanding -= 1
      return undefined
    }
    this.copies.delete(index)
    for (const other of holders) {
      if (other === worker) continue
      this.chunks.set(index, this.chunks.givenTo(other))
      return other
    }
    return undefined
  }

  /** Counts one more failure of a chunk, and tells whether it may be tried again. */
  mayRetry(index: number, worker: PeerIdString): boolean {
    const failures = [...this.failedAt(index), worker]
    this.failures.set(index, failures)
    return failures.length <= this.terms.retries
  }

  failedAt(index: number): readonly PeerIdString[] {
    return this.failures.get(index) ?? []
  }

  /** Takes in whether it has chunks and no worker for them; whether {@link unserved} has changed. */
  waits(waits: boolean, now: number, unservedAfter: number): boolean {
    this.unservedSince = waits ? (this.unservedSince ?? now) : undefined
    const unserved = this.unservedSince !== undefined && now - this.unservedSince >= unservedAfter
    if (unserved === this.unserved) return false
    this.unserved = unserved
    this.progressDue = true
    return true
  }

  /** What its leader has done of it so far. */
  led(): LedChunks {
    const { retries: retried, speculated, dispatched } = this
    const folded = this.window.foldNext - this.#first
    return { folded, retried, speculated, recomputed: this.#recomputed, dispatched }
  }

  progress(peers: number): JobProgress {
    const { state, total, retries, speculated, unserved } = this
    const recomputed = this.#recomputed
    return { state, done: this.window.foldNext, total, peers, retries, recomputed, speculated, unserved }
  }

  stats(): SchedulerStats {
    const { retries, speculated } = this
    const perPeer = Object.fromEntries(this.perPeer)
    return { chunks: this.queue.end, retries, recomputed: this.#recomputed, speculated, perPeer }
  }
}
