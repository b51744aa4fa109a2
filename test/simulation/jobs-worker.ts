/** A worker in the simulated world, as the remote side of the leader's session. Its chunks take time, throw, stall, or end the worker's process. */

import type { InFlightMessage } from '../../src/jobs/protocol/work-messages.ts'
import type { RunMode } from '../../src/jobs/scheduler/index.ts'
import { InFlightChunks } from '../../src/jobs/worker/in-flight-chunks.ts'
import { packIndexed } from '../../src/tasks/values/pack.ts'
import { BEAT, GAP, givenBatch, type Machine, SILENCE, type SimulatedJob, type ToWorker } from './jobs-world.ts'
import type { Host, Process } from './world.ts'

/** Partials have a size in this simulation, but no content. */
const PARTIALS = new Uint8Array(1_000)

interface WaitingChunk {
  job: string
  index: number
  mode: RunMode
}

export class WorkerProcess implements Process {
  readonly #host: Host
  readonly #machine: Machine
  readonly #leader: string
  readonly #jobs: readonly SimulatedJob[]
  #session: number
  #life: number | undefined
  #lastSeen = 0
  #received = 0
  #sent = 0
  #gapSince: number | undefined
  /** Ends the process of this worker because of a chunk. */
  readonly #die: (job: string, index: number) => void
  #queue: WaitingChunk[] = []
  /** The chunks in flight of each job. */
  readonly #onHand = new Map<string, InFlightChunks>()
  /** The running chunks. `startedAt` is undefined until the leader knows that the chunk starts. */
  #running = new Map<number, WaitingChunk & { startedAt: number | undefined }>()
  #runs = 0

