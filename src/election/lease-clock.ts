import { uptime } from 'node:os'
import type { LeaseTimes } from './quorum/quorum.ts'

/** The clocks of a machine, in ms, each from its own origin. */
export interface Clocks {
  /** A clock that stops while the machine is suspended. */
  monotonic: () => number
  /** The system's uptime, which advances while the machine is suspended. It advances in steps of 10 ms, on macOS of a second. */
  uptime: () => number
  wall: () => number
}

const systemClocks: Clocks = {
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1_000,
  wall: () => Date.now()
}

/** In ms: a clock that gains more than this on the monotonic clock has counted time in which the monotonic clock stood still. */
const UNSEEN = 25
/** The longest step of an uptime, in ms. An uptime counts as coarse until a value is not a multiple of this step. */
const COARSE = 1_000

/**
 * The two times of a lease. A voter counts its promise by the monotonic clock, which no correction sets forward. A holder counts
 * its lease by `elapsed`, which never falls behind true time. Whenever the uptime or the wall clock gains on the monotonic clock,
 * as after a suspend, `elapsed` advances by the same time, and never goes back. A wall clock that is set forward ends a lease
 * early, which is safe.
 */
export class LeaseClock {
  readonly #clocks: Clocks
  /** How far each clock was ahead of the monotonic clock when a gain was last counted. */
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
