import { type Histogram, HistogramRecorder } from '../lib/histogram.ts'
import type { Leadership } from './types.ts'

/** How steady a cluster's leadership has been, as one peer has seen it since it was ready. */
export interface LeadershipStats {
  /** How many leaderships it has accepted, the one that it found among them. */
  changes: number
  /** For how long there was no leader, in ms. */
  leaderless: number
}

/** Of elections, in ms. */
const BOUNDS = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000]

/** Keeps count of them. All times in ms by a monotonic clock. */
export class LeadershipMeter {
  #changes = 0
  /** The newest leadership counted: one whose leader was falsely held dead is no other when it is seen again. */
  #counted: Leadership | undefined
  #leaderless = 0
  /** Since when there has been no leader; undefined while there is one, and before this peer could know of one. */
  #since: number | undefined
  readonly #durations = new HistogramRecorder(BOUNDS)

  /** From now on there would be a leader if the cluster had one. */
  ready(hasLeader: boolean, now: number): void {
    if (!hasLeader) this.#since = now
  }

  /**
   * `lostAgo`: the leadership before ended so long before now; `took`: how long this peer was in the election of that leader, undefined where it took no
   * part.
   */
  changed(
    leader: Leadership | undefined,
    now: number,
    { lostAgo = 0, took }: { lostAgo?: number; took?: number } = {}
  ): void {
    if (leader !== undefined) {
      if (leader.id !== this.#counted?.id || leader.epoch !== this.#counted.epoch) {
        this.#changes += 1
        // The first one may have been there before.
        if (this.#counted !== undefined || took !== undefined) this.#durations.record(took ?? 0)
      }
      this.#counted = leader
      if (this.#since !== undefined) this.#leaderless += now - this.#since
      this.#since = undefined
    } else this.#since ??= now - lostAgo
  }

  /** This peer has left: what it does not know of any more is no time without a leader. */
  stopped(now: number): void {
    this.#leaderless = this.stats(now).leaderless
    this.#since = undefined
  }

  stats(now: number): LeadershipStats {
    const current = this.#since === undefined ? 0 : now - this.#since
    return { changes: this.#changes, leaderless: this.#leaderless + current }
  }

  /**
   * How long elections took (election-clock.ts); 0 where this peer took no part, as one leadership followed upon the other at once.
   */
  durations(): Histogram {
    return this.#durations.read()
  }
}
