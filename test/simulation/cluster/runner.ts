/** A runner whose chunks take time but compute nothing. The runner reports the start and the end of each chunk to the ledger. */
import { hash } from 'node:crypto'
import type { StreamOrder } from '../../../src/jobs/protocol/submit-messages.ts'
import type { Runner } from '../../../src/jobs/shared/runner.ts'
import { CHUNKS_A_GROUP, endsGroup, groupOf } from '../../../src/tasks/execute/group.ts'
import type { Batch, BatchHandlers } from '../../../src/tasks/executor.ts'
import { type Pack, pack, packIndexed, unpack, unpackIndexed } from '../../../src/tasks/values/pack.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import { encodeShardRound, roundChunkOf } from '../../../src/tasks/values/shard-round.ts'
import { digestsOf, returned } from '../../tasks/outcomes.ts'

/** The input of a simulated job. */
export interface SimulatedJob {
  name: string
  chunks: number
  /** The shortest and the longest run of a chunk, in ms. */
  takes: readonly [least: number, most: number]
  /** Number of partials that the client reads while the job runs; `undefined` if the client asks for no partials. */
  reads?: number | undefined
  /** The order of the results, if the job is a stream. */
  stream?: StreamOrder | undefined
  /** Number of shards, if the job is an iteration. */
  shards?: number | undefined
  /** Whether partials are combined by groups. */
  combines?: boolean | undefined
}

/** A chunk in its encoded form. */
type Chunk = readonly [name: string, index: number, takes: SimulatedJob['takes']]
/** The state of an iteration's round, computed from all earlier rounds. */
type State = readonly [name: string, round: number, sum: number]
/** The partial of a chunk. */
type Partial = readonly [name: string, index: number, value: number]
/** The combined partials of a group. */
type Combined = readonly Partial[]

/** The events of a runner. */
export interface RunnerEvents {
  starts(job: string, index: number, alone: boolean): void
  ends(job: string, index: number): void
  /** The runner has folded a wrong partial: a partial of another chunk, or a partial out of order. */
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

  runQuarantined: Runner['runQuarantined'] = ({ sha256, chunk, signal }, handlers) => {
    const batch = { sha256, chunks: packIndexed([chunk]), signal: signal ?? new AbortController().signal }
    return this.#run(batch, handlers, new Map([[chunk.index, new AbortController()]]), true)
  }

  openDriver: Runner['openDriver'] = async ({ input, resume }) => {
    const job = decode(input, 'input') as SimulatedJob
    const { name, chunks: total, takes } = job
    let next = resume?.next ?? 0
    let folded = next
    let sum = resume?.kind === 'folded' ? (decode(resume.accumulator, 'accumulator') as number) : 0
    await this.#pass(1 + this.#random() * 20)
    const rounds = job.shards === undefined ? undefined : new SimulatedRounds(job, job.shards)
    return {
      pull: async max => {
        await this.#pass(this.#random())
        if (rounds !== undefined) {
          const { first, count, ...pulled } = await rounds.pull(next, max, () => ({ folded, sum }))
          next += count
          return { first, ...pulled, digest: new Uint8Array(32), roundOf: job.shards, done: next === total }
        }
        const first = next
        const indices = Array.from({ length: Math.min(max, total - next) }, (_, i) => first + i)
        next += indices.length
        const chunks = pack(indices.map(index => encode([name, index, takes] satisfies Chunk, 'chunk')))
        const digests = digestsOf(indices.map(index => [name, index]))
        const { combines } = job
        return { first, chunks, digests, digest: new Uint8Array(32), combines, done: next === total }
      },
      fold: async (first, partials) => {
        await this.#pass(this.#random())
        if (first !== folded) this.#events.fails(new Error(`${name} is folded from ${first} where ${folded} is next`))
        for (const [job, index, value] of this.#each(partials, folded)) {
          if (job !== name || index !== folded || value !== resultOf(name, folded))
            this.#events.fails(new Error(`${name} ${folded} is folded from ${job} ${index}`))
          sum = step(sum, value)
          folded += 1
        }
        rounds?.folded()
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

  /** The partials of a pack, including the partials inside combined groups. */
  #each(partials: Pack, from: number): Partial[] {
    const all = unpack(partials)
    const found: Partial[] = []
    for (let i = 0; i < all.length; i++) {
      const value = decode(all[i]!, 'partial') as Partial | Combined
      if (typeof value[0] === 'string') {
        found.push(value as Partial)
        continue
      }
      const others = all.slice(i + 1, i + CHUNKS_A_GROUP)
      if (
        groupOf(from + i) !== from + i ||
        others.length + 1 !== value.length ||
        others.some(isEmpty => isEmpty.length)
      )
        this.#events.fails(new Error(`${from + i} to ${from + i + value.length} are not combined as a group`))
      found.push(...(value as Combined))
      i += others.length
    }
    return found
  }

  async #run(
    { chunks, signal, combine }: Batch,
    handlers: BatchHandlers,
    cancelled: ReadonlyMap<number, AbortController>,
    alone: boolean
  ): Promise<void> {
    const group = new SimulatedGroup(handlers, index => !cancelled.get(index)!.signal.aborted)
    for (const { index, bytes } of unpackIndexed(chunks)) {
      signal?.throwIfAborted()
      const chunk = cancelled.get(index)!.signal
      if (chunk.aborted) continue
      const [name, , [least, most]] = this.#chunkOf(bytes, index)
      this.#events.starts(name, index, alone)
      const takes = least + this.#random() * (most - least)
      await this.#pass(takes, AbortSignal.any([signal!, chunk]))
      signal?.throwIfAborted()
      if (chunk.aborted) continue
      this.#events.ends(name, index)
      const partial = [name, index, resultOf(name, index)] satisfies Partial
      if (combine === true) group.add(partial, takes)
      else handlers.onOutcomes(returned(index, partial), takes)
    }
    group.flush()
  }

  /** Decodes a chunk, or assembles the chunk of an iteration from its shard round. */
  #chunkOf(bytes: Uint8Array, index: number): Chunk {
    if (bytes[0] === 0xff) return decode(bytes, 'chunk') as Chunk
    const { round, shard, state, data } = roundChunkOf(bytes)
    const [name, ofRound, sum] = decode(state, 'state') as State
    const chunk = decode(data, 'shard') as Chunk
    const first = index - shard
    if (name !== chunk[0] || ofRound !== round || chunk[1] !== shard || sum !== oneLoop({ name, chunks: first }))
      this.#events.fails(new Error(`${name} ${index} runs with another state or shard than its own`))
    return chunk
  }

