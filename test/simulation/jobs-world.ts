/**
 * Leader and workers around the coordinator in the simulated world. Streams are modelled as sessions: a lost message is
 * noticed by its missing sequence number and breaks the session, as a real stream breaks. Messages overtake each other
 * on purpose: the coordinator has to stand more than TCP does to it.
 */
import { Coordinator } from '../../src/jobs/coordinator.ts'
import type {
  CoordinatorEffect,
  CoordinatorEvent,
  CoordinatorRules,
  CoordinatorSettings
} from '../../src/jobs/coordinator-types.ts'
import type { JobBook } from './jobs-book.ts'
import type { Host, Process } from './world.ts'

export interface SimulatedJob {
  id: string
  chunks: number
  /** Duration of a chunk in ms, drawn between the two. */
  duration: [number, number]
  partialBytes: number
  /** Probability that `run` throws. */
  errors: number
  retries: number
  /** A chunk that throws whenever it runs. */
  broken: number | undefined
}

export type Failure = { index: number }

type ToWorker =
  | { type: 'beat'; life: number; session: number; sent: number }
  | { type: 'reset'; life: number; session: number }
  | { type: 'batch'; life: number; session: number; job: string; indices: number[] }
  | { type: 'release'; life: number; session: number; job: string }

type ToLeader =
  | { type: 'hello'; session: number; life: number | undefined; slots: number; sent: number }
  | {
      type: 'outcomes'
      life: number
      session: number
      job: string
      done: number[]
      failed: number[]
      busyMs: number
      /** A copy: it is not counted in the sequence. */
      again: boolean
    }

const BEAT = 50
/** A peer that is silent for so long is taken for gone. */
const SILENCE = 400
/** A gap in the sequence that lasts so long is a loss. */
const GAP = 120

interface WorkerSession {
  session: number
  open: boolean
  lastSeen: number
  sent: number
  received: number
  gapSince: number | undefined
}

/** What a chunk computes: any fixed function of its index will do. */
export function valueAt(index: number): number {
  return (Math.imul(index + 1, 0x9e3779b1) >>> 0) % 1_000_003
}

export class LeaderProcess implements Process {
  readonly #host: Host
  readonly #coordinator: Coordinator<Failure>
  readonly #life: number
  readonly #book: JobBook
  readonly #jobs: readonly SimulatedJob[]
  readonly #pulled = new Map<string, number>()
  readonly #workers = new Map<string, WorkerSession>()
  readonly #due = new Map<string, () => void>()
  #timers = 0

  constructor(
    host: Host,
    life: number,
    jobs: readonly SimulatedJob[],
    book: JobBook,
    settings: Partial<CoordinatorSettings>,
    rules: Partial<CoordinatorRules>
  ) {
    this.#host = host
    this.#life = life
    this.#jobs = jobs
    this.#book = book
    this.#coordinator = new Coordinator(settings, rules)
  }

  start(): void {
    this.#book.startOver()
    for (const job of this.#jobs) {
      if (!this.#book.isOver(job.id)) this.#handle({ type: 'submitted', job: job.id, retries: job.retries })
    }
    this.#beat()
  }

  receive(from: string, _protocol: string, raw: unknown): void {
    const message = raw as ToLeader
    let worker = this.#workers.get(from)
    if (message.type === 'hello') {
      if (worker === undefined || message.session > worker.session) {
        worker = { session: message.session, open: true, lastSeen: 0, sent: 0, received: 0, gapSince: undefined }
        this.#workers.set(from, worker)
        this.#book.workerJoined(from, message.slots)
        this.#handle({ type: 'worker-joined', worker: from, slots: message.slots })
      }
      if (message.session !== worker.session || !worker.open) return
      worker.lastSeen = this.#host.now()
      if (message.life !== this.#life) return
      if (message.sent <= worker.received) worker.gapSince = undefined
      else worker.gapSince ??= this.#host.now()
      return
    }
    if (message.life !== this.#life) return
    // What an earlier session sent reaches the coordinator too: it has to tell by itself what still counts.
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
    if (worker?.open === true) this.#lost(peer, worker)
  }

  timer(name: string): void {
    if (name === 'beat') this.#beat()
    else if (name === 'progress') this.#handle({ type: 'timer', name })
    else {
      const run = this.#due.get(name)
      this.#due.delete(name)
      run?.()
    }
  }

  #beat(): void {
    const now = this.#host.now()
    for (const [id, worker] of this.#workers) {
      if (!worker.open) continue
      if (now - worker.lastSeen > SILENCE || (worker.gapSince !== undefined && now - worker.gapSince > GAP))
        this.#lost(id, worker)
      else this.#host.send(id, 'work', { type: 'beat', life: this.#life, session: worker.session, sent: worker.sent })
    }
    this.#host.timer('beat', BEAT)
  }

  #lost(id: string, worker: WorkerSession): void {
    worker.open = false
    this.#host.trace(`loses ${id}`)
    this.#book.workerGone(id)
    this.#handle({ type: 'worker-gone', worker: id })
    this.#host.send(id, 'work', { type: 'reset', life: this.#life, session: worker.session })
  }

  #handle(event: CoordinatorEvent<Failure>): void {
    this.#book.before(event)
    for (const effect of this.#coordinator.handle(event, this.#host.now())) this.#do(effect, event)
  }

  #do(effect: CoordinatorEffect<Failure>, event: CoordinatorEvent<Failure>): void {
    this.#book.observe(effect, event)
    switch (effect.type) {
      case 'pull':
        this.#pull(effect.job, effect.max)
        break
      case 'fold':
        this.#later(0.2 * effect.count + this.#host.random() * 3, () =>
          this.#handle({ type: 'folded', job: effect.job, first: effect.first, count: effect.count })
        )
        break
      case 'finish':
        this.#later(1, () => this.#handle({ type: 'finished', job: effect.job }))
        break
      case 'timer':
        this.#host.timer(effect.name, effect.delay)
        break
      case 'dispatch':
        this.#send(effect.worker, { type: 'batch', job: effect.job, indices: effect.indices })
        break
      case 'release':
        this.#send(effect.worker, { type: 'release', job: effect.job })
        break
      case 'state':
        this.#host.trace(`${effect.job} ${effect.state}`)
        break
      case 'keep':
      case 'drop':
      case 'progress':
    }
  }

  #pull(id: string, max: number): void {
    const job = this.#jobs.find(job => job.id === id)!
    this.#later(this.#host.random() * 4, () => {
      const first = this.#pulled.get(id) ?? 0
      const some = this.#host.random() < 0.2 ? Math.ceil(max / 2) : max
      const count = Math.min(some, job.chunks - first)
      this.#pulled.set(id, first + count)
      const sizes = new Array<number>(count).fill(100)
      this.#handle({ type: 'pulled', job: id, first, sizes, done: first + count === job.chunks })
    })
  }

  #send(
    to: string,
    message: { type: 'batch'; job: string; indices: number[] } | { type: 'release'; job: string }
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

