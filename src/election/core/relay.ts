/**
 * Sends messages through a third peer. The membership can hold a peer live although the direct link between this peer and that peer
 * is broken. A third member can still reach both peers. The author signs a relayed message, and the relaying peer forwards it once.
 */
import type { PeerIdString } from '../../network/types.ts'
import type { LocalPeer } from './local-peer.ts'
import type { CoordinatorMessage, ElectionMessage, RelayedMessage, Signer } from './messages.ts'
import type { Outbox } from './outbox.ts'

/** A received message, and the way by which its answer returns. */
export interface Received {
  /** The author. */
  from: PeerIdString
  message: Exclude<ElectionMessage, { type: 'relayed' }>
  /** The relaying peer and the nonce. Undefined if the message came directly. */
  relayed: { via: PeerIdString; nonce: number } | undefined
}

/** The content of a relayed message. */
export type Content = Pick<RelayedMessage, 'kind' | 'accepted' | 'goAhead' | 'token'>

export class Relay {
  readonly #peer: LocalPeer
  readonly #outbox: Outbox
  readonly #signer: Signer

  constructor(peer: LocalPeer, outbox: Outbox, signer: Signer) {
    this.#peer = peer
    this.#outbox = outbox
    this.#signer = signer
  }

  /** Unwraps a message to this peer. Forwards a relayed message that is addressed to another peer, and then returns `undefined`. */
  receive(from: PeerIdString, message: ElectionMessage): Received | undefined {
    if (message.type !== 'relayed') return { from, message, relayed: undefined }
    const { relayed } = message
    if (relayed.to !== this.#peer.id) {
      if (from === relayed.from && this.#peer.members.has(relayed.to)) this.#outbox.send(relayed.to, message)
      return undefined
    }
    if (!this.#peer.members.has(relayed.from)) return undefined
    const content = this.#unwrap(relayed)
    return content && { from: relayed.from, message: content, relayed: { via: from, nonce: relayed.nonce } }
  }

  #unwrap({ kind, accepted, goAhead, token }: RelayedMessage): Received['message'] | undefined {
    switch (kind) {
      case 'election':
        return { type: 'election', accepted }
      case 'claiming':
      case 'declined':
        return { type: 'answer', answer: kind }
      case 'request': {
        // A late request may name a leadership that has already ended.
        const mine = this.#peer.accepted
        const isCurrent = accepted?.leader === this.#peer.id && accepted.epoch === mine?.epoch
        return isCurrent ? { type: 'request' } : undefined
      }
      case 'token':
        return token && { type: 'token', token, accepted }
      case 'goAhead':
        return goAhead && { type: 'goAhead', goAhead }
      case 'coordinator':
      case 'rival':
        return accepted && { type: kind, coordinator: accepted }
    }
  }

  /** Answers directly, or through the peer that relayed the question. */
  reply({ from, relayed }: Received, answer: 'claiming' | 'declined' | 'coordinator'): void {
    const { accepted } = this.#peer
    const isCoordinator = answer === 'coordinator'
    if (relayed !== undefined)
      this.#send(relayed.via, from, { kind: answer, accepted: isCoordinator ? accepted : undefined }, relayed.nonce)
    else if (isCoordinator) this.#outbox.sendAccepted(from)
    else this.#outbox.send(from, { type: 'answer', answer })
  }

  /** Sends a message through `via`. Returns the nonce that the answer repeats. */
  send(via: PeerIdString, to: PeerIdString, content: Content): number {
    const nonce = this.#signer.nonce()
    this.#send(via, to, content, nonce)
    return nonce
  }

  /**
   * Sends a message directly. From the second `attempt` on, also sends it through another member, each time through a different member.
   * Returns the nonce that the answer to the relayed message repeats.
   */
  sendAgain(to: PeerIdString, message: ElectionMessage, attempt: number, content: Content): number | undefined {
    this.#outbox.send(to, message)
    if (attempt === 0) return undefined
    const others = [...this.#peer.members.ids()].filter(id => id !== this.#peer.id && id !== to)
    const via = others[(attempt - 1) % others.length]
    return via === undefined ? undefined : this.send(via, to, content)
  }

  /** Informs all members that this peer has stopped leading. An ELECTION from the leader itself has this meaning. */
  announceResignation(attempt: number): void {
    const { accepted, id: self, members } = this.#peer
    for (const to of members.ids()) {
      if (to !== self) this.sendAgain(to, { type: 'election', accepted }, attempt, { kind: 'election', accepted })
    }
  }

  /** Asks the leader of `leadership` to hand over. */
  request(leadership: CoordinatorMessage, attempt: number): void {
    this.sendAgain(leadership.leader, { type: 'request' }, attempt, { kind: 'request', accepted: leadership })
  }

  #send(via: PeerIdString, to: PeerIdString, content: Content, nonce: number): void {
    const relayed = this.#signer.relayed({ ...content, from: this.#peer.id, to, nonce })
    this.#outbox.send(via, { type: 'relayed', relayed })
  }
}
