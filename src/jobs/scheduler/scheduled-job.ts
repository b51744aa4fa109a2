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
  type SchedulerStats,
  type WorkerGone,
  type WorkerTraits
} from './types.ts'

/** What one worker has of one job. */
export class Share {
  readonly worker: PeerIdString
  readonly prefetch: PrefetchWindow
  /** The chunks of the job that the worker has ever had. */
  readonly history: IndexRuns
  /** Chunks that run or wait there; {@link ChunkTable} keeps it. */
  outstanding = 0
  /** Stands for chunks of the worker in the {@link ChunkRecord}. */
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
  /** By job. */
  readonly shares = new Map<string, Share>()

  constructor(id: PeerIdString, traits: WorkerTraits) {
    this.id = id
    this.change(traits)
  }

  change({ slots = this.slots, tags = this.tags, spared = this.spared }: Partial<WorkerTraits>): void {
    Object.assign(this, { slots, tags, spared })
  }

  /** Chunks of all jobs that run or wait there. */
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

/** Which worker ran each shard of an iteration last: it gets the shard in the next round, too. */
class ShardHomes {
  /** Chunks in a round; undefined: the job is no iteration. */
  roundOf: number | undefined
  readonly #homes = new Map<number, PeerIdString>()

  ran(index: number, worker: PeerIdString): void {
    if (this.roundOf !== undefined) this.#homes.set(index % this.roundOf, worker)
  }

  /** Whether a worker has the shard of a chunk; a job that is no iteration has no shards, and any worker will do. */
  isAt(index: number, worker: PeerIdString): boolean {
    return this.roundOf === undefined || this.#homes.get(index % this.roundOf) === worker
  }
}

/** A fold should take about this long (ms): a checkpoint, and with it a hand-over, waits for the fold that is under way. */
const FOLD_MS = 50
/** Partials in a fold until it is known how long folding takes. */
const FIRST_FOLD = 256

/** How many partials of one job go into one fold, by how long the folds before took. */
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
    // A shorter time may be mostly the way to the thread and back.
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
  /** Milliseconds that a chunk of the same task took in an earlier job. */
  readonly remembered: number | undefined
  readonly homes = new ShardHomes()
  /** The leader that the job had, if it died while it may have computed. */
  readonly lostLeader: LostLeader | undefined
  state: 'accepted' | 'running' = 'accepted'
  /** Workers may still offer chunks that they retain: until they have, no chunk is dispatched. */
  awaitsOffers = false
  pulling = false
  splitDone = false
  /** How long `split` took for each of the chunks that were pulled last, in ms. */
  splitMsEach: number | undefined
  /** A cheap split was read ahead as far as it may be, and less than half of that has gone since. */
  isReadAhead = false
  finishing = false
  retries = 0
  speculated = 0
  /** Chunks dispatched to workers, all copies. */
  dispatched = 0
  /** Slot time that its chunks have taken, in ms. */
  busyMs = 0
  /** Ready chunks have had no worker for long enough to say so. */
  unserved = false
  /** Something changed since the last progress message. */
  progressDue = false
  /** Since when (ms) ready chunks have had no worker. */
  #unservedSince: number | undefined
  /** Done chunks by worker. */
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
    // A client says where its stream goes on, any number: the record needs no room for chunks before it.
    const isStream = terms.ahead !== undefined
    const record = isStream ? ChunkRecord.from({ first: next, end: next, peers: [], runs: [] }) : new ChunkRecord(next)
    this.chunks = new ChunkTable(next, record)
    this.#perPeer = new Map(Object.entries(perPeer))
  }

  get total(): number | undefined {
    return this.splitDone ? this.chunks.queue.end : undefined
  }

  /** The job waits for a worker, and it is not known yet for how long. */
  get mayBeUnserved(): boolean {
    return this.#unservedSince !== undefined && !this.unserved
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

  /** The chunks among these outcomes that their worker never had. */
  neverHad(share: Share | undefined, { worker, indices, failed }: OutcomesEvent<unknown>): number[] {
    const isStrange = (index: number): boolean =>
      !(share !== undefined && this.chunks.isAt(index, share)) && !this.chunks.hasHad(index, worker)
    return [...indices.filter(isStrange), ...failed.map(({ index }) => index).filter(isStrange)]
  }

  /**
   * Takes the partials that count.
   *
   * @returns their positions, and the chunks of them that other workers have had as well
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
      // Chunks that the worker had before it was asked for them took no time.
      if (busyMs > 0) this.usual.measure(positions.length, (busyMs * positions.length) / count)
    }
    return { positions, copies }
  }

  /** Takes the failures that count. Returns that of the lowest chunk that may not be tried again. */
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

  /** A worker is gone: its chunks go back to the queue. */
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

  /** Notes whether ready chunks have a worker; after `unservedAfter` (ms) without one the job is {@link unserved}. Returns whether that has changed. */
  serve(isServed: boolean, now: number, unservedAfter: number): boolean {
    this.#unservedSince = isServed ? undefined : (this.#unservedSince ?? now)
    const unserved = this.#unservedSince !== undefined && now - this.#unservedSince >= unservedAfter
    if (unserved === this.unserved) return false
    this.unserved = unserved
    this.progressDue = true
    return true
  }

  /** What this leadership has done of the job. */
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

/** The list of a worker, made where there is none. */
export function listFor(lists: Map<PeerIdString, number[]>, worker: PeerIdString): number[] {
  const list = lists.get(worker) ?? []
  lists.set(worker, list)
  return list
}
