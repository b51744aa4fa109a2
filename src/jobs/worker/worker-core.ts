import pDefer from 'p-defer'
import { InvalidMessageError } from '../../common/errors.ts'
import { DEFAULT_LIMITS } from '../../common/limits.ts'
import type { Channel } from '../../network/types.ts'
import { CHUNK_TIMEOUT } from '../../tasks/execute/failure.ts'
import type { Outcomes } from '../../tasks/executor.ts'
import { NOTHING_PACKED, unpack } from '../../tasks/values/pack.ts'
import { MAX_CHUNKS_A_MESSAGE } from '../protocol/wire-parts.ts'
import type { BatchMessage, LeaderSays, ValuesMessage, WorkerSays, WorkMessage } from '../protocol/work-messages.ts'
import { TaskDurations } from '../shared/chunk-durations.ts'
import type { ChunkCounts, WorkerCounts } from '../shared/job-counts.ts'
import type { JobSpans } from '../shared/job-spans.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import { CodeRequests } from './code-requests.ts'
import { evictAbove, type SignedBatch } from './in-flight-chunks.ts'
import type { PartialsDisk, RestoredPartials } from './partials-disk.ts'
import { runBatch } from './run-batch.ts'
import { ValueCache } from './value-cache.ts'
import { whenHashed } from './when-hashed.ts'
import { loadFailures, type RunningBatch, WorkerJob } from './worker-job.ts'

/** The longest remembered duration of a task's chunks that is used, in ms. The duration of longer chunks is soon measured. */
const REMEMBERED_MS = 1
const FORGED_VALUE = 'the leader sent another value than the state or shard to which the chunk refers'

/** The leadership that a worker works for. */
interface Session {
  channel: Channel<WorkMessage>
  epoch: number
}

/** The core of a worker. Chunks wait in the order of arrival, and run when threads are free. When the leader changes, they continue for the next leader. */
export class WorkerCore {
  readonly #runner: Runner
  /**
   * The most bytes of partials, over all jobs, that are retained until a checkpoint covers them. Without a retained
   * partial, a chunk is computed again when its leader dies.
   */
  readonly #retainBytes: number
  readonly #disk: PartialsDisk | undefined
  readonly #durations = new TaskDurations()
  readonly #spans: JobSpans | undefined
  /** The shards and states of all iterations. */
  readonly #values: ValueCache
  readonly #jobs = new Map<string, WorkerJob>()
  readonly #code: CodeRequests
  #session: Session | undefined
  readonly #runs = new Set<Promise<void>>()
  readonly #counts: ChunkCounts = { completed: 0, failed: 0, 'timed-out': 0, cancelled: 0, returned: 0 }
  #stopped = false
  #leaving = false
  /** Resolves when the leader needs nothing more from this worker. */
  readonly #dismissed = pDefer<void>()

  /** @param parts - `retainBytes`: 0 if there can be no next leader */
  constructor(parts: {
    runner: Runner
    codeStore: CodeKeeper
    retainBytes?: number
    disk?: PartialsDisk | undefined
    valueBytes?: number
    spans?: JobSpans | undefined
  }) {
    this.#spans = parts.spans
    this.#runner = parts.runner
    this.#code = new CodeRequests({
      codeStore: parts.codeStore,
      request: sha256 => this.#say({ type: 'code-request', sha256 }),
      onKept: () => this.#feed(),
      onFailed: (sha256, error) => {
        for (const job of this.#jobs.values()) if (job.sha256 === sha256) this.#fail(job, job.takeWaiting(), error)
      }
    })
    this.#retainBytes = parts.retainBytes ?? DEFAULT_LIMITS.heldBytes
    this.#values = new ValueCache(parts.valueBytes ?? DEFAULT_LIMITS.valueBytes)
    this.#disk = parts.disk
    const restored = this.#disk?.begin({ jobs: () => this.#jobs.values(), mostBytes: this.#retainBytes })
    for (const each of restored ?? []) this.#restore(each)
    evictAbove(this.#retainBytes, [...this.#jobs.values()])
  }

  #restore({ job: id, sha256, batch, partials, stored }: RestoredPartials): void {
    // The job id belongs to another submission than before.
    if (this.#jobs.get(id)?.sha256 !== sha256) this.#release(id)
    const job = this.#jobs.get(id) ?? this.#open({ job: id, sha256 })
    job.inFlight.restore(batch, partials, stored)
  }

