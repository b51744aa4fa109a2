/**
 * The leader's schedule as a pure state machine: which chunk goes where, what counts, what is folded when.
 *
 *     split → ready queue → workers → reorder window → fold in chunk order → finish
 *
 * It never sees a payload, only indices and sizes. What it guarantees: each index is folded once and in order; a chunk
 * whose worker is gone is given to another; the memory it causes is bounded (ready queue, window, budgets); and the
 * lowest chunk that is not folded (of a task that combines: the lowest group) can always be dispatched, so nothing that is bounded can block
 * a job for good.
 */

import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { CHUNKS_A_GROUP, groupOf } from '../../tasks/execute/group.ts'
import { TaskDurations } from '../shared/chunk-durations.ts'
import type { ChunkRecord } from '../shared/chunk-record.ts'
import { tornGroups } from '../shared/combined-groups.ts'
import type { JobProgress } from '../shared/types.ts'
import { ableWorkers } from './able-workers.ts'
import { Dispatcher } from './dispatcher.ts'
import { pullSize } from './pull.ts'
import { JobRecord, type Share, WorkerRecord } from './scheduled-job.ts'
import { chooseCopies } from './speculation.ts'
import {
  ALL_RULES,
  DEFAULT_SETTINGS,
  type LedChunks,
  ledTogether,
  NOTHING_LED,
  type OfferedChunk,
  type OutcomesEvent,
  type SchedulerEffect,
  type SchedulerEvent,
  type SchedulerLoad,
  type SchedulerRules,
  type SchedulerSettings
} from './types.ts'

const NONE: ReadonlySet<number> = new Set()

export class JobScheduler<Failure = unknown> implements Core<SchedulerEvent<Failure>, SchedulerEffect<Failure>> {
  readonly #settings: SchedulerSettings
  readonly #rules: SchedulerRules
  readonly #jobs = new Map<string, JobRecord>()
  readonly #workers = new Map<PeerIdString, WorkerRecord>()
  readonly #dispatcher: Dispatcher
  /** Workers that may still say what they have of earlier leaderships. */
  readonly #awaited = new Set<PeerIdString>()
  readonly #durations = new TaskDurations()
  /** Of jobs that have ended. */
  #ledBefore: LedChunks = NOTHING_LED
  #effects: SchedulerEffect<Failure>[] = []
  #progressTimer = false
  #offersTimer = false
  #lookTimer = false
  /** At the last look there were no slots left for more copies: an outcome may free one. */
  #moreSlow = false
  /** When it was looked for slow chunks, or was to be from then on. */
  #lookedAt = 0

  constructor(settings: Partial<SchedulerSettings> = {}, rules: Partial<SchedulerRules> = {}) {
    this.#settings = { ...DEFAULT_SETTINGS, ...settings }
    this.#rules = { ...ALL_RULES, ...rules }
    this.#dispatcher = new Dispatcher(this.#jobs, this.#workers, this.#settings, this.#rules)
  }

