import { type CoordinatorMessage, type GoAhead, MAX_EPOCH, MAX_GO_AHEADS } from './messages.ts'
import type { Context } from './part.ts'

/**
 * Returns a signed claim of this peer. Its epoch is above all epochs that this peer knows and above `seen`. Returns `undefined` if
 * the epochs are used up.
 */
export function createClaim(
  { peer, signer }: Context,
  goAheads: GoAhead[],
  seen: number
): CoordinatorMessage | undefined {
  const newest = Math.max(peer.newestEpoch, seen)
  if (newest >= MAX_EPOCH) return undefined
  return signer.coordinator({
    epoch: peer.rules.nextEpoch(newest),
    leader: peer.id,
    priority: peer.rankOf(peer.id).priority,
    goAheads: goAheads.slice(0, MAX_GO_AHEADS)
  })
}
