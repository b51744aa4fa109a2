import { compareRanks } from '../election/core/rank.ts'
import type { Election } from '../election/types.ts'
import type { Member } from '../membership/core/member.ts'
import type { Membership } from '../membership/types.ts'
import type { Network, PeerIdString } from '../network/types.ts'

/** The number of members that stay connected to all: the leader and its two standbys, or the next in rank. */
const FOREMOST = 3
/** How long changes of the members are collected before they are handled, in ms. */
const SOON = 100

/**
 * In a cluster with more than `fullMesh` members, most pairs are not connected. The leader and the next in rank stay
 * connected to all, so that work flows directly and a takeover needs no handshakes. The returned function stops this.
 */
export function keepLeadersConnected(
  network: Pick<Network, 'self' | 'stayConnected'>,
  membership: Pick<Membership, 'live' | 'addEventListener' | 'removeEventListener'>,
  election: Pick<Election, 'leader' | 'addEventListener' | 'removeEventListener'>,
  fullMesh: number
): () => void {
  let timer: NodeJS.Timeout | undefined
  let told = ''
  const tell = (): void => {
    timer = undefined
    const live = membership.live()
    // In a small cluster all members stay connected anyway.
    const wanted = live.length > fullMesh ? foremost(live, election.leader?.id) : []
    if (wanted.join() === told) return
    told = wanted.join()
    network.stayConnected('leaders', wanted.includes(network.self) ? 'all' : wanted)
  }
  const onChange = (): void => {
    timer ??= setTimeout(tell, SOON).unref()
  }
  membership.addEventListener('member', onChange)
  election.addEventListener('leader', onChange)
  return () => {
    clearTimeout(timer)
    membership.removeEventListener('member', onChange)
    election.removeEventListener('leader', onChange)
  }
}

/** The electable members with the highest ranks, and the leader. */
function foremost(live: readonly Member[], leader: PeerIdString | undefined): PeerIdString[] {
  const ranked = live
    .filter(member => member.role !== 'worker')
    .map(({ id, electionPriority }) => ({ id, priority: electionPriority }))
    .sort((a, b) => compareRanks(b, a))
    .slice(0, FOREMOST)
    .map(({ id }) => id)
  return leader === undefined || ranked.includes(leader) ? ranked : [leader, ...ranked]
}
