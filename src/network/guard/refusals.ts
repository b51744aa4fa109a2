import { TypedEventEmitter } from 'main-event'
import { InvalidMessageError } from '../../common/errors.ts'
import type { PeerIdString } from '../types.ts'

/** The kinds of refusals, each with a description. */
export const REFUSALS = {
  key: 'connections without the cluster key',
  unlisted: 'connections of a peer that is not on the allow list',
  role: 'uses of a right that the allow list does not give',
  message: 'messages that do not belong to their protocol, or are out of range: their channel is closed',
  forged: 'messages in the name of another member',
  epoch: 'leaderships of an epoch that no election can have reached',
  chunk: 'outcomes of chunks that the worker was never given',
  journal: 'journal entries of a peer that does not lead, or of a job that is not here',
  rate: 'messages, gossip, connections and jobs beyond a limit of their sender',
  slow: 'channels whose other side did not read, and handshakes with the key that did not continue'
} as const satisfies Record<string, string>

/** The reason for which this peer refused input from the network. docs/security.md explains each reason. */
export type RefusalKind = keyof typeof REFUSALS

/** A refusal of input from the network. */
export interface Refusal {
  kind: RefusalKind
  /** The sender's PeerId, or the sender's address if the PeerId is unknown. */
  from: PeerIdString
  detail: string
}

export interface RefusalEvents {
  refusal: CustomEvent<Refusal>
}

/** Counts the refusals by this peer since its start, and emits an event for each refusal. */
export class Refusals extends TypedEventEmitter<RefusalEvents> {
  readonly #counts = Object.fromEntries(Object.keys(REFUSALS).map(kind => [kind, 0])) as Record<RefusalKind, number>

  /** @param times - the number of refusals to count */
  count(kind: RefusalKind, from: PeerIdString, detail: string, times = 1): void {
    this.#counts[kind] += times
    this.dispatchEvent(new CustomEvent('refusal', { detail: { kind, from, detail } }))
  }

  /** The number of refusals of each kind. */
  counts(): Record<RefusalKind, number> {
    return { ...this.#counts }
  }
}

/** An error about a received message. Like every InvalidMessageError, it ends the channel of the message. It counts as a refusal of the kind `refusal`. */
export class RefusedMessageError extends InvalidMessageError {
  readonly refusal: RefusalKind

  constructor(refusal: RefusalKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.refusal = refusal
  }
}
