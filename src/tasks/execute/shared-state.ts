import type { TaskFunction } from '../../common/errors.ts'

/** By the number that stands for each in shared memory. */
export const FUNCTIONS: readonly (TaskFunction | undefined)[] = [
  undefined,
  'load',
  'split',
  'run',
  'initial',
  'reduce',
  'finish',
  'start',
  'next',
  'until',
  'combine'
]

/** What a thread is doing: the user's function, and the chunk where there is one. */
export interface Activity {
  function: TaskFunction
  index: number | undefined
}

/** What a call in a thread or process shows of itself, and sees of the main thread, while it gives way to nothing. */
export interface CallState {
  /** Told by the main thread. */
  readonly cancelled: boolean
  /** Undefined while none of the user's functions runs. */
  readonly activity: Activity | undefined
  /** It has taken up the call. */
  start(): void
  enter(fn: TaskFunction, index?: number): void
  leave(): void
}

/**
 * Memory that the main thread and a worker thread share: it can be read and written while the thread is busy or after it
 * has died, when no message gets through.
 */
export class SharedState implements CallState {
  readonly buffer: SharedArrayBuffer
  readonly #flags: Int32Array
  readonly #index: Float64Array

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(24)) {
    this.buffer = buffer
    this.#flags = new Int32Array(buffer, 0, 3)
    this.#index = new Float64Array(buffer, 16, 1)
  }

  get cancelled(): boolean {
    return Atomics.load(this.#flags, 0) === 1
  }

  cancel(): void {
    Atomics.store(this.#flags, 0, 1)
  }

  /** The thread has taken up the call. */
  get started(): boolean {
    return Atomics.load(this.#flags, 2) === 1
  }

  start(): void {
    Atomics.store(this.#flags, 2, 1)
  }

  /** Undefined while none of the user's functions runs. */
  get activity(): Activity | undefined {
    const fn = FUNCTIONS[Atomics.load(this.#flags, 1)]
    if (fn === undefined) return undefined
    const index = this.#index[0] as number
    return { function: fn, index: index < 0 ? undefined : index }
  }

  enter(fn: TaskFunction, index?: number): void {
    this.#index[0] = index ?? -1
    Atomics.store(this.#flags, 1, FUNCTIONS.indexOf(fn))
  }

  leave(): void {
    Atomics.store(this.#flags, 1, 0)
  }
}
