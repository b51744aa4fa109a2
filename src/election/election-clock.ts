/** Tells how long this peer was in an election, and why there was one. All times in ms by a monotonic clock. */
import type { EndReason } from './audit-log.ts'

/** Why a peer took part in an election: how the leadership before it ended, or that it knew of none, or that it outranks the leader. */
export type ElectionReason = EndReason | 'joined' | 'outranked the leader'

/** An election that is over for this peer. */
export interface PastElection {
  ms: number
  reason: ElectionReason
}

/**
 * An election begins for a peer when it has no leader any more, when it asks the leader to hand over, or is asked to; it ends when it accepts a
 * leader. Who outranks all others when the leader is gone leads in the same moment, which is an election, too, of no time. Who follows one
 * leader and then the next, without a time between, has taken no part.
 */
export class ElectionClock {
  #leaderless: { since: number; reason: ElectionReason } | undefined
  #handOver: { since: number; reason: ElectionReason } | undefined

  /** There is no leader since `since`. */
  lost(since: number, reason: ElectionReason): void {
    this.#leaderless ??= { since, reason }
  }

  /** This peer asks the leader to hand over: the first time counts. */
  asks(now: number): void {
    this.#handOver ??= { since: now, reason: 'outranked the leader' }
  }

  /** This peer, which leads, begins to hand over. */
  handsOver(now: number): void {
    this.#handOver = { since: now, reason: 'handed over' }
  }

  /** The leadership does not move: unless it has moved already, and nobody leads yet, whatever was asked for has come to nothing. */
  stays(): void {
    if (this.#leaderless === undefined) this.#handOver = undefined
  }

  /** A leader is accepted, `isSelf`: this peer; `why` the one before leads no more. Undefined: this peer took no part. */
  accepted(now: number, isSelf: boolean, why: EndReason): PastElection | undefined {
    // Another one was quicker than who asked.
    const counts = this.#handOver?.reason === 'outranked the leader' ? isSelf : !isSelf
    const begun = (counts ? this.#handOver : undefined) ?? this.#leaderless
    this.#handOver = undefined
    this.#leaderless = undefined
    if (begun !== undefined) return { ms: now - begun.since, reason: begun.reason }
    return isSelf ? { ms: 0, reason: why } : undefined
  }
}
