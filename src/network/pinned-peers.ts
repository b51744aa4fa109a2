import type { PeerIdString } from './types.ts'

/** Who wants peers to stay connected, each for reasons of its own. */
export type PinReason = 'neighbours' | 'leaders'

/** Which members stay connected. All others are connected to when there is something to say, and let go when idle. */
export class PinnedPeers {
  readonly #wanted = new Map<PinReason, 'all' | ReadonlySet<PeerIdString>>([['neighbours', 'all']])

  /** Replaces what was wanted for this reason. At first all are wanted. */
  set(reason: PinReason, peers: 'all' | Iterable<PeerIdString>): void {
    this.#wanted.set(reason, peers === 'all' ? 'all' : new Set(peers))
  }

  has(peer: PeerIdString): boolean {
    for (const peers of this.#wanted.values()) if (peers === 'all' || peers.has(peer)) return true
    return false
  }

  /** Whether there may be members who do not stay connected. */
  get isBounded(): boolean {
    return ![...this.#wanted.values()].includes('all')
  }
}
