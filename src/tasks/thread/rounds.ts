import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { TaskFunction } from '../../common/errors.ts'
import type { FoldedCheckpoint, FoldState, Pulled } from '../execute/checkpoint.ts'
import { TaskFailureError } from '../execute/failure.ts'
import type { ResumeData } from '../execute/messages.ts'
import { SplitChangedError } from '../execute/split-changed-error.ts'
import { toFailure } from '../execute/stack.ts'
import { DIGEST_BYTES, digestOf } from '../values/canonical.ts'
import { type OwnPack, type Pack, pack, slicePack, unpack } from '../values/pack.ts'
import { decode, encode } from '../values/payload.ts'
import { encodeShardRound } from '../values/shard-round.ts'
import type { Call } from './call.ts'
import { Folder, type FoldTask } from './folder.ts'
import type { IterationTask } from './load-task.ts'
import { SplitDigest } from './split-digest.ts'
import { Splitter } from './splitter.ts'

/** The number of shards that are split at a time. A cancellation can arrive only between two such steps. */
const SHARDS_AT_A_TIME = 1024
/** A pull ends when its values exceed this number of bytes. */
const PULL_BYTES = 4 * 1024 * 1024
/** The limit of bytes of all shards, because the leader and the workers keep the shards in memory; and the overhead that each shard adds. */
const MOST_SHARD_BYTES = 2 ** 30
const SHARD_OVERHEAD = 256

/** The fold of an iteration without `reduce`: `next` gets the array of partials. */
const COLLECTED: FoldTask = {
  initial: () => [],
  reduce: (partials, partial) => {
    ;(partials as unknown[]).push(partial)
    return partials
  }
}

interface Shard {
  /** The SHA-256 of the encoded shard, in hex. */
  id: string
  digest: Uint8Array
  /** The encoded shard; undefined after the shard has been sent. */
  bytes: Uint8Array | undefined
}

interface Round {
  round: number
  /** The decoded state, in the form that a driver has after it resumes. */
  state: unknown
  bytes: Uint8Array
  id: string
  digest: Uint8Array
  given: boolean
  folder: Folder
}

/** The accumulator of an iteration's checkpoint. */
interface Progress {
  round: number
  /** The encoded state. */
  state: Uint8Array
  /** The checkpoint of the folder of the round. */
  accumulator: Uint8Array
}

export interface RoundsOptions {
  /** The encoded input. */
  input: Uint8Array
  slots: number
  scheduledFor?: number | undefined
  resume?: ResumeData | undefined
}

type PulledShardRounds = Omit<Pulled, 'chunks'> & { chunks: OwnPack; digests: Uint8Array<ArrayBuffer> }

/**
 * Drives an iteration. The chunks of an iteration are the shards of the first round, then the shards of the second round, and so on. A chunk is a
 * reference to values, and a value is sent with the first reference to the value. A round starts when all partials of the previous round are folded.
 */
export class Rounds {
  readonly #call: Call
  readonly #task: IterationTask
  readonly #options: RoundsOptions
  #splitter: Splitter | undefined
  #opening: Promise<void> | undefined
  #shards: Shard[] = []
  #splitDigest: Uint8Array = new Uint8Array()
  #round: Round | undefined
  #done = false
  /** The index of the next chunk to pull. */
  #next: number
  /** The index of the next partial to fold. */
  #foldNext: number
  #onBegun: () => void = () => {}
  #begun = this.#roundBegins()

  constructor(call: Call, task: IterationTask, options: RoundsOptions) {
    const { resume } = options
    if (resume?.kind === 'appended') throw new TypeError('an iteration cannot resume appended partials')
    this.#call = call
    this.#task = task
    this.#options = options
    this.#next = resume?.next ?? 0
    this.#foldNext = this.#next
  }

