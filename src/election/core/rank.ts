import type { PeerIdString } from '../../network/types.ts'

/** The rank of a peer: electionPriority counts first, then the bytes of the PeerId's multihash; higher wins. */
export interface Rank {
  priority: number
  id: PeerIdString
}

/**
 * Compares two PeerIds as the bytes of their multihashes: below 0 when `a` is lower, 0 when equal.
 *
 * The strings can stand for the bytes: base58btc's alphabet is in ASCII order, and PeerIds of one key type have one
 * length and prefix, so comparing the strings gives the order of the bytes (a property test holds it to that). This
 * keeps the election core free of libp2p.
 */
export function comparePeerIds(a: PeerIdString, b: PeerIdString): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Below 0 when `a` ranks lower than `b`, above 0 when higher, 0 when they are the same peer with the same priority. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.priority - b.priority || comparePeerIds(a.id, b.id)
}
