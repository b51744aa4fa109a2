import { hash, webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { DEFAULT_LIMITS } from '../../common/limits.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Channel } from '../../network/types.ts'
import { CHUNK_TIMEOUT } from '../../tasks/execute/failure.ts'
import { CHUNKS_A_GROUP, isGroupShort } from '../../tasks/execute/group.ts'
import type { Outcomes } from '../../tasks/executor.ts'
import { type IndexedPack, NOTHING_PACKED, unpack } from '../../tasks/values/pack.ts'
import { LogLineBatcher } from '../protocol/log-line-batcher.ts'
import { MAX_CHUNKS_A_MESSAGE, MAX_PAYLOAD_BYTES, type WorkerLogLine } from '../protocol/wire-parts.ts'
import type { BatchMessage, LeaderSays, ValuesMessage, WorkerSays, WorkMessage } from '../protocol/work-messages.ts'
import { withCombined } from '../scheduler/combined.ts'
import { TaskDurations } from '../scheduler/task-durations.ts'
import type { RunMode } from '../scheduler/types.ts'
import type { ChunkCounts, WorkerCounts } from '../shared/job-counts.ts'
import type { JobSpans } from '../shared/job-spans.ts'
import type { CodeKeeper, Runner } from '../shared/runner.ts'
import { InFlightChunks, type SignedBatch } from './in-flight-chunks.ts'
import { FLUSH_AFTER, OutcomeBatcher } from './outcome-batcher.ts'
import { runBatch } from './run-batch.ts'
import { ShardRoundChunks } from './shard-round-chunks.ts'
import { ValueCache } from './value-cache.ts'
import { WaitingChunks } from './waiting-chunks.ts'

/** How much work (ms) a thread takes at once: long enough that starting it costs little, short enough to share evenly. */
const WORK_AT_ONCE = 50
const MOST_AT_ONCE = 16_384
/** Of chunks that are announced: should their peer die, the leader takes all of them for running. */
const MOST_ANNOUNCED = 16
/** What chunks of a task took in an earlier job counts where it was at most so long (ms): of longer ones, one shows soon enough. */
const REMEMBERED_MS = 1
/** Outcomes wait no longer than this (ms) for others. */
const MOST_HELD = 100
/** Weight of the newest measurement of a chunk's duration. */
const WEIGHT = 0.4
/** Of values up to so many bytes the SHA-256 is taken at once: that takes some ms. */
const HASHED_AT_ONCE = 4 * 2 ** 20

/** Chunks that run on one thread, one after the other. */
interface RunningBatch {
  mode: RunMode
  indices: readonly number[]
  /** The chunk is not wanted any more; those behind it are. */
  cancel(index: number): void
  stop(reason: Error): void
}

interface WorkJob {
  id: string
  /** As the leader says. */
  submissionId: string
  sha256: string
  /** The longest that a chunk may run, in ms. */
  chunkTimeout: number | undefined
  priority: number
  /** Groups are combined here. */
  combine: boolean
  /** All that there is of it. */
  inFlight: InFlightChunks
  /** What its threads run. */
  batches: Set<RunningBatch>
  outcomes: OutcomeBatcher
  lines: LogLineBatcher<WorkerLogLine>
  /** The leader has said something of the job: it wants to hear what it prints. */
  hasReader: boolean
  waiting: WaitingChunks
  /** Of an iteration: what its chunks refer to. Those that lack something are here, and do not wait for a thread yet. */
  referenced: ShardRoundChunks
  /** Called when the leader knows that chunks begin: by the first of them. */
  announced: Map<number, () => void>
  /** ms a chunk, smoothed. */
  duration: number | undefined
  /** The same of an earlier job of its task. */
  remembered: number | undefined
}

/** Whom a worker works for. */
interface Session {
  channel: Channel<WorkMessage>
  epoch: number
}

/**
 * What a worker does, whoever leads: chunks wait in the order in which they came, and run as threads are free. When a leadership ends,
 * what it gave goes on, and the next one is offered it.
 */
export class WorkerCore {
  readonly #runner: Runner
  readonly #codeStore: CodeKeeper
  /** Partials that no checkpoint covers are held up to so many bytes, of all jobs: what is more is computed again when a leader dies. */
  readonly #retainBytes: number
  readonly #durations = new TaskDurations()
  /** Undefined: nobody traces, and no thread says when what ran. */
  readonly #spans: JobSpans | undefined
  /** What iterations refer to, of all jobs: what does not fit is fetched again. */
  readonly #values: ValueCache
  readonly #jobs = new Map<string, WorkJob>()
  /** Bundles that were asked for. */
  readonly #awaited = new Set<string>()
  #session: Session | undefined
  /** What threads run, each until its thread is free. */
  readonly #runs = new Set<Promise<void>>()
  readonly #counts: ChunkCounts = { completed: 0, failed: 0, 'timed-out': 0, cancelled: 0, returned: 0 }
  #stopped = false
  #leaving = false
  /** Resolves when nothing of this worker is needed any more. */
  readonly #dismissed = deferred<void>()

  /** @param parts - `retainBytes`: 0 where there is no next leader to hold anything for */
  constructor(parts: {
    runner: Runner
    codeStore: CodeKeeper
    retainBytes?: number
    valueBytes?: number
    spans?: JobSpans | undefined
  }) {
    this.#spans = parts.spans
    this.#runner = parts.runner
    this.#codeStore = parts.codeStore
    this.#retainBytes = parts.retainBytes ?? DEFAULT_LIMITS.heldBytes
    this.#values = new ValueCache(parts.valueBytes ?? DEFAULT_LIMITS.valueBytes)
  }

  get session(): Session | undefined {
    return this.#session
  }

  counts(): WorkerCounts {
    return { busy: this.#runs.size, chunks: { ...this.#counts } }
  }

  /** Works for a leader from now on: offers what there is, and then says hello. */
  begin(session: Session): void {
    this.leaderGone()
    this.#values.leaderBegins()
    this.#session = session
    for (const { id, sha256, inFlight } of this.#jobs.values())
      for (const batch of inFlight.batches()) this.#say({ type: 'in-flight', job: id, sha256, ...batch })
    this.#say({ type: 'hello', slots: this.#runner.slots, leaving: this.#leaving })
  }

  /** Works for nobody until the next leader calls: what runs goes on, and what waits is begun. */
  leaderGone(): void {
    this.#session = undefined
    this.#awaited.clear()
    for (const job of this.#jobs.values()) {
      // Nobody has been asked whether these may begin, or can answer.
      for (const batch of job.batches) {
        if (batch.mode !== 'announced' || !job.announced.has(batch.indices[0]!)) continue
        this.#drop(job, batch.indices)
        batch.stop(new Error('the leader that was to know of these chunks is gone'))
      }
      this.#drop(job, job.waiting.dropAnnounced())
      this.#drop(job, job.referenced.dropAnnounced())
      job.referenced.leaderGone()
      job.outcomes.clear()
      job.inFlight.leaderGone()
      job.hasReader = false
      // Without its code there is nothing but chunks that wait.
      if (!this.#codeStore.has(job.sha256) || job.inFlight.isEmpty) this.#forget(job, new Error('its leader is gone'))
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
        this.#keepCode(message.sha256, message.code)
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

  /** Takes no more chunks, and gives back those that wait. Resolves when no leader needs anything of this worker any more. */
  leave(): Promise<void> {
    if (!this.#leaving) {
      this.#leaving = true
      for (const job of this.#jobs.values()) this.#giveBack(job)
      this.#say({ type: 'leaving' })
      if (this.#jobs.size === 0) this.#dismissed.resolve()
    }
    return this.#dismissed.promise
  }

  /** Stops all that runs: what is left of it counts for nobody. */
  stop(reason: Error): void {
    this.#stopped = true
    this.#session = undefined
    for (const job of this.#jobs.values()) this.#forget(job, reason)
    this.#values.clear()
    this.#dismissed.resolve()
  }

  /** Resolves when what runs now has ended, and its threads are free. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#runs)
  }

  #giveBack(job: WorkJob): void {
    this.#sayReturned(job, [...job.waiting.clear(), ...job.referenced.clear()])
  }

  /** These chunks have not run, and are not here any more. */
  #sayReturned(job: WorkJob, indices: readonly number[]): void {
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

  /** The job whose turn it is: of those with the highest priority the one that has waited longest. */
  #nextJob(): WorkJob | undefined {
    let next: WorkJob | undefined
    for (const job of this.#jobs.values()) {
      if (job.waiting.size === 0 || !this.#hasCode(job)) continue
      if (next === undefined || job.priority > next.priority) next = job
    }
    if (next !== undefined) {
      this.#jobs.delete(next.id)
      this.#jobs.set(next.id, next)
    }
    return next
  }

  #enqueue(message: BatchMessage): void {
    const { job: id, submissionId, mode, indices, chunks, digests, seal } = message
    const before = this.#jobs.get(id)
    // Another job had the same id before.
    if (before !== undefined && before.submissionId !== submissionId) this.#release(id)
    const job = this.#jobs.get(id) ?? this.#open(message)
    const { channel, epoch } = this.#session!
    hasReader(job)
    job.combine = message.combine
    // Copied: views would keep all that came with them, the chunks first of all.
    const proof = { digests: Uint8Array.from(digests), seal: Uint8Array.from(seal) }
    job.inFlight.give({ leader: channel.remote, epoch, indices, ...proof })
    job.waiting.add(job.referenced.add({ indices, ...chunks }, mode), mode)
    if (this.#leaving) this.#giveBack(job)
    this.#ask(job, indices)
  }

  #open({ job: id, submissionId, sha256, chunkTimeout, priority, combine }: BatchMessage): WorkJob {
    const lines = new LogLineBatcher<WorkerLogLine>(
      // At once: the outcomes that follow would overtake them.
      lines => this.#session!.channel.send({ epoch: this.#session!.epoch, type: 'log', job: id, lines }),
      () => job.hasReader && this.#session !== undefined
    )
    const outcomes = new OutcomeBatcher(id, outcomes => {
      // The outcomes may end the job: what was printed must be there before.
      lines.flush()
      this.#say({ ...outcomes, submissionId: job.submissionId })
    })
    const job: WorkJob = {
      id,
      submissionId,
      sha256,
      chunkTimeout,
      priority,
      combine,
      inFlight: new InFlightChunks(),
      batches: new Set(),
      outcomes,
      lines,
      hasReader: false,
      waiting: new WaitingChunks(),
      referenced: new ShardRoundChunks(id, this.#values),
      announced: new Map(),
      duration: undefined,
      remembered: this.#durations.get(sha256)
    }
    this.#jobs.set(id, job)
    return job
  }

  /** The leader wants what it was offered. */
  #reattach({ job: id, submissionId, indices, digests, seal }: Extract<LeaderSays, { type: 'reattach' }>): void {
    const job = this.#jobs.get(id)
    const { channel, epoch } = this.#session!
    const batch: SignedBatch = { leader: channel.remote, epoch, indices, digests, seal }
    const { retained, missing } = job?.inFlight.reattach(batch) ?? { retained: NOTHING_PACKED, missing: indices }
    if (missing.length > 0) this.#say({ type: 'returned', job: id, indices: missing })
    if (job === undefined) return
    // Of another job under the same id, whose chunks are the same.
    job.submissionId = submissionId
    hasReader(job)
    job.outcomes.add({ partials: retained, failed: [] }, 0)
    if (job.batches.size === 0) job.outcomes.flush()
    if (this.#leaving) this.#giveBack(job)
    this.#ask(job, indices)
  }

  /** Asks the leader for what these chunks refer to and is not here. */
  #ask(job: WorkJob, indices: readonly number[]): void {
    const ids = job.referenced.wanted(indices)
    for (let from = 0; from < ids.length; from += MAX_CHUNKS_A_MESSAGE)
      this.#say({ type: 'values-request', job: job.id, ids: ids.slice(from, from + MAX_CHUNKS_A_MESSAGE) })
  }

  /** The leader has answered. Chunks that need what is not to be had any more are given back: they are of a leader or a round before. */
  #keepValues({ job: id, ids, values, missing }: ValuesMessage): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#sayReturned(job, job.referenced.without(missing))
    const parts = unpack(values)
    const asked = ids.flatMap((id, i) => (job.referenced.hasAsked(id) ? [[id, parts[i]!] as const] : []))
    if (asked.length === 0) return
    const keep = (hashes: readonly string[]): void => {
      if (this.#jobs.get(id) !== job) return
      const genuine = new Map(asked.filter(([id], i) => hashes[i] === id))
      for (const { mode, chunks } of job.referenced.came(genuine)) job.waiting.add(chunks, mode)
      this.#failWithout(
        job,
        asked.flatMap(([id]) => (genuine.has(id) ? [] : [id]))
      )
    }
    if (values.bytes.byteLength <= HASHED_AT_ONCE) keep(asked.map(([, bytes]) => hash('sha256', bytes)))
    else
      void Promise.all(asked.map(([, bytes]) => hashElsewhere(bytes))).then(hashes => {
        keep(hashes)
        this.#feed()
      })
  }

  /** What the leader sent is not what it is called: to ask again would help nobody. */
  #failWithout(job: WorkJob, ids: readonly string[]): void {
    const message = 'the leader sent something else than the state or the shard that it refers to'
    const failure = { function: 'load' as const, name: 'InvalidMessageError', message, stack: '' }
    const failed = job.referenced.without(ids).map(index => ({ index, failure: { ...failure, index } }))
    if (failed.length > 0) this.#keep(job, { partials: NOTHING_PACKED, failed }, 0)
  }

  /** How many of the waiting chunks a thread takes at once. */
  #most(job: WorkJob, mode: RunMode): number {
    if (mode === 'quarantined') return 1
    const share = Math.ceil(job.waiting.size / (this.#runner.slots - this.#runs.size))
    const duration = job.duration ?? job.remembered
    const quick = duration === undefined ? 1 : Math.max(1, Math.floor(WORK_AT_ONCE / duration))
    const most = Math.min(share, quick, mode === 'announced' ? MOST_ANNOUNCED : MOST_AT_ONCE)
    // Not where other threads would have nothing left to do.
    const isEnough = job.waiting.size >= CHUNKS_A_GROUP * this.#runner.slots
    return job.combine && isEnough && isGroupShort(duration) ? job.waiting.wholeGroups(most) : most
  }

  #run(job: WorkJob): void {
    const mode = job.waiting.mode!
    const chunks = job.referenced.whole(job.waiting.take(this.#most(job, mode)))
    const { sha256, chunkTimeout, combine } = job
    const times = this.#spans !== undefined
    const epoch = this.#session?.epoch
    const controller = new AbortController()
    const { signal } = controller
    const { indices } = chunks
    job.inFlight.start(indices)
    const onOutcomes = (outcomes: Outcomes, busyMs: number): void => {
      const count = outcomes.partials.indices.length + outcomes.failed.length
      if (count > 0 && busyMs > 0) {
        const sample = busyMs / count
        job.duration = job.duration === undefined ? sample : job.duration + (sample - job.duration) * WEIGHT
      }
      if (outcomes.times !== undefined) this.#spans?.ran(job.id, epoch, outcomes.times, outcomes.failed)
      if (!signal.aborted) this.#keep(job, outcomes, busyMs)
    }
    const run = runBatch(
      mode,
      this.#runner,
      { sha256, chunks, signal, chunkTimeout, combine, times },
      { onOutcomes, onLog: line => job.lines.add(line) },
      indices => this.#announce(job, indices, signal)
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
        const failure = { function: 'load' as const, name: nameOf(error), message: messageOf(error), stack: '' }
        const own = new Set(indices)
        const left = job.inFlight.running().filter(index => own.has(index))
        const failed = left.map(index => ({ index, failure: { ...failure, index } }))
        onOutcomes({ partials: NOTHING_PACKED, failed }, 0)
      })
      .finally(() => {
        this.#runs.delete(over)
        job.batches.delete(batch)
        this.#feed()
        // With nothing left to wait for, the outcomes go at once.
        const isLong = job.duration === undefined || job.duration > 1
        if (!signal.aborted && (job.waiting.size === 0 || (isLong && this.#hold(job) === FLUSH_AFTER))) {
          job.outcomes.flush()
        }
      })
    this.#runs.add(over)
  }

  /** How long (ms) outcomes may wait for others, so that they share a message: while there is more than enough to do, the leader can wait. */
  #hold(job: WorkJob): number {
    const ahead = (job.waiting.size * (job.duration ?? 0)) / this.#runner.slots
    return Math.max(FLUSH_AFTER, Math.min(MOST_HELD, ahead / 2))
  }

  /** Holds what has come out, and tells the leader what that one waits for. */
  #keep(job: WorkJob, outcomes: Outcomes, busyMs: number): void {
    this.#count(outcomes)
    const partials = job.inFlight.done(outcomes.partials)
    const failed = outcomes.failed.filter(({ index }) => job.inFlight.failed(index))
    job.outcomes.add({ partials: job.combine ? toSend(partials, outcomes) : partials, failed }, busyMs, this.#hold(job))
    // Where nothing is held, it need not be looked for.
    if (this.#retainBytes === 0) job.inFlight.drop(partials.indices)
    else this.#makeRoom()
  }

  #count({ partials, failed }: Outcomes): void {
    this.#counts.completed += partials.indices.length
    for (const { failure } of failed) this.#counts[failure.name === CHUNK_TIMEOUT ? 'timed-out' : 'failed'] += 1
  }

  /** Nobody wants these, whether they wait or run or are held. */
  #drop(job: WorkJob, indices: readonly number[]): void {
    this.#counts.cancelled += job.inFlight.countPending(indices)
    job.inFlight.drop(indices)
  }

  /** Gives up partials of the job that has most of them, while there are too many. */
  #makeRoom(): void {
    for (;;) {
      let held = 0
      let most: InFlightChunks | undefined
      for (const { inFlight } of this.#jobs.values()) {
        held += inFlight.retainedBytes
        if (inFlight.retainedBytes > (most?.retainedBytes ?? 0)) most = inFlight
      }
      if (held <= this.#retainBytes || most?.evict() !== true) return
    }
  }

  /** Resolves when the leader knows that these chunks begin. */
  async #announce(job: WorkJob, indices: readonly number[], signal: AbortSignal): Promise<void> {
    const known = new AbortController()
    job.announced.set(indices[0]!, () => known.abort())
    try {
      this.#say({ type: 'starting', job: job.id, indices })
      await once(AbortSignal.any([known.signal, signal]), 'abort')
      signal.throwIfAborted()
    } finally {
      job.announced.delete(indices[0]!)
    }
  }

  #hasCode(job: WorkJob): boolean {
    if (this.#codeStore.has(job.sha256)) return true
    if (!this.#awaited.has(job.sha256)) {
      this.#awaited.add(job.sha256)
      this.#say({ type: 'code-request', sha256: job.sha256 })
    }
    return false
  }

  #keepCode(sha256: string, code: Uint8Array): void {
    if (!this.#awaited.has(sha256)) return
    this.#codeStore
      .put(sha256, code)
      .catch((error: unknown) => this.#failAll(sha256, error))
      .finally(() => {
        this.#awaited.delete(sha256)
        this.#feed()
      })
  }

  /** The code is there and cannot be kept: whatever needs it fails here. */
  #failAll(sha256: string, error: unknown): void {
    for (const job of this.#jobs.values()) {
      if (job.sha256 !== sha256) continue
      const waiting = [...job.waiting.clear(), ...job.referenced.clear()]
      const failure = { function: 'load' as const, name: nameOf(error), message: messageOf(error), stack: '' }
      const failed = waiting.map(index => ({ index, failure: { ...failure, index } }))
      this.#keep(job, { partials: NOTHING_PACKED, failed }, 0)
    }
  }

  /** Others were quicker, or have taken over: what waits is dropped, what runs is aborted, and what is held is forgotten. */
  #cancelChunks(id: string, indices: readonly number[]): void {
    const job = this.#jobs.get(id)
    if (job === undefined) return
    const running = indices.filter(index => job.inFlight.isRunning(index))
    job.waiting.drop(new Set(indices))
    job.referenced.drop(indices)
    this.#drop(job, indices)
    for (const batch of job.batches) for (const index of running) batch.cancel(index)
  }

  #release(id: string): void {
    this.#values.release(id)
    const job = this.#jobs.get(id)
    if (job === undefined) return
    this.#forget(job, new Error(`job ${id} is over`))
    // The leader answers for jobs that it has: the next job with this code must ask again.
    if (![...this.#jobs.values()].some(({ sha256 }) => sha256 === job.sha256)) this.#awaited.delete(job.sha256)
  }

  #forget(job: WorkJob, reason: Error): void {
    this.#jobs.delete(job.id)
    if (job.duration !== undefined && job.duration <= REMEMBERED_MS) this.#durations.set(job.sha256, job.duration)
    else if (job.duration !== undefined) this.#durations.delete(job.sha256)
    for (const batch of job.batches) this.#drop(job, batch.indices)
    this.#drop(job, job.waiting.clear())
    this.#drop(job, job.referenced.clear())
    job.outcomes.clear()
    job.lines.stop()
    for (const batch of job.batches) batch.stop(reason)
  }

  #say(message: WorkerSays): void {
    // Nobody leads, or the channel is gone, which it tells by its close: what matters is offered to the next leader.
    this.#session?.channel.send({ epoch: this.#session.epoch, ...message }).catch(() => {})
  }
}

/**
 * What the leader is sent: of whole groups, what was made of them. What is held for the next leader are the partials themselves, as that one
 * may want some of a group only.
 */
function toSend(told: IndexedPack, { partials, combined }: Outcomes): IndexedPack {
  // A group must not be cut in two.
  if (combined === undefined || told !== partials || told.indices.length > MAX_CHUNKS_A_MESSAGE) return told
  const sent = withCombined(partials, combined)
  return sent.bytes.byteLength <= MAX_PAYLOAD_BYTES ? sent : told
}

/** The SHA-256 in hex, computed by another thread. */
async function hashElsewhere(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}

function hasReader(job: WorkJob): void {
  job.hasReader = true
  job.lines.flush()
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