export class WorkerProcess implements Process {
  readonly #host: Host
  readonly #slots: number
  readonly #leader: string
  readonly #jobs: readonly SimulatedJob[]
  #session: number
  #life: number | undefined
  #lastSeen = 0
  #received = 0
  #sent = 0
  #gapSince: number | undefined
  #queue: { job: string; index: number }[] = []
  #running = new Map<number, { job: string; index: number; startedAt: number }>()
  #runs = 0

  constructor(host: Host, session: number, slots: number, leader: string, jobs: readonly SimulatedJob[]) {
    this.#host = host
    this.#session = session
    this.#slots = slots
    this.#leader = leader
    this.#jobs = jobs
  }

  start(): void {
    this.#lastSeen = this.#host.now()
    this.#beat()
  }

  receive(_from: string, _protocol: string, raw: unknown): void {
    const message = raw as ToWorker
    if (message.session !== this.#session) return
    if (this.#life === undefined) this.#life = message.life
    if (message.life !== this.#life || message.type === 'reset') {
      this.#startOver()
      return
    }
    this.#lastSeen = this.#host.now()
    if (message.type === 'beat') {
      if (message.sent <= this.#received) this.#gapSince = undefined
      else this.#gapSince ??= this.#host.now()
      return
    }
    this.#received += 1
    if (message.type === 'release') {
      this.#queue = this.#queue.filter(chunk => chunk.job !== message.job)
      for (const [run, chunk] of this.#running) if (chunk.job === message.job) this.#running.delete(run)
    } else {
      for (const index of message.indices) this.#queue.push({ job: message.job, index })
    }
    this.#fill()
  }

  gossip(): void {}

  timer(name: string): void {
    if (name === 'beat') {
      this.#beat()
      return
    }
    const run = Number(name)
    const chunk = this.#running.get(run)
    if (chunk === undefined) return
    this.#running.delete(run)
    const job = this.#jobs.find(job => job.id === chunk.job)!
    const fails = chunk.index === job.broken || this.#host.random() < job.errors
    this.#sent += 1
    const outcomes = {
      type: 'outcomes',
      life: this.#life,
      session: this.#session,
      job: chunk.job,
      done: fails ? [] : [chunk.index],
      failed: fails ? [chunk.index] : [],
      busyMs: this.#host.now() - chunk.startedAt,
      again: false
    }
    this.#host.send(this.#leader, 'work', outcomes)
    if (this.#host.random() < 0.01) this.#host.send(this.#leader, 'work', { ...outcomes, again: true })
    this.#fill()
  }

  #beat(): void {
    const now = this.#host.now()
    if (now - this.#lastSeen > SILENCE || (this.#gapSince !== undefined && now - this.#gapSince > GAP))
      this.#startOver()
    this.#host.send(this.#leader, 'work', {
      type: 'hello',
      session: this.#session,
      life: this.#life,
      slots: this.#slots,
      sent: this.#sent
    })
    this.#host.timer('beat', BEAT)
  }

  #startOver(): void {
    this.#session += 1
    this.#life = undefined
    this.#received = 0
    this.#sent = 0
    this.#gapSince = undefined
    this.#lastSeen = this.#host.now()
    this.#queue = []
    this.#running.clear()
  }

  #fill(): void {
    while (this.#running.size < this.#slots) {
      const chunk = this.#queue.shift()
      if (chunk === undefined) return
      const { duration } = this.#jobs.find(job => job.id === chunk.job)!
      const run = ++this.#runs
      this.#running.set(run, { ...chunk, startedAt: this.#host.now() })
      this.#host.timer(String(run), duration[0] + this.#host.random() * (duration[1] - duration[0]))
    }
  }
}
