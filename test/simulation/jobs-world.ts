/**
 * The leader around the scheduler in the simulated world, and the messages between the leader and the workers. A session stands for a stream:
 * a missing sequence number reveals a lost message and breaks the session. Messages overtake each other on purpose, although
 * TCP keeps their order, so that the scheduler meets more disorder than in a real cluster.
 */

import { type ResumedJob, RetainedPartials } from '../../src/jobs/leader/retained-partials.ts'
import type { BatchSeal } from '../../src/jobs/protocol/batch-seal.ts'
import type { InFlightMessage } from '../../src/jobs/protocol/work-messages.ts'
import type {
  JobTerms,
  OfferedChunk,
  RunMode,
  SchedulerEffect,
  SchedulerEvent,
  SchedulerSettings
} from '../../src/jobs/scheduler/index.ts'
import { JobScheduler } from '../../src/jobs/scheduler/index.ts'
import type { SchedulerRules } from '../../src/jobs/scheduler/rules.ts'
import type { SignedBatch } from '../../src/jobs/worker/in-flight-chunks.ts'
import { DIGEST_BYTES } from '../../src/tasks/execute/checkpoint.ts'
import type { JobBook } from './jobs-book.ts'
import type { Host, Process } from './world.ts'

export interface SimulatedJob {
  id: string
  chunks: number
  /** The shortest and the longest duration of a chunk, in ms. */
  duration: [number, number]
  partialBytes: number
  /** Probability that `run` throws. */
  errors: number
  /** Probability that a chunk takes thirty times as long at one worker. */
  stalls: number
  terms: JobTerms
  /** The index of a chunk that throws whenever it runs. */
  broken: number | undefined
  poison: Poison | undefined
  /** Number of chunks in a round, if the job is an iteration. */
  roundOf?: number | undefined
  /** Whether partials are combined. */
  combines?: boolean
}

/** A chunk that ends the process in which it runs. */
export interface Poison {
  index: number
  /** The share of the chunk's duration after which the chunk ends the process; 0 if the chunk ends the process at once. */
  after: number
  /** Whether the chunk completes when it runs in quarantine. */
  survives: boolean
}

export type Tags = Readonly<Record<string, string>>

export interface Machine {
  slots: number
  /** The factor by which chunks take longer at this worker. */
  slowness: number
  /** The worker's tags, which may change while the worker runs. */
  tags: Tags
  /** The most bytes of partials that the worker retains. */
  holdBytes: number
}

export type Failure = { index: number }

export type ToWorker =
  | { type: 'beat'; life: number; session: number; sent: number }
  | { type: 'reset'; life: number; session: number }
  | { type: 'batch'; life: number; session: number; job: string; mode: RunMode; indices: number[] }
  | { type: 'release'; life: number; session: number; job: string }
  | { type: 'covered'; life: number; session: number; job: string; next: number }
  | { type: 'cancel-chunks' | 'go' | 'claim'; life: number; session: number; job: string; indices: number[] }

export type ToLeader =
  | { type: 'bye'; session: number }
  | { type: 'starting'; life: number; session: number; job: string; indices: number[] }
  | { type: 'returned'; life: number; session: number; job: string; indices: number[] }
  | {
      type: 'hello'
      session: number
      life: number | undefined
      slots: number
      tags: Tags
      sent: number
      offers: InFlightMessage[]
    }
  | {
      type: 'outcomes'
      life: number
      session: number
      job: string
      done: number[]
      failed: number[]
      busyMs: number
      /** Whether the message is a duplicate. A duplicate does not count in the sequence. */
      again: boolean
    }

export const BEAT = 50
/** The silence, in ms, after which a peer is regarded as gone. */
export const SILENCE = 400
/** The time, in ms, after which the leader knows whether a lost peer died. */
const VERDICT = 700
/** The time, in ms, after which a gap in the sequence counts as a loss. */
export const GAP = 120

interface WorkerSession {
  session: number
  open: boolean
  /** The time at which the leader lost the worker, while the leader does not know whether the worker died. */
  lostAt: number | undefined
  lastSeen: number
  sent: number
  received: number
  gapSince: number | undefined
}

