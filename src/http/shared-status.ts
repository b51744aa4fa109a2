import type { ClusterStatus, Peer } from '../api/types.ts'
import { Shared } from './shared.ts'

type AskedPeer = Pick<Peer, 'leader' | 'status' | 'addEventListener' | 'removeEventListener'>

/** Asks the leader once for all who want to know at the same time. */
export class SharedStatus extends Shared<ClusterStatus> {
  /** @param stopped - ends what is being asked */
  constructor(peer: AskedPeer, stopped: AbortSignal) {
    super(() => askedOf(peer, stopped))
  }
}

/**
 * Whoever asks waits for an answer for as long as a leader may yet come. Where there is none any more that is a status, too, and what somebody who
 * watches wants to see at once.
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
