import type { PeerIdString } from '../../network/types.ts'

/** A member's state in one observer's view (SWIM §4.2). `alive` and `suspect` members are *live*. */
export type MemberState = 'alive' | 'suspect' | 'dead' | 'left'

/** `auto`: electable, and computes; `leader`: electable, runs no chunks; `worker`: never electable. */
export type Role = 'auto' | 'leader' | 'worker'

/** What a member says about itself, in its signed self record. */
export interface MemberMetadata {
  /** Multiaddrs with `/p2p/<id>`. */
  addresses: string[]
  /** Chunks that it runs at a time. */
  slots: number
  /** Whether it may lead, and whether it computes. */
  role: Role
  /** Compared before the PeerId in elections; 0 unless set. */
  electionPriority: number
  /** What it joined with, and jobs may require ({@link SubmitOptions.requires}). */
  tags: Record<string, string>
  /** Version of the p2p-worker package. */
  version: string
  /** Version of Node that it runs on, such as `26.10.0`; empty where unknown. */
  node: string
  /** Machine, boot and network namespace (network/host-id.ts); empty where unknown. */
  host: string
  /**
   * A digest of the voters and the lease time by which its cluster elects (election/lease-terms.ts); empty without voters.
   * A peer with another one is no member here: both could have a leader at the same time.
   */
  quorum: string
}

/** What a peer knows about a member (itself included). */
export interface Member extends MemberMetadata {
  /** Its PeerId. */
  id: PeerIdString
  /** What this observer holds it for. */
  state: MemberState
  /** Raised only by the member itself, to refute an accusation (SWIM §4.2). */
  incarnation: number
  /** Raised by the member with each change of its metadata within an incarnation. */
  revision: number
  /**
   * How long its answers take this observer (for a client: the peer that it is attached to), in ms. Only what `members()` gives
   * has it, and only for members that have answered.
   */
  rtt?: number | undefined
  /** When this observer saw the state change, in ms since the epoch (wall clock). */
  since: number
}

/** Whether a member counts as part of the cluster. */
export function isLive(member: { state: MemberState }): boolean {
  return member.state === 'alive' || member.state === 'suspect'
}