/** The value of a chunk: a fixed function of its index. */
export function valueAt(index: number): number {
  return (Math.imul(index + 1, 0x9e3779b1) >>> 0) % 1_000_003
}

const LEADER = 'leader'

/** Returns a digest that differs for each chunk. */
function digestOf(job: string, index: number): Uint8Array {
  return Buffer.from(`${job} ${index}`.padEnd(DIGEST_BYTES)).subarray(0, DIGEST_BYTES)
}

/** Returns a batch that the leader of the given life dispatched. */
export function givenBatch(job: string, worker: string, life: number, indices: number[]): SignedBatch {
  const digests = Buffer.concat(indices.map(index => digestOf(job, index)))
  return { leader: LEADER, epoch: life, indices, digests, seal: sealOf(worker, life) }
}

function sealOf(worker: string, life: number): Uint8Array {
  return Buffer.from(`${worker} ${life}`)
}

const SEAL: BatchSeal = {
  seal: ({ worker, epoch }) => sealOf(worker, epoch),
  isGenuine: (_leader, { worker, epoch }, seal) => Buffer.compare(seal, sealOf(worker, epoch)) === 0
}

export class LeaderProcess implements Process {
  readonly #host: Host
  readonly #coordinator: JobScheduler<Failure>
  readonly #life: number
  readonly #book: JobBook
  readonly #jobs: readonly SimulatedJob[]
  readonly #everyone: readonly string[]
  readonly #pulled = new Map<string, number>()
  /** The pulled chunks whose partials have not arrived, as `job index`. */
  readonly #chunks = new Set<string>()
  readonly #offers = new RetainedPartials(SEAL)
  readonly #workers = new Map<string, WorkerSession>()
  readonly #due = new Map<string, () => void>()
  /** Pulls of iterations that wait for the end of a round. */
  readonly #waiting = new Map<string, () => void>()
  #timers = 0

  constructor(
    host: Host,
    life: number,
    everyone: readonly string[],
    jobs: readonly SimulatedJob[],
    book: JobBook,
    settings: Partial<SchedulerSettings>,
    rules: Partial<SchedulerRules>
  ) {
    this.#host = host
    this.#life = life
    this.#everyone = everyone
    this.#jobs = jobs
    this.#book = book
    this.#coordinator = new JobScheduler(settings, rules)
  }

