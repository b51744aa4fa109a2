import type { ClusterStatus, Peer } from '../api/types.ts'
import { Shared } from './shared.ts'

type AskedPeer = Pick<Peer, 'leader' | 'status' | 'addEventListener' | 'removeEventListener'>

export type SharedStatus = Shared<ClusterStatus>

/**
 * Asks the leader once for all that want its status at the same time.
 *
 * @param stopped - ends a question that is under way
 */
export function sharedStatus(peer: AskedPeer, stopped: AbortSignal): SharedStatus {
  return new Shared(() => askedOf(peer, stopped))
}

/**
 * Waits for an answer as long as there is a leader. Without one that is a status as well, which a reader wants to see at once.
 *
 * @throws what `status` of the peer throws
 */
async function askedOf(peer: AskedPeer, stopped: AbortSignal): Promise<ClusterStatus> {
  for (;;) {
    const lost = new AbortController()
    const onLeader = (): void => {
      if (peer.leader === undefined) lost.abort()
    }
    peer.addEventListener('leader', onLeader)
    try {
      return await peer.status({ signal: AbortSignal.any([stopped, lost.signal]) })
    } catch (error) {
      if (stopped.aborted || !lost.signal.aborted) throw error
    } finally {
      peer.removeEventListener('leader', onLeader)
    }
  }
}
