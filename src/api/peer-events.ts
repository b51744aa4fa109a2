/** The events of a peer, as `join --json` prints them and `/api/events` sends them (a contract). */

import type { JobEventState } from '../jobs/shared/types.ts'
import type { Member } from '../membership/core/member.ts'
import type { Peer } from './types.ts'

/** Receives each change of the members, the leader and the jobs. */
export interface PeerListener {
  member(member: Member): void
  /**
   * The leader changed. `id` is null while the cluster has no leader; then `epoch` is the newest epoch that the peer
   * knows.
   */
  leader(id: string | null, epoch: number): void
  job(jobId: string, state: JobEventState): void
}

/**
 * Reports the current state of the cluster, and then each change. The returned function ends the reports.
 *
 * @param ready - called before the first report, when the listeners are already registered, so that no change is missed
 */
export function followPeer(peer: Peer, listener: PeerListener, ready: () => void = () => {}): () => void {
  const told = new Map<string, string>()
  const member = (changed: Member): void => {
    // Reports only changes of the state or incarnation of another peer, because the other fields of a member change
    // more often.
    const view = `${changed.state} ${changed.incarnation}`
    if (changed.id === peer.id || told.get(changed.id) === view) return
    told.set(changed.id, view)
    listener.member(changed)
  }
  let epoch = 0
  const leader = (): void => {
    epoch = peer.leader?.epoch ?? epoch
    listener.leader(peer.leader?.id ?? null, epoch)
  }
  const onMember = ({ detail }: CustomEvent<Member>): void => member(detail)
  const onJob = ({ detail }: CustomEvent<{ jobId: string; state: JobEventState }>): void =>
    listener.job(detail.jobId, detail.state)
  peer.addEventListener('member', onMember)
  peer.addEventListener('leader', leader)
  peer.addEventListener('job', onJob)
  ready()
  for (const known of peer.members()) member(known)
  if (peer.leader !== undefined) leader()
  return () => {
    peer.removeEventListener('member', onMember)
    peer.removeEventListener('leader', leader)
    peer.removeEventListener('job', onJob)
  }
}

/** Formats a line of `join --json`, which is also the data of an event. */
export function eventJson(event: string, fields: object): string {
  return JSON.stringify({ event, time: new Date().toISOString(), ...fields })
}

export const memberFields = ({ id, state, incarnation }: Member): object => ({ peerId: id, state, incarnation })