  start(): void {
    const resumed = this.#book.startOver(this.#everyone, this.#coordinator)
    if (resumed) this.#handle({ type: 'expected', workers: this.#everyone })
    for (const job of this.#jobs) {
      if (this.#book.isOver(job.id)) continue
      const { next } = this.#book.checkpointOf(job.id)
      this.#pulled.set(job.id, next)
      this.#handle({ type: 'submitted', job: job.id, terms: job.terms, from: { next, perPeer: {} }, resumed })
    }
    this.#beat()
  }

  receive(from: string, _protocol: string, raw: unknown): void {
    const message = raw as ToLeader
    let worker = this.#workers.get(from)
    if (message.type === 'hello') {
      if (worker === undefined || message.session > worker.session) {
        worker = {
          session: message.session,
          open: true,
          lostAt: undefined,
          lastSeen: 0,
          sent: 0,
          received: 0,
          gapSince: undefined
        }
        this.#workers.set(from, worker)
        const { slots, tags } = message
        this.#book.workerJoined(from, slots, tags)
        const offered = this.#offered(from, message.offers)
        this.#handle({ type: 'worker-joined', worker: from, slots, tags, spared: false, offered })
        this.#releaseUnknown()
      }
      if (message.session !== worker.session || !worker.open) return
      if (this.#book.workerChanged(from, message.tags))
        this.#handle({ type: 'worker-changed', worker: from, tags: message.tags })
      worker.lastSeen = this.#host.now()
      if (message.life !== this.#life) return
      if (message.sent <= worker.received) worker.gapSince = undefined
      else worker.gapSince ??= this.#host.now()
      return
    }
    if (message.type === 'bye') {
      if (worker?.open === true && worker.session === message.session) this.#lost(from, worker, 'left')
      return
    }
    if (message.life !== this.#life) return
    if (message.type === 'starting' || message.type === 'returned') {
      if (worker?.open !== true || message.session !== worker.session) return
      worker.received += 1
      const { job, indices } = message
      this.#handle({ type: message.type, worker: from, job, indices })
      if (message.type === 'starting') this.#send(from, { type: 'go', job, indices })
      return
    }
    // Messages of an earlier session also reach the scheduler, because the scheduler itself must decide which messages still count.
    if (worker !== undefined && message.session === worker.session && !message.again) worker.received += 1
    const sizes = message.done.map(() => this.#jobs.find(job => job.id === message.job)?.partialBytes ?? 0)
    const failed = message.failed.map(index => ({ index, failure: { index } }))
    this.#handle({
      type: 'outcomes',
      worker: from,
      job: message.job,
      indices: message.done,
      sizes,
      failed,
      busyMs: message.busyMs
    })
  }

  gossip(): void {}

  refused(peer: string): void {
    const worker = this.#workers.get(peer)
    if (worker?.open === true || worker?.lostAt !== undefined) this.#lost(peer, worker, 'died')
  }

  timer(name: string): void {
    if (name === 'beat') this.#beat()
    else if (name === 'progress' || name === 'look' || name === 'offers') this.#handle({ type: 'timer', name })
    else {
      const run = this.#due.get(name)
      this.#due.delete(name)
      run?.()
    }
  }

  #beat(): void {
    const now = this.#host.now()
    for (const [id, worker] of this.#workers) {
      if (worker.lostAt !== undefined && now - worker.lostAt > VERDICT) this.#lost(id, worker, 'died')
      if (!worker.open) continue
      if (now - worker.lastSeen > SILENCE || (worker.gapSince !== undefined && now - worker.gapSince > GAP))
        this.#lost(id, worker, 'lost')
      else this.#host.send(id, 'work', { type: 'beat', life: this.#life, session: worker.session, sent: worker.sent })
    }
    this.#host.timer('beat', BEAT)
  }

  #lost(id: string, worker: WorkerSession, why: 'died' | 'left' | 'lost'): void {
    worker.open = false
    worker.lostAt = why === 'lost' ? this.#host.now() : undefined
    this.#host.trace(`loses ${id}, which ${why === 'lost' ? 'is gone' : why}`)
    this.#book.workerGone(id, why)
    this.#offers.forgetWorker(id)
    this.#handle({ type: 'worker-gone', worker: id, why })
    this.#host.send(id, 'work', { type: 'reset', life: this.#life, session: worker.session })
  }

  #handle(event: SchedulerEvent<Failure>): void {
    this.#book.before(event)
    for (const effect of this.#coordinator.handle(event, this.#host.now())) this.#do(effect, event)
  }

  #do(effect: SchedulerEffect<Failure>, event: SchedulerEvent<Failure>): void {
    this.#book.observe(effect, event)
    switch (effect.type) {
      case 'pull':
        this.#pull(effect.job, effect.max)
        break
      case 'fold':
        this.#later(0.2 * effect.count + this.#host.random() * 3, () => {
          this.#handle({ type: 'folded', job: effect.job, first: effect.first, count: effect.count })
          this.#folded(effect.job, effect.first + effect.count)
          if (this.#host.random() < 0.1) this.#later(this.#host.random() * 20, () => this.#checkpoint(effect.job))
        })
        break
      case 'finish':
        this.#later(1, () => this.#handle({ type: 'finished', job: effect.job }))
        break
      case 'timer':
        this.#host.timer(effect.name, effect.delay)
        break
      case 'dispatch':
        this.#send(effect.worker, { type: 'batch', job: effect.job, mode: effect.mode, indices: effect.indices })
        break
      case 'claim':
        this.#send(effect.worker, { type: 'claim', job: effect.job, indices: effect.indices })
        break
      case 'release':
        this.#offers.drop(effect.job)
        for (const worker of this.#workers.keys()) this.#send(worker, { type: 'release', job: effect.job })
        break
      case 'cancel-chunks':
        this.#send(effect.worker, { type: 'cancel-chunks', job: effect.job, indices: effect.indices })
        break
      case 'state':
        this.#host.trace(`${effect.job} ${effect.state}`)
        break
      case 'keep':
        if (event.type !== 'outcomes') break
        for (const position of effect.positions) this.#chunks.delete(`${effect.job} ${event.indices[position]}`)
        break
      case 'progress':
    }
  }

