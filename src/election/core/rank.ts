import type { PeerIdString } from '../../network/types.ts'

/** The rank of a peer. The electionPriority counts first, and then the bytes of the PeerId's multihash. The higher value wins. */
export interface Rank {
  priority: number
  id: PeerIdString
}

/**
 * Compares two PeerIds by the bytes of their multihashes. Returns below 0 when `a` is lower, and 0 when the PeerIds are equal.
 *
 * Comparing the strings gives the order of the bytes, because the alphabet of base58btc is in ASCII order, and all PeerIds of one
 * key type have the same length and prefix. A property test checks this. So the election core needs no libp2p.
 */
export function comparePeerIds(a: PeerIdString, b: PeerIdString): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Orders peers by who should lead. Returns above 0 when `a` should lead rather than `b`. */
export type RankOrder = (a: Rank, b: Rank) => number

/** Returns below 0 when `a` ranks lower than `b`, above 0 when `a` ranks higher, and 0 for the same peer with the same priority. */
export function compareRanks(a: Rank, b: Rank): number {
  return a.priority - b.priority || comparePeerIds(a.id, b.id)
}

/** The order in which the lowest PeerId ranks highest. The higher priority still counts first. */
export const lowestIdFirst: RankOrder = (a, b) => a.priority - b.priority || comparePeerIds(b.id, a.id)

/** The order of the strategies in which PeerIds do not matter: only the priority counts. */
export const byPriority: RankOrder = (a, b) => a.priority - b.priority
