import type { PeerIdString } from '../../network/types.ts'
import { Part } from './part.ts'

/** The longest time for which a leader ignores requests after failed hand-offs, as a multiple of the hand-off timeout. */
const MAX_DEAF_TIMEOUTS = 8

/**
 * A leader hands over to a higher peer that asks for the leadership, or to the highest other peer when it leaves. The
 * heir first gets the state that a leader needs (the `handOff` effect), then the signed go-ahead.
 */
export class HandOff extends Part {
  /** The peer that relayed the heir's request, and that will relay the answer. */
  via: PeerIdString | undefined
  /** The time until which this leader ignores requests, because the last hand-off failed or its heir did not claim. */
  #deafUntil = 0
  /** The number of successive hand-offs whose heir did not claim. */
  #failures = 0

  /** Whether this leader accepts a request now. */
  get isOpen(): boolean {
    return this.peer.heir === undefined && this.peer.now >= this.#deafUntil
  }

  /** Begins a hand-off to `heir`. `via`: the peer that relayed the request, and that will relay the answer. */
  begin(heir: PeerIdString, via?: PeerIdString): void {
    this.peer.heir = heir
    this.via = via
    this.outbox.timer('handOff', this.times.handOffTimeout)
    this.outbox.push({ type: 'handOff', to: heir })
  }

  /** Handles the end of a hand-off to `heir`. Returns false if no hand-off to `heir` is running. */
  ended(heir: PeerIdString): boolean {
    if (this.peer.heir !== heir) return false
    this.outbox.timer('handOff', undefined)
    return true
  }

  /** Handles a failed hand-off: the leader keeps leading, and ignores requests for some time. */
  failed(): void {
    this.peer.heir = undefined
    this.#deafUntil = this.peer.now + this.times.handOffTimeout
  }

  /** Cancels a running hand-off. */
  cancel(): void {
    if (this.peer.heir === undefined) return
    this.peer.heir = undefined
    this.outbox.timer('handOff', undefined)
    this.outbox.push({ type: 'cancelHandOff' })
  }

  /** Cancels a hand-off to a peer that is gone. */
  settle(): void {
    if (this.peer.heir !== undefined && !this.peer.members.has(this.peer.heir)) this.cancel()
  }

  sendGoAhead(heir: PeerIdString, fromEpoch: number, via: PeerIdString | undefined): void {
    this.peer.heir = undefined
    const goAhead = this.signer.goAhead({ from: this.peer.id, fromEpoch, to: heir })
    this.outbox.send(heir, { type: 'goAhead', goAhead })
    if (via !== undefined) this.relay.send(via, heir, { kind: 'goAhead', accepted: undefined, goAhead })
  }

  /** Ignores requests because the heir did not claim. If this peer yielded again at once, the cluster would be leaderless half of the time. */
  ledToNothing(): void {
    this.#deafUntil = this.peer.now + this.times.handOffTimeout * Math.min(2 ** this.#failures, MAX_DEAF_TIMEOUTS)
    this.#failures += 1
  }

  /** Resets the count of failed hand-offs, because a hand-off succeeded, or because a new member may make the next hand-off succeed. */
  forgive(): void {
    this.#failures = 0
  }
}
