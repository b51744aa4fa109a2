/** Measures how long this peer took part in an election, and why. All times in ms by a monotonic clock. */
import type { EndReason } from './audit-log.ts'

/** Why a peer took part in an election: the end of the previous leadership, its start without a leader, or its rank above the leader. */
export type ElectionReason = EndReason | 'joined' | 'outranked the leader'

/** An election that is over for this peer. */
export interface PastElection {
  ms: number
  reason: ElectionReason
}

/**
 * An election begins for a peer when the peer loses its leader, asks the leader to hand over, or itself begins to hand over. The election
 * ends when the peer accepts a leader. A peer that claims in the moment in which it loses its leader has an election of 0 ms. A follower
 * that accepts the next leader while it still has one takes no part in an election.
 */
export class ElectionClock {
  #leaderless: { since: number; reason: ElectionReason } | undefined
  #handOver: { since: number; reason: ElectionReason } | undefined

  /** This peer has no leader since `since`. */
  lost(since: number, reason: ElectionReason): void {
    this.#leaderless ??= { since, reason }
  }

  /** This peer asks the leader to hand over. The first request counts. */
  asks(now: number): void {
    this.#handOver ??= { since: now, reason: 'outranked the leader' }
  }

  /** This peer, which leads, begins to hand over. */
  handsOver(now: number): void {
    this.#handOver = { since: now, reason: 'handed over' }
  }

  /** No leadership is moving: an earlier request or hand-off has failed, unless the old leader has already stopped. */
  stays(): void {
    if (this.#leaderless === undefined) this.#handOver = undefined
  }

  /** This peer accepts a leader, itself if `isSelf`. `why`: the end of the previous leadership. Returns undefined if it took no part. */
  accepted(now: number, isSelf: boolean, why: EndReason): PastElection | undefined {
    // A request counts only if this peer leads now, a hand-off only if another peer does.
    const counts = this.#handOver?.reason === 'outranked the leader' ? isSelf : !isSelf
    const begun = (counts ? this.#handOver : undefined) ?? this.#leaderless
    this.#handOver = undefined
    this.#leaderless = undefined
    if (begun !== undefined) return { ms: now - begun.since, reason: begun.reason }
    return isSelf ? { ms: 0, reason: why } : undefined
  }
}
