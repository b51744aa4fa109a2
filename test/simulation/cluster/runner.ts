/** Runs chunks that are nothing but time that passes; the ledger learns of each that begins, and of each that ends. */
import type { Runner } from '../../../src/jobs/runner.ts'
import type { Batch, BatchHandlers } from '../../../src/tasks/executor.ts'
import { pack, packIndexed, unpack, unpackIndexed } from '../../../src/tasks/pack.ts'
import { decode, encode } from '../../../src/tasks/payload.ts'
import { digestsOf, returned } from '../../tasks/outcomes.ts'

/** The input of a simulated job. */
export interface SimulatedJob {
  name: string
  chunks: number
  /** How long a chunk runs, in ms: the least and the most. */
  takes: readonly [least: number, most: number]
  /** So many partials its client reads as they come; undefined: it does not ask for them. */
  reads?: number | undefined
}

/** A chunk as it travels. */
type Chunk = readonly [name: string, index: number, takes: SimulatedJob['takes']]
/** What is made of it. */
type Partial = readonly [name: string, index: number, value: number]

/** What a runner tells of what it does. */
export interface RunnerEvents {
  starts(job: string, index: number, alone: boolean): void
  ends(job: string, index: number): void
  /** Something is folded that is not the chunk's, or not in order. */
  fails(error: Error): void
}

export class SimulatedRunner implements Runner {
  readonly slots: number
  readonly #random: () => number
  readonly #events: RunnerEvents

  constructor(slots: number, random: () => number, events: RunnerEvents) {
    this.slots = slots
    this.#random = random
    this.#events = events
  }

  runBatch: Runner['runBatch'] = (batch, handlers) => {
    const cancelled = new Map(batch.chunks.indices.map(index => [index, new AbortController()]))
    const run = this.#run(batch, handlers, cancelled, false)
    return Object.assign(run, {
      cancel: (index: number) => cancelled.get(index)?.abort(new Error(`chunk ${index} was cancelled`))
    })
  }

  runAlone: Runner['runAlone'] = ({ sha256, chunk, signal }, handlers) => {
    const batch = { sha256, chunks: packIndexed([chunk]), signal: signal ?? new AbortController().signal }
    return this.#run(batch, handlers, new Map([[chunk.index, new AbortController()]]), true)
  }

  openDriver: Runner['openDriver'] = async ({ input, resume }) => {
    const { name, chunks: total, takes } = decode(input, 'input') as SimulatedJob
    let next = resume?.next ?? 0
    let folded = next
    let sum = resume?.kind === 'folded' ? (decode(resume.accumulator, 'accumulator') as number) : 0
    await this.#pass(1 + this.#random() * 20)
    return {
      pull: async max => {
        await this.#pass(this.#random())
        const first = next
        const indices = Array.from({ length: Math.min(max, total - next) }, (_, i) => first + i)
        next += indices.length
        const chunks = pack(indices.map(index => encode([name, index, takes] satisfies Chunk, 'chunk')))
        const digests = digestsOf(indices.map(index => [name, index]))
        return { first, chunks, digests, digest: new Uint8Array(32), done: next === total }
      },
      fold: async (first, partials) => {
        await this.#pass(this.#random())
        if (first !== folded) this.#events.fails(new Error(`${name} is folded from ${first} where ${folded} is next`))
        for (const bytes of unpack(partials)) {
          const [job, index, value] = decode(bytes, 'partial') as Partial
          if (job !== name || index !== folded || value !== resultOf(name, folded))
            this.#events.fails(new Error(`${name} ${folded} is folded from ${job} ${index}`))
          sum = step(sum, value)
          folded += 1
        }
        return { kind: 'folded', next: folded, bytes: 8 }
      },
      kind: async () => 'folded',
      checkpoint: async () => {
        const accumulator = encode(sum, 'accumulator')
        return { kind: 'folded', next: folded, digest: new Uint8Array(32), accumulator }
      },
      checkpointMs: 0,
      finish: async () => encode(sum, 'result'),
      close: async () => {}
    }
  }

  async #run(
    { chunks, signal }: Batch,
    handlers: BatchHandlers,
    cancelled: ReadonlyMap<number, AbortController>,
    alone: boolean
  ): Promise<void> {
    for (const { index, bytes } of unpackIndexed(chunks)) {
      signal?.throwIfAborted()
      const chunk = cancelled.get(index)!.signal
      if (chunk.aborted) continue
      const [name, , [least, most]] = decode(bytes, 'chunk') as Chunk
      this.#events.starts(name, index, alone)
      const takes = least + this.#random() * (most - least)
      await this.#pass(takes, AbortSignal.any([signal!, chunk]))
      signal?.throwIfAborted()
      if (chunk.aborted) continue
      this.#events.ends(name, index)
      const partial = [name, index, resultOf(name, index)] satisfies Partial
      handlers.onOutcomes(returned(index, partial), takes)
    }
  }

  /** Time passes, unless the signal is aborted. */
  #pass(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      signal?.addEventListener('abort', done)
      if (signal?.aborted === true) done()
    })
  }
}

/** The same job in one loop. */
export function oneLoop({ name, chunks }: SimulatedJob): number {
  let sum = 0
  for (let index = 0; index < chunks; index++) sum = step(sum, resultOf(name, index))
  return sum
}

/** @throws Error unless it is the partial of that chunk */
export function checkPartial(partial: unknown, { name }: SimulatedJob, expected: number): void {
  const [job, index, value] = partial as Partial
  if (job === name && index === expected && value === resultOf(name, expected)) return
  throw new Error(`${name} ${expected} is read as ${job} ${index}`)
}

function resultOf(name: string, index: number): number {
  return (Math.imul(index + 1 + name.length * 7_919, 0x9e3779b1) >>> 0) % 1_000_003
}

/** Not commutative: order shows. */
function step(sum: number, value: number): number {
  return (Math.imul(sum, 31) + value) >>> 0
}
