/**
 * How many chunks a worker may have outstanding, and how many travel at once. Both follow the measured duration of the
 * chunks: enough to hide the round trip, not so much that one worker hoards the end of a job.
 */

import { isGroupShort } from '../../tasks/execute/group.ts'

/** Chunks that take longer (ms) hide any usual round trip themselves: one waits beside those that run, no more. */
const LONG_CHUNK = 200
/** How much work (ms for each slot) a worker may have waiting: about as long as it takes until there is a next leader that goes on. */
const WORK_AHEAD = 200
/** How much work (ms) one turn of a job hands out. */
const WORK_A_BATCH = 20
const MAX_BATCH = 8_192
/** The most chunks that wait or run at one worker, unless it has more slots. */
export const MAX_OUTSTANDING = 32_768
/** Weight of the newest measurement. */
const WEIGHT = 0.4
/** The shortest duration (ms) that is believed: timers resolve no better. */
const SHORTEST = 0.001

/** What is remembered of chunks counts only where they took at most so long (ms): longer ones hide a round trip, and a mistake would cost more. */
const SHORT_CHUNK = 5
/** How many chunks may wait beside the running ones where only that is known: as many as a small job has for each worker. */
const REMEMBERED_AHEAD = 16

/** What was measured of one job's chunks at one worker. */
export class PrefetchWindow {
  #duration: number | undefined
  /** What is taken for it before the first outcome. */
  readonly #remembered: number | undefined
  /** How many chunks may wait beside the running ones; doubles with each measurement, so that one lucky first chunk does not open the gate. */
  #ramp = 1

  /** @param remembered milliseconds that a chunk of the same task took before */
  constructor(remembered?: number) {
    if (remembered === undefined || remembered > SHORT_CHUNK) return
    this.#remembered = remembered
    this.#ramp = REMEMBERED_AHEAD
  }

  /** Milliseconds a chunk, smoothed; undefined before the first outcome. */
  get duration(): number | undefined {
    return this.#duration
  }

  measure(chunks: number, busyMs: number): void {
    if (chunks === 0) return
    const sample = Math.max(SHORTEST, busyMs / chunks)
    this.#duration = this.#duration === undefined ? sample : this.#duration + (sample - this.#duration) * WEIGHT
    this.#ramp = Math.min(MAX_OUTSTANDING, this.#ramp * 2)
  }

  /**
   * The most chunks outstanding at a worker with `slots` slots.
   *
   * @param bulk - more chunks wait than the cluster has slots: only then may a long chunk wait behind another
   */
  limit(slots: number, bulk: boolean): number {
    const duration = this.#duration ?? this.#remembered
    if (slots === 0 || duration === undefined) return slots
    if (duration >= LONG_CHUNK) return slots + (bulk ? 1 : 0)
    const ahead = Math.max(1, Math.floor((slots * WORK_AHEAD) / duration))
    return Math.min(slots + Math.min(ahead, this.#ramp), Math.max(MAX_OUTSTANDING, slots + 1))
  }

  /** Whether a worker may be given a whole group of chunks at once, to be combined there. */
  get isGroupShort(): boolean {
    return isGroupShort(this.#duration ?? this.#remembered)
  }

  /** Chunks to hand out in one turn. */
  batch(): number {
    const duration = this.#duration ?? this.#remembered
    if (duration === undefined) return 1
    return Math.min(MAX_BATCH, Math.max(1, Math.floor(WORK_A_BATCH / duration)))
  }
}
