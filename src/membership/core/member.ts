import type { PeerIdString } from '../../network/types.ts'

/** A member's state in one observer's view (SWIM §4.2). `alive` and `suspect` members are *live*. */
export type MemberState = 'alive' | 'suspect' | 'dead' | 'left'

/** `auto`: the member is electable and runs chunks. `leader`: it is electable and runs no chunks. `worker`: it runs chunks and is never electable. */
export type Role = 'auto' | 'leader' | 'worker'

/** The data that a member publishes about itself in its signed self record. */
export interface MemberMetadata {
  /** The member's multiaddrs, with `/p2p/<id>`. */
  addresses: string[]
  /** The number of chunks that the member runs at a time. */
  slots: number
  /** Whether the member may lead, and whether the member runs chunks. */
  role: Role
  /** The priority in elections, which is compared before the PeerId. The default is 0. */
  electionPriority: number
  /** The tags with which the member joined. Jobs may require tags ({@link SubmitOptions.requires}). */
  tags: Record<string, string>
  /** The version of the member's p2p-worker package. */
  version: string
  /** The member's version of Node, such as `26.10.0`. It is empty if the version is unknown. */
  node: string
  /** The id of the member's machine, boot and network namespace (network/host-id.ts). It is empty if the id is unknown. */
  host: string
  /**
   * The strategy, the voters and the lease time with which the member elects (election/electorate.ts). It is empty for `bully` without
   * voters. A peer of another electorate is not a member of this cluster, because it could elect a leader of its own.
   */
  electorate: string
  /** Whether the member has a data folder, in which it keeps its part of the journal. */
  hasDisk: boolean
}

/** A member (possibly the peer itself) in the view of one peer. */
export interface Member extends MemberMetadata {
  /** The member's PeerId. */
  id: PeerIdString
  /** The member's state in this observer's view. */
  state: MemberState
  /** The incarnation. Only the member itself raises its incarnation, to refute an accusation (SWIM §4.2). */
  incarnation: number
  /** The revision. The member raises its revision with each change of its metadata within an incarnation. */
  revision: number
  /**
   * The mean round trip from this observer (for a client: from the peer that it is attached to) to the member, in ms. Only `members()`
   * sets this field. It is undefined for a member that has not answered yet.
   */
  rtt?: number | undefined
  /** The time at which this observer saw the state change, in ms since the epoch (wall clock). */
  since: number
}

/** Whether a member is alive or suspect, and so counts as part of the cluster. */
export function isLive(member: { state: MemberState }): boolean {
  return member.state === 'alive' || member.state === 'suspect'
}
