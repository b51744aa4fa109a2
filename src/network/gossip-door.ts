import type { GossipSub } from '@chainsafe/libp2p-gossipsub'
import type { PeerId } from '@libp2p/interface'
import { equals } from 'uint8arrays/equals'
import { P2pWorkerError } from '../errors.ts'
import { type FloodGate, OWN_GOSSIP, RELAYED_GOSSIP } from './flood-gate.ts'
import type { Refusals } from './refusals.ts'

/** What gossipsub was sent in one piece, as far as it is looked at here. */
interface Rpc {
  subscriptions: unknown[]
  messages: Array<{ from?: Uint8Array }>
  control?: unknown
}

/** Gossipsub's own method for it. Its declared interface leaves it out. */
interface RpcHandler {
  handleReceivedRpc(from: PeerId, rpc: Rpc): Promise<void>
}

/**
 * Stands before gossipsub and lets in what is within its bearer's rates. Gossipsub's validators are asked when a signature is verified, which is most of
 * the work, and it asks only once a second whether a peer is to be ignored: ten thousand messages come in that time. Who brings a message is known
 * by its connection, and nobody but its author pays for what is written in its name.
 */
export function guardGossip(pubsub: GossipSub, gate: Pick<FloodGate, 'admits'>, refusals: Refusals): void {
  if (!handlesRpcs(pubsub))
    throw new P2pWorkerError('this gossipsub cannot be guarded: what it is sent goes another way')
  const handle = pubsub.handleReceivedRpc.bind(pubsub)
  pubsub.handleReceivedRpc = async (from, rpc) => {
    const bearer = from.toString()
    const own = from.toMultihash().bytes
    const isWithin = ({ from: author }: { from?: Uint8Array }): boolean =>
      gate.admits(author !== undefined && equals(author, own) ? OWN_GOSSIP : RELAYED_GOSSIP, bearer)
    const messages = rpc.messages.filter(isWithin)
    // One without messages is work, too.
    const isRefused =
      rpc.messages.length === 0 ? !gate.admits(OWN_GOSSIP, bearer) : messages.length < rpc.messages.length
    if (!isRefused) return handle(from, rpc)
    const times = Math.max(1, rpc.messages.length - messages.length)
    refusals.count('rate', bearer, 'more gossip than anybody may write or bring', times)
    // Where it stays connected, what it subscribes to is not said again.
    const { subscriptions } = rpc
    if (messages.length + subscriptions.length > 0) await handle(from, { subscriptions, messages })
  }
}

function handlesRpcs(pubsub: GossipSub): pubsub is GossipSub & RpcHandler {
  return 'handleReceivedRpc' in pubsub && typeof pubsub.handleReceivedRpc === 'function'
}
