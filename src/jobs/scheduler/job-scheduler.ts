/**
 * The leader's schedule as a pure state machine: which worker runs which chunk, which outcomes count, when partials are
 * folded.
 *
 *     split → ready queue → workers → fold in chunk order → finish
 *
 * The scheduler never sees a payload, only indices and sizes. It guarantees that each index is folded once and in
 * order; that the chunk of a lost worker goes to another worker; that memory is bounded (ready queue, window, budgets);
 * and that the lowest unfolded chunk (or group, if the task combines) can always be dispatched, so no bound can block a
 * job forever.
 */
import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { TaskDurations } from '../shared/chunk-durations.ts'
import type { ChunkRecord } from '../shared/chunk-record.ts'
import type { JobProgress } from '../shared/types.ts'
import type { ChunkTable } from './chunk-table.ts'
import { ableWorkers, Dispatcher, type SchedulerState } from './dispatch.ts'
import { pullSize } from './prefetch-window.ts'
import { type SchedulerRules, schedulerRules } from './rules.ts'
import { listFor, loadOf, ScheduledJob, ScheduledWorker, type Share, some } from './scheduled-job.ts'
import { chooseCopies } from './speculation.ts'
import {
  DEFAULT_SETTINGS,
  type EventOf,
  type JobTerms,
  type LedChunks,
  ledTogether,
  NOTHING_LED,
  type OfferedChunk,
  type OutcomesEvent,
  type SchedulerEffect,
  type SchedulerEvent,
  type SchedulerLoad,
  type SchedulerSettings,
  type WorkerGone
} from './types.ts'

export class JobScheduler<Failure = unknown> implements Core<SchedulerEvent<Failure>, SchedulerEffect<Failure>> {
  readonly #jobs = new Map<string, ScheduledJob>()
  readonly #workers = new Map<PeerIdString, ScheduledWorker>()
  readonly #state: SchedulerState
  readonly #dispatcher: Dispatcher
  /** The workers that may still offer chunks that they retain from earlier leaderships. */
  readonly #awaited = new Set<PeerIdString>()
  readonly #durations = new TaskDurations()
  /** The counts of jobs that have ended. */
  #ledBefore: LedChunks = NOTHING_LED
  #effects: SchedulerEffect<Failure>[] = []
  #progressTimer = false
  #offersTimer = false
  #lookTimer = false
  /** Whether the last search for stragglers found too few free slots. An outcome may free a slot. */
  #moreSlow = false
  /** The time at which the timer `look` was last started. */
  #lookedAt = 0

