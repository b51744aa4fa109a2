import type { TaskFunction } from '../../common/errors.ts'
import type { AppendedCheckpoint, FoldedCheckpoint, FoldState } from '../execute/checkpoint.ts'
import { TaskFailureError } from '../execute/failure.ts'
import { CHUNKS_A_GROUP, groupOf } from '../execute/group.ts'
import type { ResumeData } from '../execute/messages.ts'
import { toFailure } from '../execute/stack.ts'
import { type Pack, unpack } from '../values/pack.ts'
import { decode, decodeAt, encode } from '../values/payload.ts'
import { survey } from '../values/plain-data.ts'
import type { Call } from './call.ts'
import { combineAll } from './combiner.ts'
import type { Task } from './load-task.ts'
import { isThenable } from './scope.ts'

/** The largest accumulator (encoded bytes) that is surveyed after each fold. */
const SMALL = 1024
/** The first byte of a checkpoint's accumulator if the accumulator was large at its last survey. */
const LARGE = 1

/** The functions of a task that folding uses. */
export type FoldTask = Pick<Task, 'combine' | 'initial' | 'reduce' | 'finish'>

/** The part of a checkpoint that the folder makes. */
type Folded = Omit<FoldedCheckpoint, 'digest'> | Omit<AppendedCheckpoint, 'digest'>

/** The last state that was cloned. It is kept while the current state cannot be cloned. */
interface Kept {
  next: number
  bytes: Uint8Array
}

/**
 * Folds partials in chunk order. A change of leader must not change the result, so a driver that resumes must have the same
 * accumulator. Therefore the accumulator passes through structured clone from the first fold on. A task that relies on properties
 * that a clone loses (such as the methods of an instance) fails at once. If a survey shows that the value is plain data, a clone
 * would be equal, and the folder does not clone. A large accumulator is surveyed only after folds 1, 2, 4, 8, …, because surveys
 * after each fold would take quadratic time. This schedule depends only on the partials, not on their arrival or on a resume.
 *
 * The folder cannot detect state outside of the accumulator (variables of the module, closures). Such state is lost with the thread.
 *
 * With `combine`, partials are folded by whole groups, except for the last group of the job. If a worker has combined a group, the
 * first partial of the group is the combined partial, and the other partials have 0 bytes. No real partial has 0 bytes.
 */
export class Folder {
  readonly #call: Call
  readonly #task: FoldTask
  /** The number of chunks before the first chunk that is folded here, so that errors show the index of a chunk in the job. */
  readonly #before: number
  #next = 0
  #started = false
  #accumulator: unknown
  #partials: Uint8Array[] = []
  #bytes = 0
  #large = false
  /** The number of folds at the last clone. A driver that resumes after these folds has the same accumulator. */
  #clonedAt = 0
  #kept: Kept | undefined

  constructor(call: Call, task: FoldTask, before = 0) {
    this.#call = call
    this.#task = task
    this.#before = before
  }

