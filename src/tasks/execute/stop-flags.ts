/** Why a chunk of a batch is not to go on. */
export type Stop = 'cancelled' | 'timed-out'

/** By the number that stands for each in shared memory. */
export const STOPS: readonly (Stop | undefined)[] = [undefined, 'cancelled', 'timed-out']

/** Which chunks of a call are to stop, by their position in it. */
export interface Stops {
  get(position: number): Stop | undefined
}

/** A flag for each chunk of a batch, in memory that both threads share: it is seen by a thread that never gives way, too. */
export class StopFlags implements Stops {
  readonly buffer: SharedArrayBuffer
  readonly #flags: Uint8Array

  constructor(memory: SharedArrayBuffer | number) {
    this.buffer = typeof memory === 'number' ? new SharedArrayBuffer(memory) : memory
    this.#flags = new Uint8Array(this.buffer)
  }

  get(position: number): Stop | undefined {
    return STOPS[Atomics.load(this.#flags, position)]
  }

  set(position: number, stop: Stop): void {
    Atomics.store(this.#flags, position, STOPS.indexOf(stop))
  }
}
