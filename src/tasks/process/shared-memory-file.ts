/**
 * A file that a peer and a process of isolated tasks both have open: each side sees what the other has written, also while that is busy
 * and reads no messages. In place of memory that both share, which Node has for threads only.
 */
import { readSync, writeSync } from 'node:fs'
import type { TaskFunction } from '../../common/errors.ts'
import { type Activity, type CallState, FUNCTIONS, STOPS, type Stop } from '../execute/shared-state.ts'

/** The process writes what it is doing there: the number of the function, and the chunk's index (-1: none), 64 bits each. */
const ACTIVITY_BYTES = 16
/** The peer writes from here on: whether the call is cancelled, then a byte for each chunk. */
const ORDERS_AT = 64
/** How old (ms) what the process has read of it may be: to look for each tiny chunk would cost more than the chunk. */
const FRESH_MS = 1

/** The peer's side. */
export class PeerSharedMemory {
  readonly #file: number
  readonly #activity = new Float64Array(ACTIVITY_BYTES / 8)
  #orders = new Uint8Array(1)

  /** @param file - a descriptor that is open for reading and writing */
  constructor(file: number) {
    this.#file = file
  }

  /** For another call, of so many chunks. */
  begin(chunks: number): void {
    this.#activity.fill(0)
    writeSync(this.#file, this.#activity, 0, ACTIVITY_BYTES, 0)
    this.#orders = new Uint8Array(1 + chunks)
    writeSync(this.#file, this.#orders, 0, this.#orders.byteLength, ORDERS_AT)
  }

  cancel(): void {
    this.#order(0, 1)
  }

  stop(position: number, stop: Stop): void {
    this.#order(1 + position, STOPS.indexOf(stop))
  }

  stopOf(position: number): Stop | undefined {
    return STOPS[this.#orders[1 + position] ?? 0]
  }

  /** What the process says that it is doing. It may lie: that is of use to nobody but to find which of its own chunks ended it. */
  get activity(): Activity | undefined {
    if (readSync(this.#file, this.#activity, 0, ACTIVITY_BYTES, 0) < ACTIVITY_BYTES) return undefined
    const [number = 0, index = -1] = this.#activity
    const fn = FUNCTIONS[number]
    if (fn === undefined) return undefined
    return { function: fn, index: Number.isSafeInteger(index) && index >= 0 ? index : undefined }
  }

  #order(at: number, value: number): void {
    this.#orders[at] = value
    writeSync(this.#file, this.#orders, at, 1, ORDERS_AT + at)
  }
}

/** The side of the process. */
export class TaskSharedMemory implements CallState {
  readonly #file: number
  readonly #shown = new Float64Array(ACTIVITY_BYTES / 8)
  readonly #orders: Uint8Array
  #readAt = Number.NEGATIVE_INFINITY

  constructor(file: number, chunks: number) {
    this.#file = file
    this.#orders = new Uint8Array(1 + chunks)
  }

  get cancelled(): boolean {
    return this.#order(0) === 1
  }

  stopOf(position: number): Stop | undefined {
    return STOPS[this.#order(1 + position)]
  }

  get activity(): Activity | undefined {
    const fn = FUNCTIONS[this.#shown[0]!]
    const index = this.#shown[1]!
    return fn === undefined ? undefined : { function: fn, index: index < 0 ? undefined : index }
  }

  start(): void {
    // The peer knows that: it has been answered before.
  }

  enter(fn: TaskFunction, index = -1): void {
    this.#show(FUNCTIONS.indexOf(fn), index)
  }

  leave(): void {
    this.#show(0, -1)
  }

  #show(fn: number, index: number): void {
    // A batch and the function that it calls both tell of the same chunk.
    if (this.#shown[0] === fn && this.#shown[1] === index) return
    this.#shown[0] = fn
    this.#shown[1] = index
    writeSync(this.#file, this.#shown, 0, ACTIVITY_BYTES, 0)
  }

  #order(at: number): number {
    const now = performance.now()
    if (now - this.#readAt >= FRESH_MS) {
      readSync(this.#file, this.#orders, 0, this.#orders.byteLength, ORDERS_AT)
      this.#readAt = now
    }
    return this.#orders[at] ?? 0
  }
}
