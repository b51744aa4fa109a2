import type { PeerIdString } from '../../network/types.ts'
import { Part } from './part.ts'

/** How many times longer a peer waits when a higher member has not taken over. */
const PATIENCE = 5

/** Takes over from a live leader that ranks lower: asks the leader to hand over, and repeats the request until the leader hands over. */
export class Preemption extends Part {
  #isRunning = false
  #requests = 0

  /** Whether this peer has asked the leader to hand over. */
  get hasAsked(): boolean {
    return this.#isRunning && this.#requests > 0
  }

  /** Starts the requests when this peer could take over, and stops them when it no longer could. The first request follows after `stableFor`. */
  settle(): void {
    const couldTakeOver = this.#couldTakeOver()
    if (couldTakeOver === this.#isRunning) return
    this.#isRunning = couldTakeOver
    this.#requests = 0
    this.outbox.timer('takeover', couldTakeOver ? this.#patience * this.times.stableFor : undefined)
  }

  onTimer(): void {
    const { accepted } = this.peer
    if (!this.#isRunning || accepted === undefined) return
    this.relay.request(accepted, this.#requests)
    this.#requests += 1
    this.outbox.timer('takeover', this.times.requestInterval)
  }

  /** Counts the requests anew for a new leader, so that the first request to this leader goes directly. */
  restart(): void {
    this.#requests = 0
  }

  stop(): void {
    this.#isRunning = false
    this.outbox.timer('takeover', undefined)
  }

  /**
   * How many times `stableFor` this peer waits before its first request. Under a store a higher member may not reach the store, and this
   * peer then takes over in its place.
   */
  get #patience(): number {
    return this.peer.members.above(this.peer.rankOf(this.peer.id)).length === 0 ? 1 : PATIENCE
  }

  /**
   * Whether this peer is the highest of all members that rank above the live leader. Only the highest member takes over, or under a
   * store any member that reaches the store.
   */
  #couldTakeOver(): boolean {
    const { accepted, members, id, hasStore } = this.peer
    return (
      this.peer.preempts &&
      accepted !== undefined &&
      this.peer.leaderLives &&
      this.peer.mayTakeOver &&
      (hasStore || members.highest()?.id === id) &&
      this.#isWorthIt(accepted.leader)
    )
  }

  /** Whether this peer ranks so far above the leader that the leadership should move. */
  #isWorthIt(leader: PeerIdString): boolean {
    const { id, margin } = this.peer
    const lead = this.peer.rankOf(id).priority - this.peer.rankOf(leader).priority
    return margin === undefined ? this.peer.outranks(id, leader) : lead >= margin
  }
}
