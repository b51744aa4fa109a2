import type { Leadership } from './types.ts'

/** How steady a cluster's leadership has been, as one peer has seen it since it was ready. */
export interface LeadershipStats {
  /** How many leaderships it has accepted, the one that it found among them. */
  changes: number
  /** For how long there was no leader, in ms. */
  leaderless: number
}

/** Keeps count of them. All times in ms by a monotonic clock. */
export class LeadershipMeter {
  #changes = 0
  /** The newest leadership counted: one whose leader was falsely held dead is no other when it is seen again. */
  #counted: Leadership | undefined
  #leaderless = 0
  /** Since when there has been no leader; undefined while there is one, and before this peer could know of one. */
  #since: number | undefined

  /** From now on there would be a leader if the cluster had one. */
  ready(hasLeader: boolean, now: number): void {
    if (!hasLeader) this.#since = now
  }

  /** `lostAgo`: the leadership before ended so long before now. */
  changed(leader: Leadership | undefined, now: number, lostAgo = 0): void {
    if (leader !== undefined) {
      if (leader.id !== this.#counted?.id || leader.epoch !== this.#counted.epoch) this.#changes += 1
      this.#counted = leader
      if (this.#since !== undefined) this.#leaderless += now - this.#since
      this.#since = undefined
    } else this.#since ??= now - lostAgo
  }

  stats(now: number): LeadershipStats {
    const current = this.#since === undefined ? 0 : now - this.#since
    return { changes: this.#changes, leaderless: this.#leaderless + current }
  }
}