  handle(event: SchedulerEvent<Failure>, now: number): SchedulerEffect<Failure>[] {
    this.#effects = []
    switch (event.type) {
      case 'expected':
        this.#expected(event.workers)
        break
      case 'worker-joined':
        this.#workerGone(event.worker, 'left')
        this.#workers.set(event.worker, new WorkerRecord(event.worker, event))
        for (const [job, chunks] of event.offered ?? []) this.#offered(job, chunks, now)
        // After its offers: with the last of them it is known what nobody has.
        this.#expectNoMore([event.worker])
        break
      case 'worker-changed':
        this.#workers.get(event.worker)?.change(event)
        break
      case 'worker-gone':
        this.#workerGone(event.worker, event.why)
        if (event.why !== 'lost') this.#expectNoMore([event.worker])
        break
      case 'submitted':
        this.#submitted(event)
        break
      case 'seen':
        this.#jobs.get(event.job)?.seen(event.folded)
        break
      case 'pulled':
        this.#pulled(event, now)
        break
      case 'starting':
        this.#starting(event.worker, event.job, event.indices)
        break
      case 'outcomes':
        this.#outcomes(event)
        break
      case 'returned':
        this.#returned(event.worker, event.job, event.indices)
        break
      case 'folded': {
        const job = this.#jobs.get(event.job)
        if (job?.window.folded(event.first, event.count) !== true) break
        job.foldPace.ended(now)
        job.progressDue = true
        job.look()
        break
      }
      case 'finished':
        this.#end(event.job, 'completed')
        break
      case 'driver-failed':
        this.#end(event.job, 'failed', event.failure)
        break
      case 'cancelled':
        this.#end(event.job, 'cancelled')
        break
      case 'timer':
        if (event.name === 'progress') {
          this.#progressTimer = false
          this.#tellProgress()
        } else if (event.name === 'offers') {
          this.#expectNoMore([...this.#awaited])
        } else {
          this.#lookTimer = false
        }
        break
    }
    this.#claim(now)
    this.#dispatch(now)
    // What may be dispatched goes first: copies only get what would idle.
    if (event.type === 'outcomes' ? this.#moreSlow : event.type === 'timer' && event.name === 'look')
      this.#speculate(now)
    this.#advance(now)
    this.#startTimers(now)
    return this.#effects
  }

  /** Whether the job is known and not over. */
  has(job: string): boolean {
    return this.#jobs.has(job)
  }

  progress(job: string): JobProgress | undefined {
    const record = this.#jobs.get(job)
    return record?.progress(this.#peersOf(record))
  }

  /** What has become of each chunk of a job; it stays as it is when the job ends. */
  chunks(job: string): ChunkRecord | undefined {
    return this.#jobs.get(job)?.chunks
  }

  /** Chunks that run or wait at a worker; undefined: no such worker. */
  outstanding(worker: PeerIdString): number | undefined {
    return this.#workers.get(worker)?.outstanding
  }

  /** Whether a worker has something that is to come. */
  needs(worker: PeerIdString): boolean {
    if ((this.outstanding(worker) ?? 0) > 0) return true
    for (const { claims } of this.#jobs.values()) if (claims.hasOf(worker)) return true
    return false
  }

  /** Chunks that run at each worker: what it has been given, up to its slots. */
  busy(): Map<PeerIdString, number> {
    return new Map([...this.#workers.values()].map(worker => [worker.id, Math.min(worker.slots, worker.outstanding)]))
  }

  /** What it has done since it began: counted by the jobs, so that it costs nothing while they run. */
  led(): LedChunks {
    let led = this.#ledBefore
    for (const job of this.#jobs.values()) led = ledTogether(led, job.led())
    return led
  }

  load(): SchedulerLoad {
    const load = { unserved: 0, ready: 0, dispatched: 0, unfolded: 0, unfoldedBytes: 0 }
    for (const { unserved, queue, outstanding, window } of this.#jobs.values()) {
      load.unserved += Number(unserved)
      load.ready += queue.size
      load.dispatched += outstanding
      load.unfolded += window.count
      load.unfoldedBytes += window.bytes
    }
    return load
  }

  #expected(workers: readonly PeerIdString[]): void {
    for (const worker of workers) if (!this.#workers.has(worker)) this.#awaited.add(worker)
  }

  #expectNoMore(workers: readonly PeerIdString[]): void {
    for (const worker of workers) this.#awaited.delete(worker)
    if (this.#awaited.size > 0) return
    for (const job of this.#jobs.values()) {
      job.awaitsOffers = false
      this.#suspect(job)
    }
  }

  /** What nobody has offered may have been running at the leader that died. */
  #suspect(job: JobRecord): void {
    if (!job.awaitsOffers) job.suspect(this.#settings.self)
  }

  #submitted({ job: id, terms, from, resumed, diedWith }: SubmittedEvent): void {
    if (this.#jobs.has(id)) return
    const job = new JobRecord(id, terms, from, diedWith)
    job.remembered = terms.task === undefined ? undefined : this.#durations.get(terms.task)
    job.awaitsOffers = resumed === true && this.#awaited.size > 0 && this.#rules.awaitsOffers
    this.#jobs.set(id, job)
    // Not from the beginning of the leadership on: until the first job goes on, journals are read, which may take longer.
    if (job.awaitsOffers && !this.#offersTimer) {
      this.#offersTimer = true
      this.#effects.push({ type: 'timer', name: 'offers', delay: this.#settings.offersWithin })
    }
    this.#dispatcher.add(job)
    this.#effects.push({ type: 'state', job: id, state: 'accepted', stats: job.stats() })
  }

  #pulled(event: PulledEvent, now: number): void {
    const job = this.#jobs.get(event.job)
    if (job === undefined || !job.pulling || event.first !== job.queue.end) return
    job.pulling = false
    job.homes.roundOf = event.roundOf
    job.window.groupSize = event.combines ? CHUNKS_A_GROUP : 1
    job.addChunks(event.first, event.sizes)
    job.splitDone = event.done
    job.splitMsEach = event.msEach
    job.progressDue = true
    this.#offered(event.job, event.offered ?? [], now)
    this.#suspect(job)
  }

  /** What workers have of chunks that were pulled. */
  #offered(id: string, chunks: readonly OfferedChunk[], now: number): void {
    const job = this.#jobs.get(id)
    if (job === undefined || !this.#rules.claimsOffers) return
    const claimed = new Map<PeerIdString, number[]>()
    const unwanted = new Map<PeerIdString, number[]>()
    for (const chunk of chunks) {
      const { index, worker } = chunk
      if (!this.#workers.has(worker)) continue
      // Of most it is clear that nobody has them: all workers would have to be asked for each.
      const isFree = job.window.has(index) || job.queue.hasFresh(index)
      const holder = isFree ? undefined : this.#holderOf(job, index)
      let loser: OfferedChunk | undefined
      if (job.window.has(index) || index >= job.queue.end) loser = chunk
      else if (holder === undefined) loser = job.claims.add(chunk)
      // It has been given to somebody else meanwhile: whoever brings the partial first.
      else if (chunk.state === 'waiting' || job.copies.has(index)) loser = chunk
      else {
        job.copy(index, holder, worker)
        this.#has(job, chunk, now)
        listFor(claimed, worker).push(index)
      }
      if (loser !== undefined) listFor(unwanted, loser.worker).push(index)
    }
    for (const [worker, indices] of claimed) this.#effects.push({ type: 'claim', worker, job: id, indices })
    for (const [worker, indices] of unwanted) this.#effects.push({ type: 'cancel-chunks', worker, job: id, indices })
  }

  /** Claims what is offered, as far as there is room for it. */
  #claim(now: number): void {
    for (const job of this.#jobs.values()) {
      if (job.claims.size === 0) continue
      const claimed = new Map<PeerIdString, number[]>()
      for (let chunk = job.claims.lowest(); chunk !== undefined; chunk = job.claims.lowest()) {
        const { index, worker } = chunk
        if (!this.#dispatcher.mayRun(job, index)) break
        job.claims.delete(index)
        if (!job.queue.remove(index)) continue
        job.outstanding += 1
        this.#has(job, chunk, now)
        listFor(claimed, worker).push(index)
      }
      if (claimed.size > 0) this.#run(job)
      for (const [worker, indices] of claimed) this.#effects.push({ type: 'claim', worker, job: job.id, indices })
    }
  }

  /** A worker has a chunk, though not from this leader. */
  #has(job: JobRecord, chunk: OfferedChunk, now: number): void {
    job.claim(chunk)
    job.give(chunk.worker, [chunk.index])
    const share = this.#workers.get(chunk.worker)?.share(job)
    share?.outstanding.set(chunk.index, now)
    if (chunk.state === 'running' && this.#rules.claimsStarted) share?.started.add(chunk.index)
  }

  #holderOf(job: JobRecord, index: number): PeerIdString | undefined {
    for (const { id, shares } of this.#workers.values())
      if (shares.get(job.id)?.outstanding.has(index) === true) return id
    return undefined
  }

  #returned(worker: PeerIdString, id: string, indices: readonly number[]): void {
    const job = this.#jobs.get(id)
    const share = this.#workers.get(worker)?.shares.get(id)
    if (job === undefined) return
    for (const index of indices)
      if (share?.drop(index) === true && job.letGo(index, worker) === undefined) job.giveBack(index)
  }

  #outcomes(event: OutcomesEvent<Failure>): void {
    const job = this.#jobs.get(event.job)
    const worker = this.#workers.get(event.worker)
    const share = worker?.shares.get(event.job)
    if (job === undefined) return
    this.#lookForStrange(job, share, event)
    if (this.#rules.onlyFromHolder && share === undefined) return
    const count = event.indices.length + event.failed.length
    // What a worker had before it was asked tells nothing of how long it takes.
    if (event.busyMs > 0) share?.pace.measure(count, event.busyMs)
    job.busyMs += event.busyMs
    this.#keep(job, share, event, count)
    let lowest: { index: number; failure: Failure } | undefined
    for (const failed of event.failed) {
      const { index } = failed
      if (share?.drop(index) !== true && this.#rules.ignoreLosers) continue
      const other = job.letGo(index, event.worker)
      if (!job.mayRetry(index, event.worker)) {
        if (lowest === undefined || index < lowest.index) lowest = failed
      } else if (other === undefined) {
        job.retries += 1
        job.giveBack(index, event.worker)
      }
    }
    job.progressDue = true
    if (lowest !== undefined) this.#end(job.id, 'failed', lowest.failure)
  }

  /** Tells of outcomes of chunks that this worker never had. Where it has all of them, as nearly always, that is seen at a glance. */
  #lookForStrange(job: JobRecord, share: Share | undefined, { worker, indices, failed }: OutcomesEvent<Failure>): void {
    const strange: number[] = []
    const look = (index: number): void => {
      if (share?.outstanding.has(index) !== true && !job.given.mayHaveHad(worker, index)) strange.push(index)
    }
    for (let position = 0; position < indices.length; position++) look(indices[position]!)
    for (const { index } of failed) look(index)
    if (strange.length > 0) this.#effects.push({ type: 'never-given', worker, job: job.id, indices: strange })
  }

  #keep(job: JobRecord, share: Share | undefined, event: OutcomesEvent<Failure>, measured: number): void {
    const positions: number[] = []
    const losers = new Map<PeerIdString, number[]>()
    const counts = (index: number): boolean => share?.outstanding.has(index) === true
    const done = job.chunks.doneBy(event.worker)
    const torn = job.window.groupSize > 1 ? tornGroups(event, counts) : NONE
    for (let position = 0; position < event.indices.length; position++) {
      const index = event.indices[position]!
      const held = share?.drop(index) === true
      if (!held && this.#rules.onlyFromHolder) continue
      const other = held ? job.letGo(index, event.worker) : undefined
      if (torn.size > 0 && torn.has(groupOf(index))) {
        if (held && other === undefined) job.giveBack(index)
        continue
      }
      if (other !== undefined) {
        const lost = losers.get(other)
        if (lost === undefined) losers.set(other, [index])
        else lost.push(index)
      }
      job.keepPartial(index, event.sizes[position] ?? 0, event.worker)
      job.chunks.set(index, done)
      positions.push(position)
    }
    if (positions.length === 0) return
    if (event.busyMs > 0) job.usual.measure(positions.length, (event.busyMs * positions.length) / measured)
    this.#effects.push({ type: 'keep', job: job.id, positions })
    for (const [worker, indices] of losers) this.#cancelChunks(job, worker, indices)
  }

  #cancelChunks(job: JobRecord, worker: PeerIdString, indices: number[]): void {
    if (!this.#rules.oneCopyCounts) return
    const share = this.#workers.get(worker)?.shares.get(job.id)
    for (const index of indices) {
      share?.drop(index)
      job.letGo(index, worker)
    }
    this.#effects.push({ type: 'cancel-chunks', worker, job: job.id, indices })
  }

  #starting(worker: PeerIdString, job: string, indices: readonly number[]): void {
    const share = this.#workers.get(worker)?.shares.get(job)
    for (const index of indices) if (share?.outstanding.has(index)) share.started.add(index)
  }

  #workerGone(id: PeerIdString, how: 'died' | 'left' | 'lost'): void {
    const why = how === 'left' && !this.#rules.leavingIsNoDeath ? 'died' : how
    const worker = this.#workers.get(id)
    if (why !== 'lost') for (const job of this.#jobs.values()) job.deaths.settle(id, why === 'died')
    if (worker === undefined) return
    this.#workers.delete(id)
    for (const job of this.#jobs.values()) job.claims.forgetWorker(id)
    for (const [jobId, share] of worker.shares) {
      const job = this.#jobs.get(jobId)
      if (job === undefined) continue
      job.queue.forgetWorker(id)
      if (!this.#rules.returnChunksOfTheGone) continue
      for (const index of share.outstanding.keys()) {
        if (why !== 'left') job.deaths.add(index, { worker: id, ran: share.started.has(index), died: why === 'died' })
        const other = job.letGo(index, id)
        if (other !== undefined && this.#rules.keepCopied) continue
        job.retries += 1
        job.giveBack(index, why === 'left' ? undefined : this.#settings.self)
      }
      job.progressDue = true
    }
  }

  #end(id: string, state: 'completed' | 'failed' | 'cancelled', failure?: Failure): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#jobs.delete(id)
    job.chunks.release()
    this.#ledBefore = ledTogether(this.#ledBefore, job.led())
    if (job.terms.task !== undefined && job.usual.measured > 0) this.#durations.set(job.terms.task, job.usual.mean)
    this.#dispatcher.remove(job)
    for (const worker of this.#workers.values()) worker.shares.delete(id)
    this.#effects.push({
      type: 'state',
      job: id,
      state,
      stats: job.stats(),
      ...(failure === undefined ? {} : { failure })
    })
    this.#effects.push({ type: 'release', job: id, completed: state === 'completed' })
    this.#effects.push({ type: 'drop', job: id })
  }

  #dispatch(now: number): void {
    for (const dispatch of this.#dispatcher.dispatch(now)) {
      const job = this.#jobs.get(dispatch.job)!
      this.#run(job)
      job.dispatched += dispatch.indices.length
      job.give(dispatch.worker, dispatch.indices)
      // It may be one more peer that has some, and a long time until any of them ends.
      job.progressDue = true
      this.#effects.push({ type: 'dispatch', ...dispatch })
    }
  }

  #speculate(now: number): void {
    const { leastSlow, lookInterval } = this.#settings
    this.#moreSlow = false
    // A leader that was paused sees nothing but slow chunks: their outcomes wait to be read.
    if (now - this.#lookedAt > 2 * lookInterval) return
    const { copies, more } = chooseCopies(
      // Of a job that waits for offers, the copy may be there already.
      [...this.#jobs.values()].filter(({ awaitsOffers }) => !awaitsOffers).sort(byPriority),
      [...this.#workers.values()],
      this.#rules,
      leastSlow,
      now
    )
    this.#moreSlow = more
    for (const { job, worker, chunks } of copies) {
      for (const { index, holder } of chunks) {
        job.copy(index, holder, worker.id)
        job.speculated += 1
        worker.share(job).outstanding.set(index, now)
      }
      job.progressDue = true
      const indices = chunks.map(({ index }) => index)
      job.dispatched += indices.length
      job.given.add(worker.id, indices, job.window.foldNext)
      // Should it end both workers, there is a time at which it was certainly running.
      this.#effects.push({ type: 'dispatch', worker: worker.id, job: job.id, mode: 'announced', indices })
    }
  }

  /** Does what has become possible: fold, pull, finish. */
  #advance(now: number): void {
    for (const job of this.#jobs.values()) {
      const able = ableWorkers(job, this.#workers.values(), this.#rules.tags)
      if (job.waits(able.length === 0 && job.queue.size > 0, now, this.#settings.unservedAfter)) {
        this.#effects.push({ type: 'unserved', job: job.id, unserved: job.unserved })
      }
      const most = Math.min(this.#settings.maxFold, job.foldPace.most)
      const fold = job.window.startFold(most, this.#settings.maxFoldBytes, job.total)
      if (fold !== undefined) {
        job.foldPace.started(fold.count, now)
        this.#effects.push({ type: 'fold', job: job.id, ...fold })
      }
      if (!job.splitDone && !job.pulling) {
        const max = pullSize(job, able, this.#settings, this.#jobs.size)
        if (max > 0) {
          job.pulling = true
          this.#effects.push({ type: 'pull', job: job.id, max })
        }
      }
      if (job.splitDone && !job.finishing && job.window.foldNext === job.queue.end) {
        job.finishing = true
        this.#run(job)
        this.#effects.push({ type: 'finish', job: job.id })
      }
    }
  }

  #startTimers(now: number): void {
    const { progressInterval, lookInterval } = this.#settings
    let progressDue = false
    let look = false
    for (const job of this.#jobs.values()) {
      progressDue ||= job.progressDue
      look ||= job.terms.speculate && job.outstanding > 0
      look ||= job.unservedSince !== undefined && !job.unserved
    }
    if (progressDue && !this.#progressTimer) {
      this.#progressTimer = true
      this.#effects.push({ type: 'timer', name: 'progress', delay: progressInterval })
    }
    if (look && !this.#lookTimer) {
      this.#lookTimer = true
      this.#lookedAt = now
      this.#effects.push({ type: 'timer', name: 'look', delay: lookInterval })
    }
  }

  #run(job: JobRecord): void {
    if (job.state === 'running') return
    job.state = 'running'
    job.progressDue = true
    this.#effects.push({ type: 'state', job: job.id, state: job.state, stats: job.stats() })
  }

  #tellProgress(): void {
    for (const job of this.#jobs.values()) {
      if (!job.progressDue) continue
      job.progressDue = false
      this.#effects.push({ type: 'progress', job: job.id, progress: job.progress(this.#peersOf(job)) })
    }
  }

  #peersOf(job: JobRecord): number {
    let peers = 0
    for (const worker of this.#workers.values()) {
      if ((worker.shares.get(job.id)?.outstanding.size ?? 0) > 0) peers += 1
    }
    return peers
  }
}

type SubmittedEvent = Extract<SchedulerEvent<never>, { type: 'submitted' }>
type PulledEvent = Extract<SchedulerEvent<never>, { type: 'pulled' }>

function listFor(lists: Map<PeerIdString, number[]>, worker: PeerIdString): number[] {
  let list = lists.get(worker)
  if (list === undefined) {
    list = []
    lists.set(worker, list)
  }
  return list
}

function byPriority(a: JobRecord, b: JobRecord): number {
  return b.terms.priority - a.terms.priority
}