  get state(): FoldState {
    const round = this.#round
    const bytes = round === undefined ? 0 : round.bytes.byteLength + round.folder.state.bytes
    return { kind: 'folded', next: this.#foldNext, bytes }
  }

  /** Returns the next chunks: at least one chunk, or no chunk and `done`. Waits until all partials of the previous round are folded. */
  async pull(max: number): Promise<PulledShardRounds> {
    this.#opening ??= this.#open()
    await this.#opening
    while (!this.#done && this.#next === this.#endOf(this.#current)) await this.#begun
    const first = this.#next
    const references: Uint8Array[] = []
    const digests: Uint8Array[] = []
    const ids: string[] = []
    const parts: Uint8Array[] = []
    let bytes = 0
    const give = (id: string, part: Uint8Array): void => {
      ids.push(id)
      parts.push(part)
      bytes += part.byteLength
    }
    let hasState = false
    const round = this.#current
    const end = this.#done ? first : Math.min(first + max, this.#endOf(round))
    while (this.#next < end && bytes < PULL_BYTES) {
      const index = this.#next - this.#shards.length * round.round
      const shard = this.#shards[index]!
      if (!round.given) give(round.id, round.bytes)
      if (shard.bytes !== undefined) give(shard.id, shard.bytes)
      hasState ||= !round.given
      round.given = true
      shard.bytes = undefined
      references.push(encodeShardRound({ round: round.round, shard: index, state: round.id, data: shard.id }))
      digests.push(digestOf([round.round, index, round.digest, shard.digest]))
      this.#next += 1
    }
    return {
      first,
      chunks: pack(references),
      digests: pack(digests).bytes,
      digest: this.#splitDigest,
      values: ids.length === 0 ? undefined : { ids, hasState, ...pack(parts) },
      roundOf: this.#shards.length,
      done: this.#done
    }
  }

  /** Folds partials. When the last partial of a round is folded, the next round starts. */
  async fold(first: number, partials: Pack): Promise<void> {
    if (first !== this.#foldNext) throw new RangeError(`partial ${this.#foldNext} is to be folded next, not ${first}`)
    const count = partials.lengths.length
    for (let from = 0; from < count; ) {
      const round = this.#current
      const to = Math.min(count, from + this.#endOf(round) - this.#foldNext)
      await round.folder.fold(round.folder.state.next, slicePack(partials, from, to))
      this.#foldNext += to - from
      from = to
      if (this.#foldNext === this.#endOf(round)) await this.#advance(round)
    }
  }

  async checkpoint(): Promise<FoldedCheckpoint | undefined> {
    const round = this.#round
    if (round === undefined) return undefined
    const folded = await round.folder.checkpoint()
    if (folded?.kind !== 'folded') return undefined
    const progress: Progress = { round: round.round, state: round.bytes, accumulator: folded.accumulator }
    return {
      kind: 'folded',
      next: this.#shards.length * round.round + folded.next,
      digest: this.#splitDigest,
      accumulator: encode(progress, 'checkpoint')
    }
  }

  /** Returns the encoded result. */
  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    const { finish } = this.#task
    const { state, bytes, round } = this.#current
    if (finish === undefined) return new Uint8Array(bytes)
    return await this.#userCall('finish', round, async () => {
      const result = await this.#call.within('finish', undefined, () => finish.call(this.#task, state))
      return encode(result, 'result')
    })
  }

  /** Lets the user's generator run its `finally`. */
  async close(): Promise<void> {
    await this.#splitter?.close()
  }

  get #current(): Round {
    if (this.#round === undefined) throw new TypeError('nothing has been pulled yet')
    return this.#round
  }

  /** The index after the last chunk of a round. */
  #endOf({ round }: Round): number {
    return this.#shards.length * (round + 1)
  }

  async #open(): Promise<void> {
    await this.#split()
    const { resume } = this.#options
    if (resume !== undefined) {
      if (Buffer.compare(this.#splitDigest, resume.digest) !== 0)
        throw new TaskFailureError(toFailure(SplitChangedError.others(this.#shards.length), 'split'))
      const { round, state, accumulator } = decode(unpack(resume)[0]!, 'checkpoint') as Progress
      await this.#begin(round, state, { next: resume.next - round * this.#shards.length, accumulator })
      return
    }
    const { start } = this.#task
    const state = await this.#userCall('start', undefined, async () => {
      // The input is decoded again, because `split` may have changed its copy.
      const input = decode(this.#options.input, 'input')
      return encode(await this.#call.within('start', undefined, () => start.call(this.#task, input)), 'state')
    })
    await this.#begin(0, state)
  }

  /** Collects all shards that `split` gives. */
  async #split(): Promise<void> {
    const digest = new SplitDigest()
    const input = decode(this.#options.input, 'input')
    const { slots, scheduledFor } = this.#options
    const splitter = new Splitter(this.#call, this.#task, input, { slots, scheduledFor, digest })
    this.#splitter = splitter
    let bytes = 0
    for (let done = false; !done; ) {
      const { chunks, ...pulled } = await splitter.pull(SHARDS_AT_A_TIME)
      done = pulled.done
      const digests = digest.last(chunks.lengths.length)
      for (const [i, shard] of unpack(chunks).entries()) {
        const at = i * DIGEST_BYTES
        this.#shards.push({ id: idOf(shard), digest: digests.subarray(at, at + DIGEST_BYTES), bytes: shard })
        bytes += shard.byteLength + SHARD_OVERHEAD
      }
      if (bytes > MOST_SHARD_BYTES) throw splitFailure(tooManyShards(this.#shards.length))
      await setImmediate()
    }
    if (this.#shards.length === 0) throw splitFailure('it gave no shards, and an iteration needs at least one')
    this.#splitDigest = digest.newest()
  }

  /** Starts or resumes a round. */
  async #begin(round: number, bytes: Uint8Array, from?: { next: number; accumulator: Uint8Array }): Promise<void> {
    const state = decode(bytes, 'state')
    const before = this.#shards.length * round
    const folder = new Folder(this.#call, this.#task.reduce === undefined ? COLLECTED : this.#task, before)
    if (from !== undefined) folder.resume({ kind: 'folded', next: from.next, ...pack([from.accumulator]) })
    this.#round = { round, state, bytes, id: idOf(bytes), digest: digestOf(state), given: false, folder }
    // If partials of this round are already folded, the earlier driver has already called `until` for this round.
    if (from !== undefined && from.next > 0) return
    const { until } = this.#task
    this.#done = await this.#userCall('until', round, async () => {
      // `until` gets its own copy of the state, because changes by `until` must have no effect.
      const own = decode(bytes, 'state')
      return Boolean(await this.#call.within('until', undefined, () => until.call(this.#task, own, { round })))
    })
  }

  /** Starts the next round when all partials of a round are folded. */
  async #advance({ round, state, folder }: Round): Promise<void> {
    const accumulator = await folder.value()
    const { next } = this.#task
    const bytes = await this.#userCall('next', round, async () => {
      const made = await this.#call.within('next', undefined, () =>
        next.call(this.#task, state, accumulator, { round })
      )
      return encode(made, 'state')
    })
    await this.#begin(round + 1, bytes)
    const onBegun = this.#onBegun
    this.#begun = this.#roundBegins()
    onBegun()
  }

  #roundBegins(): Promise<void> {
    return new Promise(resolve => {
      this.#onBegun = resolve
    })
  }

  async #userCall<Value>(fn: TaskFunction, round: number | undefined, use: () => Promise<Value>): Promise<Value> {
    try {
      return await use()
    } catch (error) {
      const failure = toFailure(error, fn)
      const message = round === undefined ? failure.message : `${failure.message} (in round ${round})`
      throw new TaskFailureError({ ...failure, message })
    }
  }
}

function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function splitFailure(message: string): TaskFailureError {
  return new TaskFailureError({ function: 'split', name: 'RangeError', message, stack: '' })
}

function tooManyShards(count: number): string {
  const most = `${MOST_SHARD_BYTES / 2 ** 20} MiB`
  return `its first ${count} shards take more than the ${most} that an iteration may hold: split into fewer or smaller ones`
}
