import type { ClusterStatus, Peer } from '../api/types.ts'
import { Shared } from './shared.ts'

type AskedPeer = Pick<Peer, 'leader' | 'status' | 'addEventListener' | 'removeEventListener'>

export type SharedStatus = Shared<ClusterStatus>

/**
 * Sends the leader one request for all callers that want the status at the same time.
 *
 * @param stopped - aborts a running request
 */
export function sharedStatus(peer: AskedPeer, stopped: AbortSignal): SharedStatus {
  return new Shared(() => askedOf(peer, stopped))
}

/**
 * Returns the answer of the leader. If this peer loses the leader during the request, returns the status of a peer without a leader.
 *
 * @throws the errors of the peer's `status`
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
