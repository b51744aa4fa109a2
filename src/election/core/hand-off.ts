import type { PeerIdString } from '../../network/types.ts'
import { Part } from './part.ts'

/** The longest time for which a leader ignores requests after failed hand-offs, in hand-off timeouts. */
const MAX_DEAF_TIMEOUTS = 8

/**
 * A leader hands over to a higher peer that asks for the leadership, or to the highest other peer when it leaves. The
 * heir first gets the state that a leader needs (the `handOff` effect), then the signed go-ahead.
 */
export class HandOff extends Part {
  /** The peer that relayed the heir's request, and relays the answer. */
  via: PeerIdString | undefined
  /** The time until which this leader ignores requests, because the last hand-off failed or its heir did not claim. */
  #deafUntil = 0
  /** The number of successive hand-offs whose heir did not claim. */
  #failures = 0

  /** Whether this leader accepts a request now. */
  get isOpen(): boolean {
    return this.peer.heir === undefined && this.peer.now >= this.#deafUntil
  }

  /** `via`: the peer that relayed the request, and relays the answer. */
  begin(heir: PeerIdString, via?: PeerIdString): void {
    this.peer.heir = heir
    this.via = via
    this.outbox.timer('handOff', this.times.handOffTimeout)
    this.outbox.push({ type: 'handOff', to: heir })
  }

  /** The hand-off to `heir` has ended. Returns whether it was the running one. */
  ended(heir: PeerIdString): boolean {
    if (this.peer.heir !== heir) return false
    this.outbox.timer('handOff', undefined)
    return true
  }

  /** The leader stays. It ignores requests for a while. */
  failed(): void {
    this.peer.heir = undefined
    this.#deafUntil = this.peer.now + this.times.handOffTimeout
  }

  /** Gives up a running hand-off. */
  cancel(): void {
    if (this.peer.heir === undefined) return
    this.peer.heir = undefined
    this.outbox.timer('handOff', undefined)
    this.outbox.push({ type: 'cancelHandOff' })
  }

  /** Gives up a hand-off to a peer that is gone. */
  settle(): void {
    if (this.peer.heir !== undefined && !this.peer.members.has(this.peer.heir)) this.cancel()
  }

  sendGoAhead(heir: PeerIdString, fromEpoch: number, via: PeerIdString | undefined): void {
    this.peer.heir = undefined
    const goAhead = this.signer.goAhead({ from: this.peer.id, fromEpoch, to: heir })
    this.outbox.send(heir, { type: 'goAhead', goAhead })
    if (via !== undefined) this.relay.send(via, heir, { kind: 'goAhead', accepted: undefined, goAhead })
  }

  /** The heir did not claim. A peer that led again and yielded at once would leave the cluster leaderless half of the time. */
  ledToNothing(): void {
    this.#deafUntil = this.peer.now + this.times.handOffTimeout * Math.min(2 ** this.#failures, MAX_DEAF_TIMEOUTS)
    this.#failures += 1
  }

  /** A hand-off succeeded, or a new member may make the next one succeed. */
  forgive(): void {
    this.#failures = 0
  }
}
