import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import type { CoreEffect, CoreTimer } from './events.ts'
import type { LocalPeer } from './local-peer.ts'
import type { CoordinatorMessage, ElectionMessage } from './messages.ts'

/** Collects the effects of one event, in their order. */
export class Outbox {
  readonly #peer: LocalPeer
  #effects: CoreEffect[] = []
  #persisted: CoordinatorMessage | undefined
  #shown: Leadership | undefined

  constructor(peer: LocalPeer) {
    this.#peer = peer
    this.#persisted = peer.accepted
  }

  /** Ends an event, and returns its effects. The write of a newly accepted leadership comes first. The effect that shows a new leader comes last. */
  take(): CoreEffect[] {
    const { accepted, leader } = this.#peer
    if (leader?.id !== this.#shown?.id || leader?.epoch !== this.#shown?.epoch) this.push({ type: 'leader', leader })
    this.#shown = leader
    const effects = this.#effects
    this.#effects = []
    if (accepted !== undefined && accepted !== this.#persisted)
      effects.unshift({ type: 'persist', coordinator: accepted })
    this.#persisted = accepted
    return effects
  }

  push(effect: CoreEffect): void {
    this.#effects.push(effect)
  }

  send(to: PeerIdString, message: ElectionMessage): void {
    if (to !== this.#peer.id) this.push({ type: 'send', to, message })
  }

  /** Sends the newest accepted leadership, if this peer has accepted any leadership. */
  sendAccepted(to: PeerIdString): void {
    const { accepted } = this.#peer
    if (accepted !== undefined) this.send(to, { type: 'coordinator', coordinator: accepted })
  }

  sendElection(to: PeerIdString): void {
    this.send(to, { type: 'election', accepted: this.#peer.accepted })
  }

  /** Starts or restarts a timer. With the delay `undefined`, stops the timer. */
  timer(name: CoreTimer, delay: number | undefined): void {
    this.push({ type: 'timer', name, delay })
  }
}