  get state(): FoldState {
    const kind = this.#task.reduce === undefined ? 'appended' : 'folded'
    return { kind, next: this.#next, bytes: this.#bytes }
  }

  /** Every later checkpoint includes at least this number of folds. */
  get oldest(): number {
    return this.#kept?.next ?? this.#next
  }

  /** Resumes from a checkpoint. Call this method before the first fold. */
  resume({ kind, next, ...parts }: Omit<ResumeData, 'digest'>): void {
    if (kind !== this.state.kind)
      throw new TypeError(`a task whose partials are ${this.state.kind} cannot resume ${kind} ones`)
    this.#next = next
    this.#clonedAt = next
    if (kind === 'appended') {
      const values = unpack(parts)
      if (values.length !== next) throw new RangeError(`${values.length} partials to resume from, not ${next}`)
      this.#append(values)
      return
    }
    const [flag, accumulator] = [parts.bytes[0], parts.bytes.subarray(1)]
    this.#large = flag === LARGE
    this.#accumulator = decode(accumulator, 'accumulator')
    this.#bytes = parts.bytes.byteLength
    this.#started = true
  }

  async fold(first: number, partials: Pack): Promise<void> {
    if (first !== this.#next) throw new RangeError(`partial ${this.#next} is to be folded next, not ${first}`)
    if (this.#task.reduce === undefined) {
      this.#next += partials.lengths.length
      this.#append(unpack(partials))
      return
    }
    await this.#start()
    if (this.#task.combine !== undefined) return this.#foldGroups(partials)
    const { lengths, bytes } = partials
    let end = 0
    for (const length of lengths) {
      const start = end
      end += length
      const folded = this.#foldOne(bytes, start, end, 1)
      if (folded !== undefined) await folded
    }
  }

  async #foldGroups({ lengths, bytes }: Pack): Promise<void> {
    let end = 0
    for (let i = 0; i < lengths.length; ) {
      const first = this.#next
      if (first !== groupOf(first)) throw new RangeError(`chunk ${first} begins no group`)
      const ends = [end]
      for (const from = i; i < lengths.length && i - from < CHUNKS_A_GROUP; i++) {
        end += lengths[i]!
        ends.push(end)
      }
      const count = ends.length - 1
      const isCombined = count === 1 || ends[1] === ends[2]
      const value = isCombined ? undefined : await this.#combine(bytes, ends, first)
      const folded =
        value === undefined
          ? this.#foldOne(bytes, ends[0]!, end, count)
          : this.#foldOne(value, 0, value.byteLength, count)
      if (folded !== undefined) await folded
    }
  }

  /** Combines partials, and encodes the result in the same way as a worker. */
  #combine(bytes: Uint8Array, ends: readonly number[], first: number): Promise<Uint8Array> {
    return this.#failAs('combine', first, async () =>
      encode(await combineAll(this.#call, this.#task, bytes, ends, first), 'partial')
    )
  }

  /**
   * Folds one partial. Returns a promise only if `reduce` returns a promise.
   *
   * @param count - the number of chunks in the partial
   */
  #foldOne(bytes: Uint8Array, start: number, end: number, count: number): Promise<void> | undefined {
    const index = this.#next
    this.#next += count
    const told = this.#before + index
    try {
      const partial = decodeAt(bytes, start, end, 'partial')
      const value = this.#call.invoke('reduce', told, () => this.#task.reduce?.(this.#accumulator, partial, index))
      if (isThenable(value)) return this.#failAs('reduce', told, async () => this.#folded(await value))
      this.#folded(value)
      return undefined
    } catch (error) {
      throw new TaskFailureError(toFailure(error, 'reduce', told))
    }
  }

  #folded(accumulator: unknown): void {
    this.#accumulator = accumulator
    const isPowerOfTwo = (this.#next & (this.#next - 1)) === 0
    if (!this.#large || isPowerOfTwo) this.#settle()
  }

  /** Returns a checkpoint; undefined if the accumulator cannot be cloned and no earlier state was kept. */
  async checkpoint(): Promise<Folded | undefined> {
    const { kind } = this.state
    if (kind === 'appended') return { kind, next: this.#next }
    await this.#start()
    if (this.#clonedAt !== this.#next && !survey(this.#accumulator).plain) {
      return this.#kept && { kind, next: this.#kept.next, accumulator: withFlag(true, this.#kept.bytes) }
    }
    const bytes = encode(this.#accumulator, 'accumulator')
    this.#bytes = bytes.byteLength
    this.#kept = undefined
    return { kind, next: this.#next, accumulator: withFlag(this.#large, bytes) }
  }

  /** Returns the accumulator in the form that a driver has after it resumes. */
  async value(): Promise<unknown> {
    await this.#start()
    await this.#failAs('reduce', undefined, async () => this.#settle())
    return this.#accumulator
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    const { finish, reduce } = this.#task
    if (reduce === undefined) {
      await this.#failAs('finish', undefined, async () => {
        this.#accumulator = this.#partials.map(bytes => decode(bytes, 'partial'))
      })
      this.#partials = []
    } else if (finish === undefined) await this.#start()
    else await this.value()
    return this.#failAs(finish === undefined && reduce !== undefined ? 'reduce' : 'finish', undefined, async () => {
      if (finish === undefined) return encode(this.#accumulator, reduce === undefined ? 'result' : 'accumulator')
      const result = await this.#call.within('finish', undefined, () => finish.call(this.#task, this.#accumulator))
      return encode(result, 'result')
    })
  }

  /** Creates the accumulator of this job. Each job gets a copy of the initial value. */
  async #start(): Promise<void> {
    if (this.#started) return
    await this.#failAs('initial', undefined, async () => {
      const { initial } = this.#task
      const value =
        typeof initial === 'function'
          ? await this.#call.within('initial', undefined, () => (initial as () => unknown).call(this.#task))
          : initial
      const bytes = encode(value, 'initial')
      this.#accumulator = decode(bytes, 'initial')
      this.#bytes = bytes.byteLength
      this.#large = bytes.byteLength > SMALL
    })
    this.#started = true
  }

  #append(partials: readonly Uint8Array[]): void {
    for (const partial of partials) {
      this.#partials.push(partial)
      this.#bytes += partial.byteLength
    }
  }

  /** Clones the accumulator if it is not plain data, so that a driver that resumes at this point has an equal accumulator. */
  #settle(): void {
    const { plain, bytes } = survey(this.#accumulator)
    this.#bytes = bytes
    this.#large = bytes > SMALL
    this.#kept = undefined
    if (plain) return
    const encoded = encode(this.#accumulator, 'accumulator')
    this.#accumulator = decode(encoded, 'accumulator')
    this.#clonedAt = this.#next
    if (this.#large) this.#kept = { next: this.#next, bytes: encoded }
  }

  async #failAs<Value>(fn: TaskFunction, index: number | undefined, use: () => Promise<Value>): Promise<Value> {
    try {
      return await use()
    } catch (error) {
      throw new TaskFailureError(toFailure(error, fn, index))
    }
  }
}

function withFlag(large: boolean, accumulator: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + accumulator.byteLength)
  bytes[0] = large ? LARGE : 0
  bytes.set(accumulator, 1)
  return bytes
}
