import { compareRanks } from '../election/core/rank.ts'
import type { Election } from '../election/types.ts'
import type { Member } from '../membership/core/member.ts'
import type { Membership } from '../membership/types.ts'
import type { Network, PeerIdString } from '../network/types.ts'

/** The leader and its two standbys, or whoever would be the next. */
const FOREMOST = 3
/** Members that come one after the other are looked at together, in ms. */
const SOON = 100

/**
 * In a cluster with more than `fullMesh` members not everybody is connected to everybody; but the leader and those who come
 * next are, so that work flows directly and a takeover begins with no handshakes. The returned function ends it.
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
    // In a small cluster all stay connected anyway.
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

/** Those of the highest rank who may lead, and the leader. */
function foremost(live: readonly Member[], leader: PeerIdString | undefined): PeerIdString[] {
  const ranked = live
    .filter(member => member.role !== 'worker')
    .map(({ id, electionPriority }) => ({ id, priority: electionPriority }))
    .sort((a, b) => compareRanks(b, a))
    .slice(0, FOREMOST)
    .map(({ id }) => id)
  return leader === undefined || ranked.includes(leader) ? ranked : [leader, ...ranked]
}
