/** Measures how long this peer took part in an election, and why. All times are in ms, by a monotonic clock. */
import type { EndReason } from './audit-log.ts'

/** Why a peer took part in an election: the previous leadership ended, the peer started without a leader, or the peer outranks the leader. */
export type ElectionReason = EndReason | 'joined' | 'outranked the leader'

/** An election that is over for this peer. */
export interface PastElection {
  ms: number
  reason: ElectionReason
}

/**
 * An election begins for a peer when the peer loses its leader, asks the leader to hand over, or itself begins to hand over. The election
 * ends when the peer accepts a leader. A peer that claims in the moment in which it loses its leader has an election of 0 ms. A follower
 * that accepts the next leader while it still follows the old leader takes no part in an election.
 */
export class ElectionClock {
  #leaderless: { since: number; reason: ElectionReason } | undefined
  #handOver: { since: number; reason: ElectionReason } | undefined

  /** Records that this peer has had no leader since `since`. */
  lost(since: number, reason: ElectionReason): void {
    this.#leaderless ??= { since, reason }
  }

  /** Records that this peer asks the leader to hand over. Only the first request counts. */
  asks(now: number): void {
    this.#handOver ??= { since: now, reason: 'outranked the leader' }
  }

  /** Records that this peer, which leads, begins to hand over. */
  handsOver(now: number): void {
    this.#handOver = { since: now, reason: 'handed over' }
  }

  /** Drops an earlier request or hand-off, which has failed. Keeps it if the old leader has already stopped. */
  stays(): void {
    if (this.#leaderless === undefined) this.#handOver = undefined
  }

  /** Records that this peer accepts a leader. `why`: why the previous leadership ended. Returns undefined if this peer took no part. */
  accepted(now: number, isSelf: boolean, why: EndReason): PastElection | undefined {
    // A request counts only if this peer leads now. A hand-off counts only if another peer leads now.
    const counts = this.#handOver?.reason === 'outranked the leader' ? isSelf : !isSelf
    const begun = (counts ? this.#handOver : undefined) ?? this.#leaderless
    this.#handOver = undefined
    this.#leaderless = undefined
    if (begun !== undefined) return { ms: now - begun.since, reason: begun.reason }
    return isSelf ? { ms: 0, reason: why } : undefined
  }
}
