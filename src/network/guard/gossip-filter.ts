import type { GossipSub } from '@chainsafe/libp2p-gossipsub'
import type { PeerId } from '@libp2p/interface'
import { equals } from 'uint8arrays/equals'
import { P2pWorkerError } from '../../common/errors.ts'
import { type Rpc, trimRpc } from './gossip-rpc.ts'
import { OWN_GOSSIP, type RateLimiter, RELAYED_GOSSIP } from './rate-limiter.ts'
import type { Refusals } from './refusals.ts'

/** A part of gossipsub that the declared interface of gossipsub omits. */
interface RpcHandler {
  /** The connected peers. */
  readonly peers: ReadonlyMap<string, PeerId>
  handleReceivedRpc(from: PeerId, rpc: Rpc): Promise<void>
}

/**
 * Passes to gossipsub only the part of an RPC that is within the sender's rates. Gossipsub calls its validators only after it has verified a signature, which
 * is most of the work, and checks only once a second whether to ignore a peer: ten thousand messages arrive in that time. The connection identifies the
 * sender, so a relayed message never counts for its author. Gossipsub also keeps state for subscriptions and control messages, so the filter drops all
 * that gossipsub does not need ({@link trimRpc}). Each dropped piece counts as a message.
 *
 * @param topics - gossipsub's ids of the cluster's topics
 */
export function filterGossip(
  pubsub: GossipSub,
  limiter: Pick<RateLimiter, 'admits'>,
  refusals: Refusals,
  topics: ReadonlySet<string>
): void {
  if (!handlesRpcs(pubsub)) throw new P2pWorkerError('this gossipsub cannot be filtered: its RPCs take another way')
  const handle = pubsub.handleReceivedRpc.bind(pubsub)
  pubsub.handleReceivedRpc = async (from, unbounded) => {
    const sender = from.toString()
    // The sender has disconnected. Gossipsub would never remove the state that this RPC creates.
    if (!pubsub.peers.has(sender)) return
    const { rpc, dropped } = trimRpc(unbounded, topics)
    const own = from.toMultihash().bytes
    const isWithin = ({ from: author }: { from?: Uint8Array }): boolean =>
      limiter.admits(author !== undefined && equals(author, own) ? OWN_GOSSIP : RELAYED_GOSSIP, sender)
    const messages = rpc.messages.filter(isWithin)
    // An RPC without messages also needs CPU time, so the RPC counts as one message.
    const others = rpc.messages.length === 0 ? Math.max(1, dropped) : dropped
    let refused = rpc.messages.length - messages.length
    for (let i = 0; i < others; i++) if (!limiter.admits(OWN_GOSSIP, sender)) refused += 1
    if (refused === 0) return handle(from, rpc)
    refusals.count('rate', sender, 'more gossip than a peer may write or relay', refused)
    // Pass the subscriptions of a refused RPC, because a connected peer does not send its subscriptions again.
    const { subscriptions } = rpc
    if (messages.length + subscriptions.length > 0) await handle(from, { subscriptions, messages })
  }
}

function handlesRpcs(pubsub: GossipSub): pubsub is GossipSub & RpcHandler {
  return (
    'handleReceivedRpc' in pubsub &&
    typeof pubsub.handleReceivedRpc === 'function' &&
    'peers' in pubsub &&
    pubsub.peers instanceof Map
  )
}