  /** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
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

/** Collects the partials of a group, and combines them if the group is complete. */
class SimulatedGroup {
  readonly #handlers: BatchHandlers
  readonly #isWanted: (index: number) => boolean
  #partials: Partial[] = []
  #took = 0

  constructor(handlers: BatchHandlers, isWanted: (index: number) => boolean) {
    this.#handlers = handlers
    this.#isWanted = isWanted
  }

  add(partial: Partial, took: number): void {
    const before = this.#partials.at(-1)
    if (before !== undefined && groupOf(before[1]) !== groupOf(partial[1])) this.flush()
    this.#partials.push(partial)
    this.#took += took
    if (endsGroup(partial[1])) this.flush()
  }

  flush(): void {
    const all = this.#partials.splice(0)
    const wanted = all.filter(([, index]) => this.#isWanted(index))
    const partials = packIndexed(wanted.map(each => ({ index: each[1], bytes: encode(each, 'partial') })))
    const isWhole = wanted.length === CHUNKS_A_GROUP
    const combined = isWhole ? packIndexed([{ index: wanted[0]![1], bytes: encode(wanted, 'partial') }]) : undefined
    if (wanted.length > 0) this.#handlers.onOutcomes({ partials, combined, failed: [] }, this.#took)
    this.#took = 0
  }
}

/** The items of the job as a stream. */
export function* itemsOf({ name, chunks, takes }: SimulatedJob): Generator<Chunk> {
  for (let index = 0; index < chunks; index++) yield [name, index, takes]
}

/** @throws Error unless each result of the stream arrived exactly once, in the requested order */
export function checkOutputs(job: SimulatedJob, outputs: readonly unknown[]): void {
  const sorted = [...(outputs as Partial[])]
  if (job.stream === 'unordered') sorted.sort(([, a], [, b]) => a - b)
  for (const [index, output] of sorted.entries()) checkPartial(output, job, index)
  if (sorted.length !== job.chunks) throw new Error(`${job.name}: ${sorted.length} of ${job.chunks} results have come`)
}

/** The rounds of an iteration in its driver. */
class SimulatedRounds {
  readonly #job: SimulatedJob
  readonly #shards: number
  readonly #given = new Set<string>()
  #waits: (() => void) | undefined
  /** The state of the current round. */
  #state: State | undefined

  constructor(job: SimulatedJob, shards: number) {
    this.#job = job
    this.#shards = shards
  }

  /** Called after each fold. Lets the waiting pull continue. */
  folded(): void {
    this.#waits?.()
  }

  async pull(first: number, max: number, now: () => { folded: number; sum: number }) {
    const { name, takes, chunks: total } = this.#job
    const at = first % this.#shards
    const round = (first - at) / this.#shards
    while (now().folded < first - at)
      await new Promise<void>(resolve => {
        this.#waits = resolve
      })
    if (at === 0) this.#state = [name, round, now().sum]
    // The job resumes in the middle of a round, so the state of this round is computed here.
    this.#state ??= [name, round, oneLoop({ name, chunks: first - at })]
    const state = encode(this.#state, 'state')
    const count = Math.min(max, total - first, this.#shards - at)
    const values: Uint8Array[] = []
    const ids: string[] = []
    const idOf = (bytes: Uint8Array): string => {
      const id = hash('sha256', bytes)
      if (!this.#given.has(id)) {
        ids.push(id)
        values.push(bytes)
      }
      this.#given.add(id)
      return id
    }
    const id = idOf(state)
    const hasState = ids.length > 0
    const references = Array.from({ length: count }, (_, i) => {
      const data = idOf(encode([name, at + i, takes] satisfies Chunk, 'shard'))
      return encodeShardRound({ round, shard: at + i, state: id, data })
    })
    const digests = digestsOf(references.map((_, i) => [name, first + i]))
    return { first, count, chunks: pack(references), digests, values: { ids, hasState, ...pack(values) } }
  }
}

/** Computes the result of the job in one loop. */
export function oneLoop({ name, chunks }: Pick<SimulatedJob, 'name' | 'chunks'>): number {
  let sum = 0
  for (let index = 0; index < chunks; index++) sum = step(sum, resultOf(name, index))
  return sum
}

/** @throws Error unless `partial` is the partial of the expected chunk */
export function checkPartial(partial: unknown, { name }: SimulatedJob, expected: number): void {
  const [job, index, value] = partial as Partial
  if (job === name && index === expected && value === resultOf(name, expected)) return
  throw new Error(`${name} ${expected} is read as ${job} ${index}`)
}

function resultOf(name: string, index: number): number {
  return (Math.imul(index + 1 + name.length * 7_919, 0x9e3779b1) >>> 0) % 1_000_003
}

/** Folds one value into the sum. The fold does not commute, so that the result depends on the order of the values. */
function step(sum: number, value: number): number {
  return (Math.imul(sum, 31) + value) >>> 0
}
