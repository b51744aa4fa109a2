import type { IndexRuns } from '../../lib/index-runs.ts'
import type { PeerIdString } from '../../network/types.ts'
import { CHUNKS_A_GROUP, groupOf } from '../../tasks/execute/group.ts'
import { UsualDuration } from '../shared/chunk-durations.ts'
import { ChunkRecord } from '../shared/chunk-record.ts'
import { tornGroups } from '../shared/combined-groups.ts'
import type { JobProgress } from '../shared/types.ts'
import { ChunkTable } from './chunk-table.ts'
import { LostLeader } from './lost-workers.ts'
import { PrefetchWindow } from './prefetch-window.ts'
import type { SchedulerRules } from './rules.ts'
import {
  type EventOf,
  type Folded,
  type JobTerms,
  type LedChunks,
  NOTHING_FOLDED,
  type OutcomesEvent,
  type SchedulerLoad,
  type SchedulerStats,
  type WorkerGone,
  type WorkerTraits
} from './types.ts'

/** The share of a worker: its chunks of one job. */
export class Share {
  readonly worker: PeerIdString
  readonly prefetch: PrefetchWindow
  /** The chunks of the job that the worker has ever had. */
  readonly history: IndexRuns
  /** Number of chunks of the job that run or wait at the worker. {@link ChunkTable} updates this number. */
  outstanding = 0
  /** The code of the worker in the {@link ChunkRecord}. `undefined` until the worker gets a chunk. */
  code: number | undefined

  constructor(worker: PeerIdString, { chunks, remembered }: ScheduledJob) {
    this.worker = worker
    this.prefetch = new PrefetchWindow(remembered)
    this.history = chunks.historyOf(worker)
  }
}

export class ScheduledWorker implements WorkerTraits {
  readonly id: PeerIdString
  slots = 0
  tags: WorkerTraits['tags'] = {}
  spared = false
  /** The shares of the worker, by job. */
  readonly shares = new Map<string, Share>()

  constructor(id: PeerIdString, traits: WorkerTraits) {
    this.id = id
    this.change(traits)
  }

  change({ slots = this.slots, tags = this.tags, spared = this.spared }: Partial<WorkerTraits>): void {
    Object.assign(this, { slots, tags, spared })
  }

  /** Number of chunks of all jobs that run or wait at the worker. */
  get outstanding(): number {
    let sum = 0
    for (const share of this.shares.values()) sum += share.outstanding
    return sum
  }

  share(job: ScheduledJob): Share {
    let share = this.shares.get(job.id)
    if (share === undefined) {
      share = new Share(this.id, job)
      this.shares.set(job.id, share)
    }
    return share
  }
}

/** The worker that last ran each shard of an iteration. The same worker should get the shard in the next round. */
class ShardHomes {
  /** Number of chunks in a round. `undefined` if the job is no iteration. */
  roundOf: number | undefined
  readonly #homes = new Map<number, PeerIdString>()

  ran(index: number, worker: PeerIdString): void {
    if (this.roundOf !== undefined) this.#homes.set(index % this.roundOf, worker)
  }

  /** Whether a worker has the shard of a chunk. In a job that is no iteration, this is true for every worker. */
  isAt(index: number, worker: PeerIdString): boolean {
    return this.roundOf === undefined || this.#homes.get(index % this.roundOf) === worker
  }
}

/** The target duration of a fold (ms). It is short because a checkpoint and a handover wait for the running fold. */
const FOLD_MS = 50
/** Number of partials in a fold before the duration of folds is known. */
const FIRST_FOLD = 256

/** The number of partials in one fold of a job, adapted to the duration of earlier folds. */
export class FoldPace {
  most = FIRST_FOLD
  #count = 0
  #startedAt = 0

  started(count: number, now: number): void {
    this.#count = count
    this.#startedAt = now
  }

