import { types } from 'node:util'
import { TaskFailureError } from '../failure.ts'
import { encode } from '../payload.ts'
import { toFailure } from '../stack.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'

/** A pull ends when it has lasted so long (ms) or holds so many bytes, so that its caller gets on. */
const PULL_MS = 20
const PULL_BYTES = 4 * 1024 * 1024

export interface Pulled {
  first: number
  chunks: Uint8Array[]
  done: boolean
}

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>
type Next = IteratorResult<unknown>

/** Splits an input lazily: what is not asked for is not computed. */
export class Splitter {
  readonly #call: Pick<Call, 'within'>
  readonly #task: Task
  readonly #input: unknown
  readonly #slots: number
  #iterator: AnyIterator | undefined
  #index = 0
  #done = false
  /** A step of an async split that the last pull did not wait for. */
  #pending: Promise<Next> | undefined

  constructor(call: Pick<Call, 'within'>, task: Task, input: unknown, slots: number) {
    this.#call = call
    this.#task = task
    this.#input = input
    this.#slots = slots
  }

  /** The next chunks: at least one, or none and `done`. */
  async pull(max: number): Promise<Pulled> {
    const first = this.#index
    const chunks: Uint8Array[] = []
    const until = performance.now() + PULL_MS
    let bytes = 0
    try {
      while (!this.#done && chunks.length < max && bytes < PULL_BYTES) {
        const left = until - performance.now()
        if (chunks.length > 0 && left <= 0) break
        const next = await this.#next(chunks.length > 0 ? left : undefined)
        if (next === undefined) break
        if (next.done === true) {
          this.#done = true
          break
        }
        const chunk = encode(next.value, 'chunk')
        bytes += chunk.byteLength
        chunks.push(chunk)
        this.#index++
      }
    } catch (error) {
      this.#done = true
      throw new TaskFailureError(toFailure(error, 'split', this.#iterator === undefined ? undefined : this.#index))
    }
    return { first, chunks, done: this.#done }
  }

  /** Lets the user's generator run its `finally`. */
  async close(): Promise<void> {
    const started = this.#iterator !== undefined && !this.#done
    this.#done = true
    if (started) await this.#call.within('split', undefined, () => this.#iterator?.return?.())
  }

  /** The next step, or undefined when it takes longer than `limit` ms. */
  async #next(limit: number | undefined): Promise<Next | undefined> {
    if (this.#pending === undefined) {
      const iterator = this.#iterator ?? (await this.#start())
      this.#iterator = iterator
      this.#pending = this.#call.within('split', this.#index, () => iterator.next() as Next | Promise<Next>)
      // Whoever awaits it next gets its rejection; until then it is not unhandled.
      this.#pending.catch(() => {})
    }
    const next = limit === undefined ? await this.#pending : await atMost(this.#pending, limit)
    if (next === undefined) return undefined
    this.#pending = undefined
    if (typeof next !== 'object' || next === null) throw new TypeError(`the iterator of split gave ${String(next)}`)
    return next
  }

  async #start(): Promise<AnyIterator> {
    const { split } = this.#task
    const source: unknown =
      split === undefined
        ? this.#input
        : await this.#call.within('split', undefined, () => split.call(this.#task, this.#input, { slots: this.#slots }))
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

async function atMost<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
