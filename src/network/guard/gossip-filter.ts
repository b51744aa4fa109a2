import type { GossipSub } from '@chainsafe/libp2p-gossipsub'
import type { PeerId } from '@libp2p/interface'
import { equals } from 'uint8arrays/equals'
import { P2pWorkerError } from '../../common/errors.ts'
import { type Rpc, trimRpc } from './gossip-rpc.ts'
import { OWN_GOSSIP, type RateLimiter, RELAYED_GOSSIP } from './rate-limiter.ts'
import type { Refusals } from './refusals.ts'

/** What gossipsub has for it. Its declared interface leaves it out. */
interface RpcHandler {
  /** Who is connected. */
  readonly peers: ReadonlyMap<string, PeerId>
  handleReceivedRpc(from: PeerId, rpc: Rpc): Promise<void>
}

/**
 * Stands before gossipsub and lets in what is within its bearer's rates. Gossipsub's validators are asked when a signature is verified, which is most of
 * the work, and it asks only once a second whether a peer is to be ignored: ten thousand messages come in that time. Who brings a message is known
 * by its connection, and nobody but its author pays for what is written in its name. Gossipsub also keeps something for what it is told besides, so that it
 * is told no more than it needs ({@link trimRpc}); each piece of the rest counts as a message.
 *
 * @param topics - those of the cluster, as gossipsub calls them
 */
export function filterGossip(
  pubsub: GossipSub,
  gate: Pick<RateLimiter, 'admits'>,
  refusals: Refusals,
  topics: ReadonlySet<string>
): void {
  if (!handlesRpcs(pubsub))
    throw new P2pWorkerError('this gossipsub cannot be guarded: what it is sent goes another way')
  const handle = pubsub.handleReceivedRpc.bind(pubsub)
  pubsub.handleReceivedRpc = async (from, unbounded) => {
    const bearer = from.toString()
    // What was still on its way from one that is gone would be kept for it, and never forgotten.
    if (!pubsub.peers.has(bearer)) return
    const { rpc, dropped } = trimRpc(unbounded, topics)
    const own = from.toMultihash().bytes
    const isWithin = ({ from: author }: { from?: Uint8Array }): boolean =>
      gate.admits(author !== undefined && equals(author, own) ? OWN_GOSSIP : RELAYED_GOSSIP, bearer)
    const messages = rpc.messages.filter(isWithin)
    // One without messages is work, too.
    const others = rpc.messages.length === 0 ? Math.max(1, dropped) : dropped
    let refused = rpc.messages.length - messages.length
    for (let i = 0; i < others; i++) if (!gate.admits(OWN_GOSSIP, bearer)) refused += 1
    if (refused === 0) return handle(from, rpc)
    refusals.count('rate', bearer, 'more gossip than anybody may write or bring', refused)
    // Where it stays connected, what it subscribes to is not said again.
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
