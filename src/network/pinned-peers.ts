import type { PeerIdString } from './types.ts'

/** The reason for which peers are pinned. */
export type PinReason = 'neighbours' | 'leaders'

/** The members that stay connected. A peer connects to other members on demand, and disconnects them when they are idle. */
export class PinnedPeers {
  readonly #pinned = new Map<PinReason, 'all' | ReadonlySet<PeerIdString>>([['neighbours', 'all']])

  /** Replaces the peers that are pinned for this reason. Until the first call, all peers are pinned. */
  set(reason: PinReason, peers: 'all' | Iterable<PeerIdString>): void {
    this.#pinned.set(reason, peers === 'all' ? 'all' : new Set(peers))
  }

  has(peer: PeerIdString): boolean {
    for (const peers of this.#pinned.values()) if (peers === 'all' || peers.has(peer)) return true
    return false
  }

  /** Whether some members may be unpinned. */
  get isBounded(): boolean {
    return ![...this.#pinned.values()].includes('all')
  }
}
