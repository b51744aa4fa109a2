import type { TaskFunction } from '../../errors.ts'
import { TaskFailureError } from '../failure.ts'
import { decode, encode } from '../payload.ts'
import { toFailure } from '../stack.ts'
import type { Call } from './call.ts'
import type { Task } from './load-task.ts'

/** An accumulator up to this size (bytes, encoded) passes structured clone at each fold. */
const SMALL = 4 * 1024

/**
 * Folds partials in chunk order. The accumulator passes structured clone from the first fold on, so that a task which
 * relies on more than that (an instance's methods, say) shows it at once, not only after a change of leader. A large
 * accumulator does so after folds 1, 2, 4, 8, …: else many folds would cost the square of their number. Which folds
 * these are depends on the partials alone, never on how they arrived.
 */
export class Folder {
  readonly #call: Call
  readonly #task: Task
  #next = 0
  #started = false
  #accumulator: unknown
  #partials: Uint8Array[] = []
  #size = 0
  #cloneAt = 1

  constructor(call: Call, task: Task) {
    this.#call = call
    this.#task = task
  }

  async fold(first: number, partials: readonly Uint8Array[]): Promise<void> {
    if (first !== this.#next) throw new RangeError(`partial ${this.#next} is to be folded next, not ${first}`)
    const { reduce } = this.#task
    if (reduce === undefined) {
      this.#partials.push(...partials)
      this.#next += partials.length
      return
    }
    await this.#start()
    for (const bytes of partials) {
      const index = this.#next++
      await this.#guard('reduce', index, async () => {
        const partial = decode(bytes, 'partial')
        this.#accumulator = await this.#call.within('reduce', index, () =>
          reduce.call(this.#task, this.#accumulator, partial, index)
        )
        if (this.#size <= SMALL || index + 1 >= this.#cloneAt) this.#clone()
        if (index + 1 >= this.#cloneAt) this.#cloneAt *= 2
      })
    }
  }

  async finish(): Promise<Uint8Array<ArrayBuffer>> {
    const { finish, reduce } = this.#task
    if (reduce === undefined) {
      await this.#guard('finish', undefined, async () => {
        this.#accumulator = this.#partials.map(bytes => decode(bytes, 'partial'))
      })
      this.#partials = []
    } else {
      await this.#start()
      if (finish !== undefined) await this.#guard('reduce', undefined, async () => this.#clone())
    }
    return this.#guard(finish === undefined && reduce !== undefined ? 'reduce' : 'finish', undefined, async () => {
      if (finish === undefined) return encode(this.#accumulator, reduce === undefined ? 'result' : 'accumulator')
      const result = await this.#call.within('finish', undefined, () => finish.call(this.#task, this.#accumulator))
      return encode(result, 'result')
    })
  }

  /** The initial value, a copy for each job. */
  async #start(): Promise<void> {
    if (this.#started) return
    await this.#guard('initial', undefined, async () => {
      const { initial } = this.#task
      const value =
        typeof initial === 'function'
          ? await this.#call.within('initial', undefined, () => (initial as () => unknown).call(this.#task))
          : initial
      this.#accumulator = decode(encode(value, 'initial'), 'initial')
    })
    this.#started = true
  }

  #clone(): void {
    const bytes = encode(this.#accumulator, 'accumulator')
    this.#size = bytes.byteLength
    this.#accumulator = decode(bytes, 'accumulator')
  }

  async #guard<Value>(fn: TaskFunction, index: number | undefined, use: () => Promise<Value>): Promise<Value> {
    try {
      return await use()
    } catch (error) {
      throw new TaskFailureError(toFailure(error, fn, index))
    }
  }
}
