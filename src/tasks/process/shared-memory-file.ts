/**
 * Shared memory of a peer and a process of tasks. The memory is a file that both sides have open, because Node can share memory only between
 * threads. Each side can read the writes of the other side even while user code blocks the event loop.
 */
import { readSync, writeSync } from 'node:fs'
import type { TaskFunction } from '../../common/errors.ts'
import { type Activity, type CallState, FUNCTIONS, STOPS, type Stop } from '../execute/shared-state.ts'

/** The size of the part that the process writes: the number of the current function and the index of the chunk (-1: no chunk), 64 bits each. */
const ACTIVITY_BYTES = 16
/** The offset of the part that the peer writes: a byte that tells whether the call is cancelled, and then one stop flag (a byte) for each chunk. */
const FLAGS_AT = 64
/** The time (ms) for which the process caches the flags, because one read for each tiny chunk would take longer than the chunk. */
const CACHE_MS = 1

/** The peer's side of the shared memory. */
export class PeerSharedMemory {
  readonly #file: number
  readonly #activity = new Float64Array(ACTIVITY_BYTES / 8)
  #flags = new Uint8Array(1)

  /** @param file - a descriptor that is open for reading and writing */
  constructor(file: number) {
    this.#file = file
  }

  /** Resets the memory for another call. */
  begin(chunks: number): void {
    this.#activity.fill(0)
    writeSync(this.#file, this.#activity, 0, ACTIVITY_BYTES, 0)
    this.#flags = new Uint8Array(1 + chunks)
    writeSync(this.#file, this.#flags, 0, this.#flags.byteLength, FLAGS_AT)
  }

  cancel(): void {
    this.#flag(0, 1)
  }

  stop(position: number, stop: Stop): void {
    this.#flag(1 + position, STOPS.indexOf(stop))
  }

  stopOf(position: number): Stop | undefined {
    return STOPS[this.#flags[1 + position] ?? 0]
  }

  /** The activity that the process reports. A false report can only change which chunk of this process fails when the process dies. */
  get activity(): Activity | undefined {
    const isRead = readSync(this.#file, this.#activity, 0, ACTIVITY_BYTES, 0) === ACTIVITY_BYTES
    return isRead ? activityOf(this.#activity) : undefined
  }

  #flag(at: number, value: number): void {
    this.#flags[at] = value
    writeSync(this.#file, this.#flags, at, 1, FLAGS_AT + at)
  }
}

/** The process's side of the shared memory. */
export class TaskSharedMemory implements CallState {
  readonly #file: number
  readonly #written = new Float64Array(ACTIVITY_BYTES / 8)
  readonly #flags: Uint8Array
  #readAt = Number.NEGATIVE_INFINITY

  constructor(file: number, chunks: number) {
    this.#file = file
    this.#flags = new Uint8Array(1 + chunks)
  }

  get cancelled(): boolean {
    return this.#flag(0) === 1
  }

  stopOf(position: number): Stop | undefined {
    return STOPS[this.#flag(1 + position)]
  }

  get activity(): Activity | undefined {
    return activityOf(this.#written)
  }

  start(): void {
    // This method has nothing to record, because the `ready` report has already shown that the process has started.
  }

  enter(fn: TaskFunction, index = -1): void {
    this.#write(FUNCTIONS.indexOf(fn), index)
  }

  leave(): void {
    this.#write(0, -1)
  }

  #write(fn: number, index: number): void {
    // The batch and the call of the function both enter the same chunk, so the second write is skipped.
    if (this.#written[0] === fn && this.#written[1] === index) return
    this.#written[0] = fn
    this.#written[1] = index
    writeSync(this.#file, this.#written, 0, ACTIVITY_BYTES, 0)
  }

  #flag(at: number): number {
    const now = performance.now()
    if (now - this.#readAt >= CACHE_MS) {
      readSync(this.#file, this.#flags, 0, this.#flags.byteLength, FLAGS_AT)
      this.#readAt = now
    }
    return this.#flags[at] ?? 0
  }
}

function activityOf([number = 0, index = -1]: Float64Array): Activity | undefined {
  const fn = FUNCTIONS[number]
  return fn && { function: fn, index: Number.isSafeInteger(index) && index >= 0 ? index : undefined }
}