  constructor(settings: Partial<SchedulerSettings> = {}, rules: Partial<SchedulerRules> = {}) {
    this.#state = {
      jobs: this.#jobs,
      workers: this.#workers,
      settings: { ...DEFAULT_SETTINGS, ...settings },
      rules: { ...schedulerRules, ...rules },
      able: new WeakMap()
    }
    this.#dispatcher = new Dispatcher(this.#state)
  }

  handle(event: SchedulerEvent<Failure>, now: number): SchedulerEffect<Failure>[] {
    this.#effects = []
    this.#take(event, now)
    if (event.type.startsWith('worker-')) this.#state.able = new WeakMap()
    this.#claim(now)
    this.#dispatch(now)
    // Ordinary chunks are dispatched first, because copies only get slots that would idle.
    if (event.type === 'outcomes' ? this.#moreSlow : event.type === 'timer' && event.name === 'look')
      this.#speculate(now)
    this.#advance(now)
    this.#startTimers(now)
    return this.#effects
  }

  /** Returns the progress of a job. Returns `undefined` if the job is unknown or has ended. */
  progress(job: string): JobProgress | undefined {
    const record = this.#jobs.get(job)
    return record?.progress(this.#peersOf(record))
  }

  /** Returns the record of the state of each chunk of a job. The record remains usable when the job has ended. */
  chunks(job: string): ChunkRecord | undefined {
    return this.#jobs.get(job)?.chunks.record
  }

  /** Whether some worker can run chunks of a job. */
  isServed(terms: JobTerms): boolean {
    return ableWorkers({ terms }, this.#state).length > 0
  }

  /** Returns the number of chunks that run or wait at a worker. Returns `undefined` if the worker is unknown. */
  outstanding(worker: PeerIdString): number | undefined {
    return this.#workers.get(worker)?.outstanding
  }

  /** Whether the leader needs outcomes from a worker. */
  needs(worker: PeerIdString): boolean {
    return (
      (this.outstanding(worker) ?? 0) > 0 || some(this.#jobs.values(), ({ chunks }) => chunks.retained.isAt(worker))
    )
  }

  /** Returns the number of chunks that run at each worker: its outstanding chunks, but at most its slots. */
  busy(): Map<PeerIdString, number> {
    return new Map([...this.#workers.values()].map(worker => [worker.id, Math.min(worker.slots, worker.outstanding)]))
  }

  /** Returns the counts of this leadership. Adds up the counts of all jobs at each call. */
  led(): LedChunks {
    return [...this.#jobs.values()].reduce((led, job) => ledTogether(led, job.led()), this.#ledBefore)
  }

  load(): SchedulerLoad {
    return loadOf(this.#jobs.values())
  }

  #take(event: SchedulerEvent<Failure>, now: number): void {
    switch (event.type) {
      case 'expected':
        for (const worker of event.workers) if (!this.#workers.has(worker)) this.#awaited.add(worker)
        break
      case 'worker-joined':
        this.#workerGone(event.worker, 'left')
        this.#workers.set(event.worker, new ScheduledWorker(event.worker, event))
        for (const [job, chunks] of event.offered ?? []) this.#offered(job, chunks, now)
        // This comes after the offers, because the offers of the last worker show which chunks no worker has.
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
      case 'awaits-return':
        this.#jobs.get(event.job)?.awaitReturn(event.isAwaiting)
        break
      case 'seen':
        this.#jobs.get(event.job)?.chunks.seen(event.folded)
        break
      case 'pulled':
        this.#pulled(event, now)
        break
      case 'starting':
        this.#eachAt(event, (chunks, index, share) => chunks.start(index, share))
        break
      case 'returned':
        this.#eachAt(event, (chunks, index, share) => chunks.return(index, share))
        break
      case 'outcomes':
        this.#outcomes(event)
        break
      case 'folded':
        this.#jobs.get(event.job)?.folded(event, now)
        break
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
        if (event.name === 'progress') this.#tellProgress()
        else if (event.name === 'offers') this.#expectNoMore([...this.#awaited])
        else this.#lookTimer = false
        break
    }
  }

  #expectNoMore(workers: readonly PeerIdString[]): void {
    for (const worker of workers) this.#awaited.delete(worker)
    if (this.#awaited.size > 0) return
    for (const job of this.#jobs.values()) {
      job.awaitsOffers = false
      job.lostLeader?.suspect(job.chunks, this.#state.settings.self)
    }
  }

  #submitted({ job: id, terms, from, resumed = false, diedWith }: EventOf<'submitted'>): void {
    if (this.#jobs.has(id)) return
    const remembered = terms.task === undefined ? undefined : this.#durations.get(terms.task)
    const job = new ScheduledJob(id, terms, from, remembered, diedWith)
    job.awaitsOffers = this.#state.rules.awaitsOffers(resumed, this.#awaited.size)
    this.#jobs.set(id, job)
    // The timer starts with the first resumed job, because reading the journals before may take longer than the timer.
    if (job.awaitsOffers && !this.#offersTimer) {
      this.#offersTimer = true
      this.#effects.push({ type: 'timer', name: 'offers', delay: this.#state.settings.offersWithin })
    }
    this.#dispatcher.add(job)
    this.#effects.push({ type: 'state', job: id, state: 'accepted', stats: job.stats() })
  }

  #pulled(event: EventOf<'pulled'>, now: number): void {
    const job = this.#jobs.get(event.job)
    if (job === undefined || !job.pulling || event.first !== job.chunks.queue.end) return
    job.pulled(event)
    this.#offered(event.job, event.offered ?? [], now)
    if (!job.awaitsOffers) job.lostLeader?.suspect(job.chunks, this.#state.settings.self)
  }

  /** Handles the offers of workers for pulled chunks. */
  #offered(id: string, offers: readonly OfferedChunk[], now: number): void {
    const { rules } = this.#state
    const job = this.#jobs.get(id)
    if (job === undefined || !rules.acceptsOffers()) return
    const copied = new Map<PeerIdString, number[]>()
    const unwanted = new Map<PeerIdString, number[]>()
    for (const offer of offers) {
      const worker = this.#workers.get(offer.worker)
      if (worker === undefined) continue
      const result = job.chunks.offer(offer)
      if (result === 'copy') {
        job.chunks.claimCopy(offer, worker.share(job), now, rules.countsAsRunning(offer.state))
        listFor(copied, offer.worker).push(offer.index)
      } else if (result !== 'waits') listFor(unwanted, result.worker).push(offer.index)
    }
    for (const [worker, indices] of copied) this.#effects.push({ type: 'claim', worker, job: id, indices })
    for (const [worker, indices] of unwanted) this.#effects.push({ type: 'cancel-chunks', worker, job: id, indices })
  }

  /** Claims retained chunks in order, as far as window and budget allow. */
  #claim(now: number): void {
    for (const job of this.#jobs.values()) {
      const { chunks } = job
      if (chunks.retained.size === 0) continue
      const claimed = new Map<PeerIdString, number[]>()
      for (let offer = chunks.retained.lowest(); offer !== undefined; offer = chunks.retained.lowest()) {
        const { index, worker, state } = offer
        if (!this.#dispatcher.mayRun(job, index)) break
        const share = this.#workers.get(worker)!.share(job)
        if (chunks.claim(offer, share, now, this.#state.rules.countsAsRunning(state)))
          listFor(claimed, worker).push(index)
      }
      if (claimed.size > 0) this.#run(job)
      for (const [worker, indices] of claimed) this.#effects.push({ type: 'claim', worker, job: job.id, indices })
    }
  }

  /** Calls `act` for each of the chunks that the worker has. */
  #eachAt(
    { worker, job, indices }: EventOf<'starting' | 'returned'>,
    act: (chunks: ChunkTable, index: number, share: Share) => void
  ): void {
    const chunks = this.#jobs.get(job)?.chunks
    const share = this.#workers.get(worker)?.shares.get(job)
    if (chunks === undefined || share === undefined) return
    for (const index of indices) if (chunks.isAt(index, share)) act(chunks, index, share)
  }

  #outcomes(event: OutcomesEvent<Failure>): void {
    const { worker, job: id } = event
    const job = this.#jobs.get(id)
    const share = this.#workers.get(worker)?.shares.get(id)
    if (job === undefined) return
    const strange = job.neverHad(share, event)
    if (strange.length > 0) this.#effects.push({ type: 'never-given', worker, job: id, indices: strange })
    if (share === undefined) return
    const { positions, copies } = job.keep(share, event, this.#state.rules)
    if (positions.length > 0) this.#effects.push({ type: 'keep', job: id, positions })
    if (this.#state.rules.cancelsCopies())
      for (const [worker, indices] of copies) this.#effects.push({ type: 'cancel-chunks', worker, job: id, indices })
    const failure = job.fail(share, event, this.#state.rules)
    job.progressDue = true
    if (failure !== undefined) this.#end(id, 'failed', failure)
  }

  #workerGone(id: PeerIdString, why: WorkerGone): void {
    const { rules, settings } = this.#state
    const worker = this.#workers.get(id)
    this.#workers.delete(id)
    for (const job of this.#jobs.values()) {
      if (why !== 'lost') job.chunks.lost.settle(id, why === 'died')
      job.chunks.retained.forgetWorker(id)
      const share = worker?.shares.get(job.id)
      if (share !== undefined) job.lose(share, why, rules, settings.self)
    }
  }

  #end(id: string, state: 'completed' | 'failed' | 'cancelled', failure?: Failure): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#jobs.delete(id)
    job.chunks.record.release()
    this.#ledBefore = ledTogether(this.#ledBefore, job.led())
    if (job.terms.task !== undefined && job.usual.measured > 0) this.#durations.set(job.terms.task, job.usual.mean)
    this.#dispatcher.remove(job)
    for (const worker of this.#workers.values()) worker.shares.delete(id)
    const stats = job.stats()
    this.#effects.push({ type: 'state', job: id, state, stats, ...(failure === undefined ? {} : { failure }) })
    this.#effects.push({ type: 'release', job: id, completed: state === 'completed' })
  }

  #dispatch(now: number): void {
    for (const dispatch of this.#dispatcher.dispatch(now)) {
      const job = this.#jobs.get(dispatch.job)!
      this.#run(job)
      job.dispatched += dispatch.indices.length
      // One more peer may have chunks of the job now. It may take long until a chunk ends, so the progress is reported before.
      job.progressDue = true
      this.#effects.push(dispatch)
    }
  }

  #speculate(now: number): void {
    this.#moreSlow = false
    // To a leader that was suspended all chunks look slow, because their outcomes are still unread.
    if (now - this.#lookedAt > 2 * this.#state.settings.lookInterval) return
    const { copies, more } = chooseCopies(this.#state, now)
    this.#moreSlow = more
    for (const { job, worker, indices } of copies) {
      for (const index of indices) job.chunks.copy(index, worker.share(job), now)
      job.speculated += indices.length
      job.dispatched += indices.length
      job.progressDue = true
      // The copy is announced, so that the leader knows that the chunk was running at one worker if the chunk kills both workers.
      this.#effects.push({ type: 'dispatch', worker: worker.id, job: job.id, mode: 'announced', indices })
    }
  }

  /** Folds, pulls and finishes each job as far as this is possible now. */
  #advance(now: number): void {
    const { maxFold, maxFoldBytes, maxUnserved, unservedAfter } = this.#state.settings
    let unserved = 0
    for (const job of this.#jobs.values()) {
      const { id, chunks, foldPace } = job
      const able = ableWorkers(job, this.#state)
      if (able.length === 0) unserved += 1
      // A job that is split has a thread, so only the first jobs are split before some worker can run them.
      const isAsleep = able.length === 0 && job.isUnsplit && unserved > maxUnserved
      if (job.serve(able.length > 0 || (chunks.queue.size === 0 && !isAsleep), now, unservedAfter))
        this.#effects.push({ type: 'unserved', job: id, unserved: job.unserved })
      const fold = chunks.startFold(Math.min(maxFold, foldPace.most), maxFoldBytes, job.total)
      if (fold !== undefined) {
        foldPace.started(fold.count, now)
        this.#effects.push({ type: 'fold', job: id, ...fold })
      }
      if (!job.splitDone && !job.pulling && !isAsleep) {
        const max = pullSize(job, able, this.#state)
        job.pulling = max > 0
        if (job.pulling) this.#effects.push({ type: 'pull', job: id, max })
      }
      if (!job.finishing && chunks.foldNext === job.total) {
        job.finishing = true
        this.#run(job)
        this.#effects.push({ type: 'finish', job: id })
      }
    }
  }

  #startTimers(now: number): void {
    const { progressInterval: delay, lookInterval } = this.#state.settings
    if (!this.#progressTimer && some(this.#jobs.values(), ({ progressDue }) => progressDue)) {
      this.#progressTimer = true
      this.#effects.push({ type: 'timer', name: 'progress', delay })
    }
    if (!this.#lookTimer && some(this.#jobs.values(), ({ needsLook }) => needsLook)) {
      this.#lookTimer = true
      this.#lookedAt = now
      this.#effects.push({ type: 'timer', name: 'look', delay: lookInterval })
    }
  }

  #run(job: ScheduledJob): void {
    if (job.state === 'running') return
    job.state = 'running'
    job.progressDue = true
    this.#effects.push({ type: 'state', job: job.id, state: job.state, stats: job.stats() })
  }

  #tellProgress(): void {
    this.#progressTimer = false
    for (const job of this.#jobs.values()) {
      if (!job.progressDue) continue
      job.progressDue = false
      this.#effects.push({ type: 'progress', job: job.id, progress: job.progress(this.#peersOf(job)) })
    }
  }

  /** Returns the number of workers with chunks of the job. */
  #peersOf({ id }: ScheduledJob): number {
    return [...this.#workers.values()].filter(({ shares }) => (shares.get(id)?.outstanding ?? 0) > 0).length
  }
}
