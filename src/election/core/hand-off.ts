import type { PeerIdString } from '../../network/types.ts'
import { Part } from './part.ts'

/** The longest time for which a leader ignores requests after hand-offs that led to nothing, in hand-off timeouts. */
const MAX_DEAF_TIMEOUTS = 8

/**
 * A leader hands over to a higher peer that asks for the leadership, or to the highest other peer when it leaves. The
 * heir first gets what the next leader needs (the `handOff` effect), then the signed go-ahead.
 */
export class HandOff extends Part {
  /** The peer that relayed the heir's request, and relays the answer. */
  via: PeerIdString | undefined
  /** Until when requests are ignored, because the last hand-off failed or led to nothing. */
  #deafUntil = 0
  /** The number of hand-offs in a row that led to nothing. */
  #failures = 0

  /** Whether a request is heard now. */
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

  /** The heir did not claim. If this peer leads again and yields at once, the cluster has no leader half of the time. */
  ledToNothing(): void {
    this.#deafUntil = this.peer.now + this.times.handOffTimeout * Math.min(2 ** this.#failures, MAX_DEAF_TIMEOUTS)
    this.#failures += 1
  }

  /** A hand-off succeeded, or a new member may make the next one succeed. */
  forgive(): void {
    this.#failures = 0
  }
}
