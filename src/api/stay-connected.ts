import type { Election } from '../election/types.ts'
import type { Member } from '../membership/core/member.ts'
import type { Membership } from '../membership/types.ts'
import type { Network, PeerIdString } from '../network/types.ts'

/** The number of highest-ranked members that stay connected to all members. The leader is usually one of them. */
const FOREMOST = 3
/** The time in which changes of the members are collected before they are handled, in ms. */
const SOON = 100

/**
 * In a cluster with more than `fullMesh` members, most pairs of members are not connected. The leader and the
 * highest-ranked candidates stay connected to all members, so that work flows directly and a takeover needs no
 * handshakes. The returned function ends these requests for connections.
 */
export function keepLeadersConnected(
  network: Pick<Network, 'self' | 'stayConnected'>,
  membership: Pick<Membership, 'live' | 'addEventListener' | 'removeEventListener'>,
  election: Pick<Election, 'leader' | 'order' | 'addEventListener' | 'removeEventListener'>,
  fullMesh: number
): () => void {
  let timer: NodeJS.Timeout | undefined
  let told = ''
  const tell = (): void => {
    timer = undefined
    const live = membership.live()
    // In a small cluster, all members are connected to each other anyway.
    const wanted = live.length > fullMesh ? foremost(live, election) : []
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
function foremost(live: readonly Member[], { leader, order }: Pick<Election, 'leader' | 'order'>): PeerIdString[] {
  const ranked = live
    .filter(member => member.role !== 'worker')
    .map(({ id, electionPriority }) => ({ id, priority: electionPriority }))
    .sort((a, b) => order(b, a))
    .slice(0, FOREMOST)
    .map(({ id }) => id)
  return leader === undefined || ranked.includes(leader.id) ? ranked : [leader.id, ...ranked]
}
