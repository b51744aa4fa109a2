import type { TaskFunction } from '../../common/errors.ts'

/** The user's functions. The index of a function is its number in shared memory. */
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

/** Why a chunk must stop. */
export type Stop = 'cancelled' | 'timed-out'

/** The reasons to stop a chunk. The index of a reason is its number in shared memory. */
export const STOPS: readonly (Stop | undefined)[] = [undefined, 'cancelled', 'timed-out']

/** The user's function that a thread runs, and the index of its chunk if the function runs for a chunk. */
export interface Activity {
  function: TaskFunction
  index: number | undefined
}

/** State that a call in a thread or process shares with the main thread. Both sides can access the state while user code blocks the event loop. */
export interface CallState {
  /** Whether the main thread has cancelled the call. */
  readonly cancelled: boolean
  /** The running user function; undefined while no user function runs. */
  readonly activity: Activity | undefined
  /** Why the main thread stops the chunk at a position of the call. */
  stopOf(position: number): Stop | undefined
  /** Records that the call has reached its thread. */
  start(): void
  enter(fn: TaskFunction, index?: number): void
  leave(): void
}

/** The offset of the stop flags. Each chunk has a flag of one byte. */
const STOPS_AT = 24

/** Memory that the main thread and a worker thread share. The memory stays readable while the thread is busy and after the thread has died. */
export class SharedState implements CallState {
  readonly buffer: SharedArrayBuffer
  readonly #flags: Int32Array
  readonly #index: Float64Array
  readonly #stops: Uint8Array

  /** @param memory - the memory that the other side has created, or the number of chunks if this side creates memory for a call */
  constructor(memory: SharedArrayBuffer | number) {
    this.buffer = typeof memory === 'number' ? new SharedArrayBuffer(STOPS_AT + memory) : memory
    this.#flags = new Int32Array(this.buffer, 0, 3)
    this.#index = new Float64Array(this.buffer, 16, 1)
    this.#stops = new Uint8Array(this.buffer, STOPS_AT)
  }

  stopOf(position: number): Stop | undefined {
    return STOPS[Atomics.load(this.#stops, position)]
  }

  stop(position: number, stop: Stop): void {
    Atomics.store(this.#stops, position, STOPS.indexOf(stop))
  }

  get cancelled(): boolean {
    return Atomics.load(this.#flags, 0) === 1
  }

  cancel(): void {
    Atomics.store(this.#flags, 0, 1)
  }

  get started(): boolean {
    return Atomics.load(this.#flags, 2) === 1
  }

  start(): void {
    Atomics.store(this.#flags, 2, 1)
  }

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