  constructor(
    host: Host,
    session: number,
    machine: Machine,
    leader: string,
    jobs: readonly SimulatedJob[],
    die: (job: string, index: number) => void
  ) {
    this.#die = die
    this.#host = host
    this.#session = session
    this.#machine = machine
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
      this.#onHand.delete(message.job)
      this.#queue = this.#queue.filter(chunk => chunk.job !== message.job)
      for (const [run, chunk] of this.#running) if (chunk.job === message.job) this.#running.delete(run)
    } else if (message.type === 'cancel-chunks') {
      this.#onHand.get(message.job)?.drop(message.indices)
      const cancelled = (chunk: { job: string; index: number }): boolean =>
        chunk.job === message.job && message.indices.includes(chunk.index)
      this.#queue = this.#queue.filter(chunk => !cancelled(chunk))
      for (const [run, chunk] of this.#running) if (cancelled(chunk)) this.#running.delete(run)
    } else if (message.type === 'go') {
      for (const [run, { job, index, startedAt }] of this.#running)
        if (startedAt === undefined && job === message.job && message.indices.includes(index)) this.#begin(run)
    } else if (message.type === 'covered') {
      this.#onHand.get(message.job)?.covered(message.next)
    } else if (message.type === 'claim') {
      this.#claimed(message.job, message.indices)
    } else if (message.type === 'batch') {
      this.#work(message.job).give(givenBatch(message.job, this.#host.id, this.#life, message.indices))
      for (const index of message.indices) this.#queue.push({ job: message.job, index, mode: message.mode })
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
    if (chunk?.startedAt === undefined) return
    this.#running.delete(run)
    const job = this.#jobs.find(job => job.id === chunk.job)!
    const isPoison = chunk.index === job.poison?.index
    if (isPoison && chunk.mode !== 'quarantined') {
      this.#die(job.id, chunk.index)
      return
    }
    const fails =
      (isPoison && job.poison?.survives === false) || chunk.index === job.broken || this.#host.random() < job.errors
    const work = this.#work(chunk.job)
    const { index } = chunk
    const partial = { index, bytes: PARTIALS.subarray(0, job.partialBytes) }
    const isTold = fails ? work.failed(index) : work.done(packIndexed([partial])).indices.length > 0
    if (work.retainedBytes > this.#machine.holdBytes) work.evict()
    const busyMs = this.#host.now() - chunk.startedAt
    if (isTold) this.#tell(chunk.job, fails ? [] : [index], fails ? [index] : [], busyMs)
    this.#fill()
  }

  #tell(job: string, done: number[], failed: number[], busyMs: number): void {
    this.#sent += 1
    const outcomes = {
      ...{ type: 'outcomes', life: this.#life, session: this.#session },
      ...{ job, done, failed, busyMs, again: false }
    }
    this.#host.send(this.#leader, 'work', outcomes)
    if (this.#host.random() < 0.01) this.#host.send(this.#leader, 'work', { ...outcomes, again: true })
  }

  /** Handles a message in which the leader claims offered chunks. */
  #claimed(job: string, indices: number[]): void {
    const { retained, missing } = this.#work(job).reattach(givenBatch(job, this.#host.id, this.#life!, indices))
    if (retained.indices.length > 0) this.#tell(job, [...retained.indices], [], 0)
    if (missing.length === 0) return
    this.#sent += 1
    const returned = { type: 'returned', life: this.#life, session: this.#session, job, indices: missing }
    this.#host.send(this.#leader, 'work', returned)
  }

  #work(job: string): InFlightChunks {
    let work = this.#onHand.get(job)
    if (work === undefined) {
      work = new InFlightChunks()
      this.#onHand.set(job, work)
    }
    return work
  }

  /** Returns all chunks in flight, as the worker reports them to a leader before the hello. */
  #offers(): InFlightMessage[] {
    if (this.#life !== undefined) return []
    return [...this.#onHand].flatMap(([job, work]) =>
      work.batches().map(offer => ({ type: 'in-flight' as const, job, sha256: 'code', ...offer }))
    )
  }

  /** Makes the worker leave gracefully although its chunks have not ended. */
  leave(): void {
    this.#host.send(this.#leader, 'work', { type: 'bye', session: this.#session })
  }

  #beat(): void {
    const now = this.#host.now()
    if (now - this.#lastSeen > SILENCE || (this.#gapSince !== undefined && now - this.#gapSince > GAP))
      this.#startOver()
    this.#host.send(this.#leader, 'work', {
      type: 'hello',
      session: this.#session,
      life: this.#life,
      slots: this.#machine.slots,
      tags: this.#machine.tags,
      sent: this.#sent,
      offers: this.#offers()
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
    for (const { job, index, mode } of this.#queue) if (mode === 'announced') this.#work(job).drop([index])
    this.#queue = this.#queue.filter(({ mode }) => mode !== 'announced')
    for (const [run, { job, index, startedAt }] of this.#running) {
      if (startedAt !== undefined) continue
      this.#running.delete(run)
      this.#work(job).drop([index])
    }
    for (const work of this.#onHand.values()) work.leaderGone()
    this.#fill()
  }

  #fill(): void {
    while (this.#running.size < this.#machine.slots) {
      const chunk = this.#queue.shift()
      if (chunk === undefined) return
      const run = ++this.#runs
      this.#running.set(run, { ...chunk, startedAt: undefined })
      this.#work(chunk.job).start([chunk.index])
      if (chunk.mode !== 'announced') {
        this.#begin(run)
        continue
      }
      this.#sent += 1
      const { job, index } = chunk
      const session = this.#session
      this.#host.send(this.#leader, 'work', { type: 'starting', life: this.#life, session, job, indices: [index] })
    }
  }

  #begin(run: number): void {
    const chunk = this.#running.get(run)!
    chunk.startedAt = this.#host.now()
    const { duration, stalls, poison } = this.#jobs.find(job => job.id === chunk.job)!
    const ms = duration[0] + this.#host.random() * (duration[1] - duration[0])
    const part = chunk.index === poison?.index && chunk.mode !== 'quarantined' ? poison.after : 1
    const stalled = this.#host.random() < stalls ? 30 : 1
    this.#host.timer(String(run), part * ms * this.#machine.slowness * stalled)
  }
}
