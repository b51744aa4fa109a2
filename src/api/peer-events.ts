/** What happens at a peer, as `join --json` prints it and `/api/events` sends it (a contract). */

import type { JobEventState } from '../jobs/shared/types.ts'
import type { Member } from '../membership/core/member.ts'
import type { Peer } from './types.ts'

/** Called with each change. */
export interface PeerListener {
  member(member: Member): void
  /** `id` is null while there is none; the epoch is the newest then. */
  leader(id: string | null, epoch: number): void
  job(jobId: string, state: JobEventState): void
}

/**
 * Tells what the cluster already looks like, then each change, until the function that it returns is called.
 *
 * @param ready - called in between: nothing is told before, and nothing is missed
 */
export function followPeer(peer: Peer, listener: PeerListener, ready: () => void = () => {}): () => void {
  const told = new Map<string, string>()
  const member = (changed: Member): void => {
    // A member is another peer; and what is told of it changes less often than the rest that members carry.
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

/** A line of `join --json`, and the data of an event. */
export function eventJson(event: string, fields: object): string {
  return JSON.stringify({ event, time: new Date().toISOString(), ...fields })
}

export const memberFields = ({ id, state, incarnation }: Member): object => ({ peerId: id, state, incarnation })
