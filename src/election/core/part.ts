import type { ElectionTimes } from '../profile.ts'
import { LocalPeer, type LocalPeerInit } from './local-peer.ts'
import type { Signer } from './messages.ts'
import { Outbox } from './outbox.ts'
import { Relay } from './relay.ts'
import type { CoreStrategy } from './strategies/strategies.ts'

export interface ContextInit extends LocalPeerInit {
  times: ElectionTimes
  signer: Signer
  /** How the leader is found. Default `bully`. */
  strategy?: CoreStrategy | undefined
}

/** The objects that the parts of one peer's election share. */
export interface Context {
  readonly peer: LocalPeer
  readonly outbox: Outbox
  readonly relay: Relay
  readonly times: ElectionTimes
  readonly signer: Signer
}

export function createContext({ times, signer, ...init }: ContextInit): Context {
  const peer = new LocalPeer(init)
  const outbox = new Outbox(peer)
  return { peer, outbox, relay: new Relay(peer, outbox, signer), times, signer }
}

/** A part of the election core. */
export class Part implements Context {
  readonly peer: LocalPeer
  readonly outbox: Outbox
  readonly relay: Relay
  readonly times: ElectionTimes
  readonly signer: Signer

  constructor({ peer, outbox, relay, times, signer }: Context) {
    this.peer = peer
    this.outbox = outbox
    this.relay = relay
    this.times = times
    this.signer = signer
  }
}