  /** Returns the offers of a worker for pulled chunks, by job. */
  #offered(worker: string, offers: readonly InFlightMessage[]): Map<string, OfferedChunk[]> {
    this.#offers.forgetWorker(worker)
    for (const offer of offers) this.#offers.add(worker, offer)
    this.#offers.admit(worker)
    const offered = new Map<string, OfferedChunk[]>()
    for (const { id } of this.#jobs) {
      if (this.#book.isOver(id)) continue
      const { chunks, refused } = this.#offers.match(this.#offeredJob(id), worker)
      this.#refuse(id, refused)
      offered.set(id, chunks)
    }
    return offered
  }

  #offeredJob(id: string): ResumedJob {
    return {
      id,
      sha256: 'code',
      splitEnd: this.#pulled.get(id) ?? 0,
      wasLedBy: () => true,
      digestOf: index => (this.#chunks.has(`${id} ${index}`) ? digestOf(id, index) : undefined)
    }
  }

  #refuse(job: string, chunks: readonly OfferedChunk[]): void {
    for (const { worker, index } of chunks) this.#send(worker, { type: 'cancel-chunks', job, indices: [index] })
  }

  #releaseUnknown(): void {
    for (const job of this.#offers.jobs()) {
      if (!this.#book.isOver(job)) continue
      for (const worker of this.#offers.drop(job)) this.#send(worker, { type: 'release', job })
    }
  }

  /** Replicates a checkpoint of the folded chunks. */
  #checkpoint(job: string): void {
    const next = this.#book.checkpoint(job)
    if (next === undefined) return
    for (const worker of this.#workers.keys()) this.#send(worker, { type: 'covered', job, next })
  }

  #pull(id: string, max: number): void {
    const job = this.#jobs.find(job => job.id === id)!
    this.#later(this.#host.random() * 4, () => {
      const first = this.#pulled.get(id) ?? 0
      const roundOf = job.roundOf ?? Number.POSITIVE_INFINITY
      // The chunks of a round depend on the result of the previous round.
      if (first % roundOf === 0 && this.#book.foldedOf(id) < first) {
        this.#waiting.set(id, () => this.#pull(id, max))
        return
      }
      const some = this.#host.random() < 0.2 ? Math.ceil(max / 2) : max
      const count = Math.min(some, job.chunks - first, roundOf - (first % roundOf))
      this.#pulled.set(id, first + count)
      const sizes = new Array<number>(count).fill(100)
      const indices = sizes.map((_, i) => first + i)
      for (const index of indices) this.#chunks.add(`${id} ${index}`)
      const { chunks: offered, refused } = this.#offers.match(this.#offeredJob(id))
      this.#refuse(id, refused)
      this.#handle({
        type: 'pulled',
        job: id,
        first,
        sizes,
        done: first + count === job.chunks,
        offered,
        roundOf: job.roundOf,
        combines: job.combines
      })
    })
  }

  /** Continues a waiting pull if the round that the pull waits for has ended. */
  #folded(id: string, next: number): void {
    const waits = this.#waiting.get(id)
    if (waits === undefined || next < (this.#pulled.get(id) ?? 0)) return
    this.#waiting.delete(id)
    waits()
  }

  #send(
    to: string,
    message:
      | { type: 'batch'; job: string; mode: RunMode; indices: number[] }
      | { type: 'cancel-chunks' | 'go' | 'claim'; job: string; indices: number[] }
      | { type: 'release'; job: string }
      | { type: 'covered'; job: string; next: number }
  ): void {
    const worker = this.#workers.get(to)
    if (worker === undefined || !worker.open) return
    worker.sent += 1
    this.#host.send(to, 'work', { ...message, life: this.#life, session: worker.session })
  }

  #later(delay: number, run: () => void): void {
    const name = `later ${++this.#timers}`
    this.#due.set(name, run)
    this.#host.timer(name, delay)
  }
}
