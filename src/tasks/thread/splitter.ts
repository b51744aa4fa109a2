import { setImmediate } from 'node:timers/promises'
import { types } from 'node:util'
import type { SplitContext } from '../define/types.ts'
import { TaskFailureError } from '../execute/failure.ts'
import { SplitChangedError } from '../execute/split-changed-error.ts'
import { toFailure } from '../execute/stack.ts'
import type { OwnPack } from '../values/pack.ts'
import { PackWriter } from '../values/pack-writer.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'
import { isThenable } from './scope.ts'
import type { SplitDigest } from './split-digest.ts'

/** A pull ends after this time (ms) or this number of bytes, so that the caller need not wait for all requested chunks. */
const PULL_MS = 20
const PULL_BYTES = 4 * 1024 * 1024

export interface Pulled {
  first: number
  chunks: OwnPack
  done: boolean
  /** The mean time that `split` took for each chunk, in ms; undefined if there are no chunks. */
  msEach: number | undefined
}

export interface SplitOptions {
  /** The slots of the cluster, which `split` gets. */
  slots: number
  /** The due time of the job, in ms since the Unix epoch. Default: the job has none. */
  scheduledFor?: number | undefined
  /** The number of chunks to skip, because an earlier driver has folded their partials. They are split again, but not returned. Default 0. */
  skip?: number
  /** The rolling digest that the skipped chunks must have. */
  expected?: Uint8Array | undefined
  /** The rolling digest. The splitter adds each chunk to the rolling digest, whether the chunk is returned or skipped. */
  digest?: SplitDigest
}

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>
type Next = IteratorResult<unknown>

/** Splits an input lazily: calls `split` only for the chunks that are pulled. */
export class Splitter {
  readonly #call: Pick<Call, 'invoke'>
  readonly #task: Pick<Task, 'split'>
  readonly #input: unknown
  readonly #options: SplitOptions
  #iterator: AnyIterator | undefined
  #index = 0
  #passed: boolean
  #done = false
  /** The pending step of an async split that the last pull did not await. */
  #pending: Promise<Next> | undefined
  readonly #chunks = new PackWriter()
  readonly #advance = () => (this.#iterator as AnyIterator).next() as Next | Promise<Next>

  constructor(call: Pick<Call, 'invoke'>, task: Task | Pick<Task, 'split'>, input: unknown, options: SplitOptions) {
    this.#call = call
    this.#task = task
    this.#input = input
    this.#options = options
    this.#passed = (options.skip ?? 0) === 0
  }

  /** Returns the next chunks: at least one chunk, or no chunk and `done`. */
  async pull(max: number): Promise<Pulled> {
    if (!this.#passed && !this.#done) await this.#pass()
    const first = this.#index
    const chunks = this.#chunks
    const { digest } = this.#options
    const began = performance.now()
    const until = began + PULL_MS
    try {
      while (!this.#done && chunks.count < max && chunks.byteLength < PULL_BYTES) {
        const left = until - performance.now()
        if (chunks.count > 0 && left <= 0) break
        const step = this.#iterator === undefined ? this.#first() : this.#step()
        const next = isThenable(step) ? await (chunks.count > 0 ? atMost(step, left) : step) : step
        if (next === LATE) break
        this.#pending = undefined
        if (checkedStep(next).done === true) {
          this.#done = true
          break
        }
        chunks.add(next.value, 'chunk')
        digest?.add(next.value)
        this.#index++
      }
    } catch (error) {
      chunks.take()
      throw this.#failure(error)
    }
    const msEach = chunks.count === 0 ? undefined : (performance.now() - began) / chunks.count
    return { first, chunks: chunks.take(), done: this.#done, msEach }
  }

  /** Splits the skipped chunks again, and checks that they have not changed. */
  async #pass(): Promise<void> {
    const { skip = 0, expected, digest } = this.#options
    try {
      let until = performance.now() + PULL_MS
      while (this.#index < skip && !this.#done) {
        const step = this.#iterator === undefined ? this.#first() : this.#step()
        const next = checkedStep(isThenable(step) ? await step : step)
        this.#pending = undefined
        if (next.done === true) throw SplitChangedError.fewer(this.#index, skip)
        this.#index++
        digest?.add(next.value)
        digest?.forget(this.#index)
        if (performance.now() < until) continue
        // Lets the event loop handle folds and a cancellation.
        await setImmediate()
        until = performance.now() + PULL_MS
      }
      const actual = digest?.newest()
      if (actual !== undefined && expected !== undefined && Buffer.compare(actual, expected) !== 0) {
        throw SplitChangedError.others(skip)
      }
      this.#passed = true
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): TaskFailureError {
    this.#done = true
    return new TaskFailureError(toFailure(error, 'split', this.#iterator === undefined ? undefined : this.#index))
  }

  /** Lets the user's generator run its `finally`. */
  async close(): Promise<void> {
    const started = this.#iterator !== undefined && !this.#done
    this.#done = true
    if (started) await this.#call.invoke('split', undefined, () => this.#iterator?.return?.())
  }

  async #first(): Promise<Next> {
    this.#iterator = await this.#start()
    return await this.#step()
  }

  /** Returns the pending step of an async split, or starts the next step. */
  #step(): Next | Promise<Next> {
    if (this.#pending !== undefined) return this.#pending
    const next = this.#call.invoke('split', this.#index, this.#advance)
    if (!isThenable(next)) return next
    this.#pending = Promise.resolve(next)
    // The next pull will get the rejection. Until the next pull, Node must not report the rejection as unhandled.
    this.#pending.catch(() => {})
    return this.#pending
  }

  async #start(): Promise<AnyIterator> {
    const { split } = this.#task
    const source: unknown =
      split === undefined
        ? this.#input
        : await this.#call.invoke('split', undefined, () =>
            split.call(this.#task, this.#input, contextOf(this.#options))
          )
    if (typeof source === 'string' || (typeof source === 'object' && source !== null)) {
      const { [Symbol.asyncIterator]: asyncStart, [Symbol.iterator]: start } = source as Partial<
        AsyncIterable<unknown> & Iterable<unknown>
      >
      if (typeof asyncStart === 'function') return asyncStart.call(source)
      if (typeof start === 'function') return start.call(source)
    }
    const what = types.isPromise(source) ? 'a promise' : source === null ? 'null' : typeof source
    throw new TypeError(
      split === undefined
        ? `the task has no \`split\`, so its chunks are the elements of the input, but the input is no iterable (it is ${what})`
        : `\`split\` must return an iterable or async iterable of chunks; it returned ${what}`
    )
  }
}

function checkedStep(next: Next): Next {
  if (typeof next !== 'object' || next === null) throw new TypeError(`the iterator of split gave ${String(next)}`)
  return next
}

const LATE = Symbol('late')

/** Resolves with the value of the promise, or with LATE after `ms`. */
async function atMost<Value>(promise: PromiseLike<Value>, ms: number): Promise<Value | typeof LATE> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>(resolve => {
    timer = setTimeout(resolve, ms, LATE)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function contextOf({ slots, scheduledFor }: SplitOptions): SplitContext {
  return { slots, ...(scheduledFor !== undefined && { scheduledFor: new Date(scheduledFor) }) }
}
