import { TypedEventEmitter } from 'main-event'
import { InvalidMessageError } from '../../common/errors.ts'
import type { PeerIdString } from '../types.ts'

/** The kinds of refusals, with what each counts. */
export const REFUSALS = {
  key: 'connections of somebody without the cluster key',
  unlisted: 'connections of a peer that is not on the allow list',
  role: 'attempts at what the allow list does not let that peer do',
  message: 'messages that are none of their protocol, or out of range: their channel is closed',
  forged: 'messages that speak in the name of another member',
  epoch: 'leaderships of an epoch that no election can have reached',
  chunk: 'outcomes of chunks that were never given to that worker',
  journal: 'entries of a journal by somebody who does not lead, or of a job that is not here',
  rate: 'messages, gossip, connections and jobs beyond a limit of their sender',
  slow: 'channels of somebody who did not read what was sent, and handshakes that somebody with the key did not go on with'
} as const satisfies Record<string, string>

/** Why this peer refused something that came from the network: docs/security.md says what each kind means. */
export type RefusalKind = keyof typeof REFUSALS

/** What was refused. */
export interface Refusal {
  kind: RefusalKind
  /** A PeerId, or an address whose PeerId is not known. */
  from: PeerIdString
  detail: string
}

export interface RefusalEvents {
  refusal: CustomEvent<Refusal>
}

/** Counts what this peer has refused since it started, with an event for each. */
export class Refusals extends TypedEventEmitter<RefusalEvents> {
  readonly #counts = Object.fromEntries(Object.keys(REFUSALS).map(kind => [kind, 0])) as Record<RefusalKind, number>

  /** @param times - how many were refused at once */
  count(kind: RefusalKind, from: PeerIdString, detail: string, times = 1): void {
    this.#counts[kind] += times
    this.dispatchEvent(new CustomEvent('refusal', { detail: { kind, from, detail } }))
  }

  /** The number of refusals of each kind. */
  counts(): Record<RefusalKind, number> {
    return { ...this.#counts }
  }
}

/** Ends the channel that carried the message, as any InvalidMessageError does, and counts as `refusal`. */
export class RefusedMessageError extends InvalidMessageError {
  readonly refusal: RefusalKind

  constructor(refusal: RefusalKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.refusal = refusal
  }
}
