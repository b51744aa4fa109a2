import { uptime } from 'node:os'
import type { LeaseTimes } from './quorum/quorum.ts'

/** Clocks of a machine, in ms from origins of their own. */
export interface Clocks {
  /** Stops while the machine is suspended. */
  monotonic: () => number
  /** The system's uptime: goes on while it is suspended. In steps of 10 ms, or of a second (macOS). */
  uptime: () => number
  wall: () => number
}

const systemClocks: Clocks = {
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  wall: () => Date.now()
}

/** A clock that has run ahead of the monotonic one by more than this, in ms, knows of time that the monotonic one has not seen. */
const UNSEEN = 25
/** The longest step in which a system tells its uptime, in ms: one that has never told a part of it tells less than the wall clock does. */
const COARSE = 1_000

/**
 * The two times of a lease. What a voter promised is counted by the monotonic clock, which no correction makes run ahead. What is
 * held is counted by a time that never falls behind: each time when uptime or the wall clock runs ahead, as after a suspend, so
 * much is added, and never taken back. A wall clock that is set forward ends a lease early; that is safe.
 */
export class LeaseClock {
  readonly #clocks: Clocks
  /** By how much each was ahead of the monotonic clock when that was last counted. */
  readonly #ahead: { uptime: number; wall: number }
  #unseen = 0
  #isCoarse = true

  constructor(clocks: Clocks = systemClocks) {
    this.#clocks = clocks
    const monotonic = clocks.monotonic()
    this.#ahead = { uptime: clocks.uptime() - monotonic, wall: clocks.wall() - monotonic }
  }

  times(): LeaseTimes {
    const monotonic = this.#clocks.monotonic()
    const unseen = Math.max(this.#newlyAhead('uptime', monotonic), this.#newlyAhead('wall', monotonic))
    this.#unseen += unseen
    return { monotonic, elapsed: monotonic + this.#unseen }
  }

  #newlyAhead(clock: 'uptime' | 'wall', monotonic: number): number {
    const reading = this.#clocks[clock]()
    const ahead = reading - monotonic
    const more = ahead - this.#ahead[clock]
    if (clock === 'uptime' && reading % COARSE !== 0) this.#isCoarse = false
    if (Math.abs(more) <= UNSEEN + (clock === 'uptime' && this.#isCoarse ? COARSE : 0)) return 0
    this.#ahead[clock] = ahead
    return Math.max(0, more)
  }
}
