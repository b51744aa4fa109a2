/** The interface of the membership to the layers above. membership.ts implements the interface. */
import type { TypedEventTarget } from 'main-event'
import type { Histogram } from '../lib/histogram.ts'
import type { PeerIdString } from '../network/types.ts'
import type { Member, MemberMetadata, MemberState } from './core/member.ts'

export interface MembershipEvents {
  /** A member appeared or changed (state, incarnation or metadata). */
  member: CustomEvent<{ member: Member; previous: Member | undefined }>
  /** The first push-pull has finished, or the lone-start delay has passed. From now on the table is reliable. */
  ready: CustomEvent<void>
  /** The first push-pull has finished, so another member has told what it knows of this peer. */
  met: CustomEvent<void>
  /** Another member has a newer record of this peer, which this process did not make: its state of earlier runs is old, or lost. */
  outdated: CustomEvent<void>
}

/**
 * A delegate that adds the state of a higher layer to every push-pull, like memberlist's delegate. `localState` returns the state to
 * send (at most 64 KiB). `mergeRemoteState` gets the other side's state, before the members of the same push-pull are announced.
 */
export interface PushPullDelegate {
  localState(): Uint8Array
  mergeRemoteState(from: PeerIdString, state: Uint8Array): void
}

/** The quality of one peer's failure detector since that peer started. */
export interface SwimStats {
  /** The number of suspicions of members that turned out to be alive. */
  falseSuspicions: number
  /** The number of members that this peer declared dead although they were alive. */
  falseDeaths: number
  /** The number of refutations by this peer. */
  refutations: number
  /** The score of Lifeguard's local health multiplier. It is 0 if this peer shows no sign of slowness. */
  localHealth: number
}

export interface MembershipStats extends SwimStats {
  /** The number of members by state, including this peer. */
  members: Record<MemberState, number>
  /** The delays of the event loop at each sample, in ms. */
  eventLoopLag: Histogram
}

export interface Membership extends TypedEventTarget<MembershipEvents> {
  readonly self: Member
  readonly isReady: boolean
  /** Returns all known members: this peer, live members, and the dead and left members that are still remembered. */
  members(): Member[]
  get(id: PeerIdString): Member | undefined
  /** The alive and suspect members, including this peer. */
  live(): Member[]
  /**
   * By how much the wall clock of this peer is ahead of the median of the live members including this peer, in ms; negative if it is behind.
   * Undefined while no other member has answered a ping.
   */
  clockOffset(): number | undefined
  /** Changes the metadata of this peer and spreads the change to all members. */
  update(change: Partial<MemberMetadata>): void
  stats(): MembershipStats
  setDelegate(delegate: PushPullDelegate): void
  /** Stops probing, announces `left`, and waits until the announcement has been sent to the connected members. */
  leave(): Promise<void>
  stop(): Promise<void>
}
