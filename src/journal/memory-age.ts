import type { PeerIdString } from '../network/types.ts'

/**
 * How long ago the peers started that store all locks, in ms. A peer that has started since may have lost a lock. A lock is stored at a majority of
 * the voters, or at all named holders: so one of any majority, or any named holder, has it.
 *
 * @param startOf - when a peer started; undefined if the leader does not know
 */
export function memoryAge(parts: {
  voters: readonly PeerIdString[] | undefined
  holders: readonly PeerIdString[] | undefined
  startOf(id: PeerIdString): number | undefined
  now: number
}): number {
  const { voters, holders = [], startOf, now } = parts
  const starts = (voters ?? holders).map(id => startOf(id) ?? now)
  starts.sort((a, b) => a - b)
  const relied = starts[voters === undefined ? 0 : Math.floor(voters.length / 2)]
  return relied === undefined ? Number.POSITIVE_INFINITY : now - relied
}
