import { type Histogram, HistogramRecorder } from '../lib/histogram.ts'
import type { Leadership } from './types.ts'

/** How stable the leadership of a cluster has been, as one peer has seen it since it was ready. */
export interface LeadershipStats {
  /** The number of leaderships that the peer has accepted, including the one that it found at its start. */
  changes: number
  /** The time without a leader, in ms. */
  leaderless: number
}

/** The bounds of the histogram of election durations, in ms. */
const BOUNDS = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000]

/** Counts leaderships and the time without a leader. All times are in ms, by a monotonic clock. */
export class LeadershipMeter {
  #changes = 0
  /** The newest counted leadership. It does not count a second time when this peer wrongly held its leader dead for a while. */
  #counted: Leadership | undefined
  #leaderless = 0
  /** When this peer lost its leader. Undefined while this peer has a leader, and before this peer is ready. */
  #since: number | undefined
  readonly #durations = new HistogramRecorder(BOUNDS)

  /** Starts to count the time without a leader, because a peer that is ready would know a leader of the cluster. */
  ready(hasLeader: boolean, now: number): void {
    if (!hasLeader) this.#since = now
  }

  /**
   * Counts a new leader. `lostAgo`: the time since the previous leadership ended. `took`: how long this peer took part in the election of
   * `leader`, undefined if this peer took no part.
   */
  changed(
    leader: Leadership | undefined,
    now: number,
    { lostAgo = 0, took }: { lostAgo?: number; took?: number } = {}
  ): void {
    if (leader !== undefined) {
      if (leader.id !== this.#counted?.id || leader.epoch !== this.#counted.epoch) {
        this.#changes += 1
        // The first leadership may have begun before this peer started.
        if (this.#counted !== undefined || took !== undefined) this.#durations.record(took ?? 0)
      }
      this.#counted = leader
      if (this.#since !== undefined) this.#leaderless += now - this.#since
      this.#since = undefined
    } else this.#since ??= now - lostAgo
  }

  /** Stops to count the time without a leader, because this peer has left. */
  stopped(now: number): void {
    this.#leaderless = this.stats(now).leaderless
    this.#since = undefined
  }

  stats(now: number): LeadershipStats {
    const current = this.#since === undefined ? 0 : now - this.#since
    return { changes: this.#changes, leaderless: this.#leaderless + current }
  }

  /**
   * Returns the durations of elections (election-clock.ts). An election has 0 ms if one leadership directly followed another leadership.
   */
  durations(): Histogram {
    return this.#durations.read()
  }
}