  ended(now: number): void {
    const took = now - this.#startedAt
    // A shorter time may be mostly the round trip to the thread.
    if (took > FOLD_MS) this.most = Math.max(1, Math.floor((this.#count * FOLD_MS) / took))
    else if (this.#count >= this.most && took < FOLD_MS / 2) this.most *= 2
  }
}

const NONE: ReadonlySet<number> = new Set()

export class ScheduledJob {
  readonly id: string
  readonly terms: JobTerms
  readonly chunks: ChunkTable
  readonly foldPace = new FoldPace()
  readonly usual = new UsualDuration()
  /** The usual time of a chunk of the same task in earlier jobs, in ms. `undefined` if the time is unknown. */
  readonly remembered: number | undefined
  readonly homes = new ShardHomes()
  /** The previous leader of the job, if that leader has died and may have computed chunks. */
  readonly lostLeader: LostLeader | undefined
  state: 'accepted' | 'running' = 'accepted'
  /** Whether live workers may still offer chunks that they retain. */
  awaitsOffers = false
  pulling = false
  splitDone = false
  /** The time that `split` took for each chunk of the last pull, in ms. */
  splitMsEach: number | undefined
  /** Whether a cheap split was read ahead up to the bound, and less than half of these chunks have been used since then. */
  isReadAhead = false
  finishing = false
  retries = 0
  speculated = 0
  /** Number of chunks that were dispatched to workers, including copies. */
  dispatched = 0
  /** The slot time that the chunks of the job have used, in ms. */
  busyMs = 0
  /** Whether ready chunks have been without a worker for so long that the job is reported as unserved. */
  unserved = false
  /** Whether the progress has changed since the last progress message. */
  progressDue = false
  #awaitsReturn = false
  /** The time (ms) from which on the ready chunks have had no worker. `undefined` while they have a worker. */
  #unservedSince: number | undefined
  /** Number of done chunks by worker. */
  readonly #perPeer: Map<PeerIdString, number>

  constructor(
    id: string,
    terms: JobTerms,
    { next, perPeer }: Folded = NOTHING_FOLDED,
    remembered?: number,
    diedWith?: PeerIdString
  ) {
    this.id = id
    this.terms = terms
    this.remembered = remembered
    this.lostLeader = diedWith === undefined ? undefined : new LostLeader(diedWith, next)
    // A client may resume its stream at any index, so the record starts at that index and has no room for earlier chunks.
    const isStream = terms.ahead !== undefined
    const record = isStream ? ChunkRecord.from({ first: next, end: next, peers: [], runs: [] }) : new ChunkRecord(next)
    this.chunks = new ChunkTable(next, record)
    this.#perPeer = new Map(Object.entries(perPeer))
  }

  /** Whether no chunk is dispatched, because a worker may still offer it. */
  get isHeldBack(): boolean {
    return this.awaitsOffers || this.#awaitsReturn
  }

  /** Handles that the job begins or ceases to wait for the offers of workers that are not back. */
  awaitReturn(isAwaiting: boolean): void {
    this.#awaitsReturn = isAwaiting
  }

  /** Whether nothing of the job was split or folded yet. */
  get isUnsplit(): boolean {
    return this.chunks.queue.end === 0 && !this.pulling && !this.splitDone
  }

  get total(): number | undefined {
    return this.splitDone ? this.chunks.queue.end : undefined
  }

  /** Whether the job may soon be unserved, or have slow chunks. */
  get needsLook(): boolean {
    const mayBeUnserved = this.#unservedSince !== undefined && !this.unserved
    return mayBeUnserved || (this.terms.speculate && this.chunks.outstanding > 0)
  }

  pulled({ sizes, done, roundOf, combines = false, msEach }: EventOf<'pulled'>): void {
    this.pulling = false
    this.homes.roundOf = roundOf
    this.chunks.groupSize = combines ? CHUNKS_A_GROUP : 1
    this.chunks.add(sizes)
    this.splitDone = done
    this.splitMsEach = msEach
    this.progressDue = true
  }

  folded({ first, count }: EventOf<'folded'>, now: number): void {
    if (!this.chunks.fold(first, count)) return
    this.foldPace.ended(now)
    this.progressDue = true
  }

  /** Returns the chunks of these outcomes that the worker never had. */
  neverHad(share: Share | undefined, { worker, indices, failed }: OutcomesEvent<unknown>): number[] {
    const isStrange = (index: number): boolean =>
      !(share !== undefined && this.chunks.isAt(index, share)) && !this.chunks.hasHad(index, worker)
    return [...indices.filter(isStrange), ...failed.map(({ index }) => index).filter(isStrange)]
  }

  /**
   * Keeps the partials that count.
   *
   * @returns their positions, and the chunks with a copy at another worker, by that worker
   */
  keep(
    share: Share,
    { indices, sizes, failed, busyMs }: OutcomesEvent<unknown>,
    rules: SchedulerRules
  ): { positions: number[]; copies: Map<PeerIdString, number[]> } {
    const { chunks } = this
    const count = indices.length + failed.length
    share.prefetch.measure(count, busyMs)
    this.busyMs += busyMs
    const positions: number[] = []
    const copies = new Map<PeerIdString, number[]>()
    const torn =
      chunks.groupSize > 1
        ? tornGroups({ indices, sizes }, index => rules.partialCounts(chunks.isAt(index, share)))
        : NONE
    for (let position = 0; position < indices.length; position++) {
      const index = indices[position]!
      if (!rules.partialCounts(chunks.isAt(index, share))) continue
      if (torn.size > 0 && torn.has(groupOf(index))) {
        chunks.return(index, share)
        continue
      }
      const other = chunks.complete(index, share, sizes[position]!)
      if (other !== undefined) listFor(copies, other.worker).push(index)
      this.homes.ran(index, share.worker)
      positions.push(position)
    }
    if (positions.length > 0) {
      this.#perPeer.set(share.worker, (this.#perPeer.get(share.worker) ?? 0) + positions.length)
      // Reattached chunks that were already done have taken no time.
      if (busyMs > 0) this.usual.measure(positions.length, (busyMs * positions.length) / count)
    }
    return { positions, copies }
  }

  /** Records the failures that count. Returns the failure of the lowest chunk that has no retries left. */
  fail<Failure>(share: Share, { failed }: OutcomesEvent<Failure>, rules: SchedulerRules): Failure | undefined {
    let lowest: { index: number; failure: Failure } | undefined
    for (const chunk of failed) {
      const { index } = chunk
      if (!rules.failureCounts(this.chunks.isAt(index, share))) continue
      const { failures, isElsewhere } = this.chunks.fail(index, share)
      if (failures > this.terms.retries) {
        if (lowest === undefined || index < lowest.index) lowest = chunk
      } else if (!isElsewhere) {
        this.retries += 1
        this.chunks.requeue(index, share.worker)
      }
    }
    return lowest?.failure
  }

  /** Puts the chunks of a worker that is gone back into the queue. */
  lose(share: Share, why: WorkerGone, rules: SchedulerRules, avoid: PeerIdString | undefined): void {
    this.chunks.queue.forgetWorker(share.worker)
    const loss = rules.losesChunks(why) ? { died: why === 'died' } : undefined
    for (const index of this.chunks.at(share)) {
      if (!rules.requeues(this.chunks.lose(index, share, loss))) continue
      this.retries += 1
      this.chunks.requeue(index, loss === undefined ? undefined : avoid)
    }
    this.progressDue = true
  }

  /**
   * Records whether ready chunks have a worker. If they have had no worker for `unservedAfter` ms, the job is {@link
   * unserved}. Returns whether `unserved` has changed.
   */
  serve(isServed: boolean, now: number, unservedAfter: number): boolean {
    this.#unservedSince = isServed ? undefined : (this.#unservedSince ?? now)
    const unserved = this.#unservedSince !== undefined && now - this.#unservedSince >= unservedAfter
    if (unserved === this.unserved) return false
    this.unserved = unserved
    this.progressDue = true
    return true
  }

  /** The job's counts under this leadership. */
  led(): LedChunks {
    const { retries: retried, speculated, dispatched } = this
    const { folded, recomputed } = this.chunks
    return { folded, retried, speculated, recomputed, dispatched }
  }

  progress(peers: number): JobProgress {
    const { state, total, retries, speculated, unserved } = this
    const { foldNext: done, recomputed } = this.chunks
    return { state, done, total, peers, retries, recomputed, speculated, unserved }
  }

  stats(): SchedulerStats {
    const { retries, speculated } = this
    const { queue, recomputed } = this.chunks
    return { chunks: queue.end, retries, recomputed, speculated, perPeer: Object.fromEntries(this.#perPeer) }
  }
}

/** Returns the present load of the jobs. */
export function loadOf(jobs: Iterable<ScheduledJob>): SchedulerLoad {
  const load = { unserved: 0, ready: 0, dispatched: 0, unfolded: 0, unfoldedBytes: 0 }
  for (const { unserved, chunks } of jobs) {
    load.unserved += Number(unserved)
    load.ready += chunks.queue.size
    load.dispatched += chunks.outstanding
    load.unfolded += chunks.done
    load.unfoldedBytes += chunks.partialBytes
  }
  return load
}

/** Returns the list of a worker. Creates an empty list if the worker has no list. */
export function listFor(lists: Map<PeerIdString, number[]>, worker: PeerIdString): number[] {
  const list = lists.get(worker) ?? []
  lists.set(worker, list)
  return list
}

/** Whether some item has the property. Makes no list of all items, because this runs at each event. */
export function some<T>(items: Iterable<T>, has: (item: T) => boolean): boolean {
  for (const item of items) if (has(item)) return true
  return false
}