  get session(): Session | undefined {
    return this.#session
  }

  counts(): WorkerCounts {
    return { busy: this.#runs.size, chunks: { ...this.#counts } }
  }

  /** Starts to work for a leader. Names the chunks in flight to the leader, and then sends the hello. */
  begin(session: Session): void {
    this.leaderGone()
    this.#values.leaderBegins()
    this.#session = session
    for (const { id, sha256, inFlight } of this.#jobs.values())
      for (const batch of inFlight.batches()) this.#say({ type: 'in-flight', job: id, sha256, ...batch })
    this.#say({ type: 'hello', slots: this.#runner.slots, leaving: this.#leaving })
  }

  /** Continues without a leader until the next leader calls. Running chunks continue, and waiting chunks begin. */
  leaderGone(): void {
    this.#session = undefined
    this.#code.leaderGone()
    for (const job of this.#jobs.values()) {
      // Announced chunks cannot begin without the `go` of a leader.
      for (const batch of job.batches) {
        if (batch.mode !== 'announced' || !job.announced.has(batch.indices[0]!)) continue
        this.#drop(job, batch.indices)
        batch.stop(new Error('the leader to which these chunks were announced is gone'))
      }
      this.#drop(job, job.waiting.dropAnnounced())
      this.#drop(job, job.shardRound.dropAnnounced())
      job.shardRound.leaderGone()
      job.outcomes.clear()
      job.inFlight.leaderGone()
      job.hasReader = false
      // Without the code, the job's chunks cannot run.
      if (!this.#code.has(job.sha256)) this.#drop(job, job.takeWaiting())
      if (job.inFlight.isEmpty) this.#forget(job, new Error('its leader is gone'))
    }
  }

  handle(message: Exclude<LeaderSays, { type: 'welcome' }>): void {
    switch (message.type) {
      case 'batch':
        this.#enqueue(message)
        break
      case 'reattach':
        this.#reattach(message)
        break
      case 'covered':
        this.#jobs.get(message.job)?.inFlight.covered(message.next)
        break
      case 'release':
        this.#release(message.job)
        break
      case 'go':
        this.#jobs.get(message.job)?.announced.get(message.indices[0]!)?.()
        break
      case 'cancel-chunks':
        this.#cancelChunks(message.job, message.indices)
        break
      case 'code':
        this.#code.keep(message.sha256, message.code)
        break
      case 'values':
        this.#keepValues(message)
        break
      case 'dismissed':
        if (this.#leaving) this.#dismissed.resolve()
        break
    }
    this.#feed()
  }

  /** Takes no more chunks, and returns the waiting chunks. Resolves when no leader needs this worker any more. */
  leave(): Promise<void> {
    if (!this.#leaving) {
      this.#leaving = true
      for (const job of this.#jobs.values()) this.#sayReturned(job, job.takeWaiting())
      this.#say({ type: 'leaving' })
      if (this.#jobs.size === 0) this.#dismissed.resolve()
    }
    return this.#dismissed.promise
  }

  /** Stops all chunks, and drops their outcomes. */
  stop(reason: Error): void {
    this.#stopped = true
    this.#disk?.close()
    this.#session = undefined
    for (const job of this.#jobs.values()) this.#forget(job, reason)
    this.#values.clear()
    this.#dismissed.resolve()
  }

  /** Resolves when the running chunks have ended and their threads are free. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#runs)
  }

  /** Returns chunks that have not run to the leader. */
  #sayReturned(job: WorkerJob, indices: readonly number[]): void {
    if (indices.length === 0) return
    job.inFlight.drop(indices)
    this.#counts.returned += indices.length
    this.#say({ type: 'returned', job: job.id, indices })
  }

  /** Gives waiting chunks to free threads. */
  #feed(): void {
    while (!this.#stopped && this.#runs.size < this.#runner.slots) {
      const job = this.#nextJob()
      if (job === undefined) return
      this.#run(job)
    }
  }

  /** Returns the job to run next: of the jobs with the highest priority, the job that has waited longest. */
  #nextJob(): WorkerJob | undefined {
    let next: WorkerJob | undefined
    for (const job of this.#jobs.values()) {
      if (job.waiting.size === 0 || !this.#code.isReady(job.sha256)) continue
      if (next === undefined || job.priority > next.priority) next = job
    }
    if (next !== undefined) {
      this.#jobs.delete(next.id)
      this.#jobs.set(next.id, next)
    }
    return next
  }

  #enqueue(message: BatchMessage): void {
    const { job: id, mode, indices, chunks, digests, seal } = message
    if (this.#jobs.get(id)?.isOf(message) === false) this.#release(id)
    const job = this.#jobs.get(id) ?? this.#open(message)
    const { channel, epoch } = this.#session!
    job.begin(message)
    // The values are copied, because views would keep the whole message in memory.
    const proof = { digests: Uint8Array.from(digests), seal: Uint8Array.from(seal) }
    job.inFlight.give({ leader: channel.remote, epoch, indices, ...proof })
    job.waiting.add(job.shardRound.add({ indices, ...chunks }, mode), mode)
    if (this.#leaving) this.#sayReturned(job, job.takeWaiting())
    this.#ask(job, indices)
  }

  #open({ job: id, sha256 }: Pick<BatchMessage, 'job' | 'sha256'>): WorkerJob {
    const job: WorkerJob = new WorkerJob(id, sha256, {
      values: this.#values,
      keeper: this.#disk,
      remembered: this.#durations.get(sha256),
      hasLeader: () => this.#session !== undefined,
      // The lines are sent at once. Otherwise the outcomes that follow would overtake the lines.
      sendLines: lines => this.#session!.channel.send({ epoch: this.#session!.epoch, type: 'log', job: id, lines }),
      sendOutcomes: outcomes => this.#say({ ...outcomes, submissionId: job.submissionId! })
    })
    this.#jobs.set(id, job)
    return job
  }

  /** Reattaches chunks that were in flight under an earlier leader. */
  #reattach({ job: id, submissionId, indices, digests, seal }: Extract<LeaderSays, { type: 'reattach' }>): void {
    const job = this.#jobs.get(id)
    const { channel, epoch } = this.#session!
    const batch: SignedBatch = { leader: channel.remote, epoch, indices, digests, seal }
    const { retained, missing } = job?.inFlight.reattach(batch) ?? { retained: NOTHING_PACKED, missing: indices }
    if (missing.length > 0) this.#say({ type: 'returned', job: id, indices: missing })
    if (job === undefined) return
    // The leader may have another submission id for the same job.
    job.submissionId = submissionId
    job.beginOutput()
    job.outcomes.add({ partials: retained, failed: [] }, 0)
    if (job.batches.size === 0) job.outcomes.flush()
    if (this.#leaving) this.#sayReturned(job, job.takeWaiting())
    this.#ask(job, indices)
  }

  /** Asks the leader for the shards and states that these chunks lack. */
  #ask(job: WorkerJob, indices: readonly number[]): void {
    const ids = job.shardRound.wanted(indices)
    for (let from = 0; from < ids.length; from += MAX_CHUNKS_A_MESSAGE)
      this.#say({ type: 'values-request', job: job.id, ids: ids.slice(from, from + MAX_CHUNKS_A_MESSAGE) })
  }

  /** Handles the answer to `values-request`. Returns the chunks that need a missing value: they belong to an earlier leader or round. */
  #keepValues({ job: id, ids, values, missing }: ValuesMessage): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#sayReturned(job, job.shardRound.without(missing))
    const parts = unpack(values)
    const asked = ids.flatMap((id, i) => (job.shardRound.hasAsked(id) ? [{ id, bytes: parts[i]! }] : []))
    if (asked.length === 0) return
    whenHashed(asked, hashes => {
      if (this.#jobs.get(id) !== job) return
      const [genuine, forged] = [new Map<string, Uint8Array>(), [] as string[]]
      for (const [i, { id, bytes }] of asked.entries()) {
        if (hashes[i] === id) genuine.set(id, bytes)
        else forged.push(id)
      }
      for (const { mode, chunks } of job.shardRound.came(genuine)) job.waiting.add(chunks, mode)
      // A new request would be useless, because the same leader would send the same value again.
      this.#fail(job, job.shardRound.without(forged), new InvalidMessageError(FORGED_VALUE))
      this.#feed()
    })
  }

  /** Reports chunks as failed that this worker cannot load. */
  #fail(job: WorkerJob, indices: readonly number[], error: unknown): void {
    if (indices.length > 0) this.#keep(job, { partials: NOTHING_PACKED, failed: loadFailures(indices, error) }, 0)
  }

  #run(job: WorkerJob): void {
    const { slots } = this.#runner
    const mode = job.waiting.mode!
    const chunks = job.shardRound.whole(job.waiting.take(job.countToRun(mode, slots, slots - this.#runs.size)))
    const { sha256, chunkTimeout, combine } = job
    const times = this.#spans !== undefined
    const epoch = this.#session?.epoch
    const controller = new AbortController()
    const { signal } = controller
    const { indices } = chunks
    job.inFlight.start(indices)
    const onOutcomes = (outcomes: Outcomes, busyMs: number): void => {
      job.measured(outcomes.partials.indices.length + outcomes.failed.length, busyMs)
      if (outcomes.times !== undefined) this.#spans?.ran(job.id, epoch, outcomes.times, outcomes.failed)
      if (!signal.aborted) this.#keep(job, outcomes, busyMs)
    }
    const run = runBatch(
      mode,
      this.#runner,
      { sha256, chunks, signal, chunkTimeout, combine, times },
      { onOutcomes, onLog: line => job.lines.add(line) },
      indices => job.announce(indices, signal, () => this.#say({ type: 'starting', job: job.id, indices }))
    )
    const batch: RunningBatch = {
      mode,
      indices,
      cancel: index => run.cancel(index),
      stop: reason => controller.abort(reason)
    }
    job.batches.add(batch)
    const over = run
      .catch((error: unknown) => {
        if (signal.aborted) return
        const own = new Set(indices)
        const left = job.inFlight.running().filter(index => own.has(index))
        onOutcomes({ partials: NOTHING_PACKED, failed: loadFailures(left, error) }, 0)
      })
      .finally(() => {
        this.#runs.delete(over)
        job.batches.delete(batch)
        this.#feed()
        if (!signal.aborted) job.flushIfDue(this.#runner.slots)
      })
    this.#runs.add(over)
  }

  /** Retains the partials, and sends the outcomes that the leader waits for. */
  #keep(job: WorkerJob, outcomes: Outcomes, busyMs: number): void {
    this.#counts.completed += outcomes.partials.indices.length
    for (const { failure } of outcomes.failed)
      this.#counts[failure.name === CHUNK_TIMEOUT ? 'timed-out' : 'failed'] += 1
    const indices = job.complete(outcomes, busyMs, this.#runner.slots)
    if (this.#retainBytes === 0) job.inFlight.drop(indices)
    else evictAbove(this.#retainBytes, [...this.#jobs.values()])
  }

  /** Drops chunks in any state: waiting, running, or with a retained partial. */
  #drop(job: WorkerJob, indices: readonly number[]): void {
    this.#counts.cancelled += job.inFlight.countPending(indices)
    job.inFlight.drop(indices)
  }

  /** Drops chunks that the leader has cancelled, because another worker was faster or has taken them over. */
  #cancelChunks(id: string, indices: readonly number[]): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    const running = indices.filter(index => job.inFlight.isRunning(index))
    job.waiting.drop(new Set(indices))
    job.shardRound.drop(indices)
    this.#drop(job, indices)
    for (const batch of job.batches) for (const index of running) batch.cancel(index)
  }

  #release(id: string): void {
    this.#values.release(id)
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#forget(job, new Error(`job ${id} is over`))
    // A leader answers only for jobs that it has, so the next job with this code must ask again.
    if (![...this.#jobs.values()].some(({ sha256 }) => sha256 === job.sha256)) this.#code.forget(job.sha256)
  }

  #forget(job: WorkerJob, reason: Error): void {
    this.#jobs.delete(job.id)
    job.inFlight.forget()
    if (job.duration !== undefined && job.duration <= REMEMBERED_MS) this.#durations.set(job.sha256, job.duration)
    else if (job.duration !== undefined) this.#durations.delete(job.sha256)
    for (const batch of job.batches) this.#drop(job, batch.indices)
    this.#drop(job, job.takeWaiting())
    job.outcomes.clear()
    job.lines.stop()
    for (const batch of job.batches) batch.stop(reason)
  }

  #say(message: WorkerSays): void {
    // A message lost with its channel is not repeated: the worker names its chunks to the next leader.
    this.#session?.channel.send({ epoch: this.#session.epoch, ...message }).catch(() => {})
  }
}
