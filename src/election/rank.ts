import { peerIdFromString } from '@libp2p/peer-id'
import type { PeerIdString } from '../network/types.ts'

/** What Bully compares: electionPriority first, then the bytes of the PeerId's multihash; higher wins. */
export interface Rank {
  priority: number
  id: PeerIdString
}

const multihashes = new Map<PeerIdString, Uint8Array>()

function multihash(id: PeerIdString): Uint8Array {
  let bytes = multihashes.get(id)
  if (bytes === undefined) {
    bytes = peerIdFromString(id).toMultihash().bytes
    if (multihashes.size > 10_000) multihashes.clear()
    multihashes.set(id, bytes)
  }
  return bytes
}

/** Compares two PeerIds by the bytes of their multihashes: below 0 when `a` is lower, 0 when equal. */
export function comparePeerIds(a: PeerIdString, b: PeerIdString): number {
  return a === b ? 0 : Buffer.compare(multihash(a), multihash(b))
}

/** Below 0 when `a` ranks lower than `b`, above 0 when higher, 0 when they are the same peer with the same priority. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.priority - b.priority || comparePeerIds(a.id, b.id)
}
