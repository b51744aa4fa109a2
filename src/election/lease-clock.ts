import { uptime } from 'node:os'
import type { LeaseTimes } from './quorum/quorum.ts'

/** The clocks of a machine, in ms, each from its own origin. */
export interface Clocks {
  /** Stops while the machine is suspended. */
  monotonic: () => number
  /** The system's uptime, which goes on during a suspend. Its steps are 10 ms, or a second (macOS). */
  uptime: () => number
  wall: () => number
}

const systemClocks: Clocks = {
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  wall: () => Date.now()
}

/** A clock that gains more than this on the monotonic clock, in ms, has counted time that the monotonic clock has not seen. */
const UNSEEN = 25
/** The longest step of an uptime, in ms. An uptime is taken for coarse until it shows a fraction of this step. */
const COARSE = 1_000

/**
 * The two times of a lease. A voter counts its promise by the monotonic clock, which no correction sets forward. A holder counts
 * its lease by `elapsed`, which never falls behind true time: whenever the uptime or the wall clock gains on the monotonic clock,
 * as after a suspend, `elapsed` gains as much, and never loses it again. A wall clock that is set forward ends a lease early,
 * which is safe.
 */
export class LeaseClock {
  readonly #clocks: Clocks
  /** The lead of each clock over the monotonic clock when a gain was last counted. */
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
