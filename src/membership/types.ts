/** The membership as the layers above see it. Implemented by membership.ts. */
import type { TypedEventTarget } from 'main-event'
import type { Histogram } from '../lib/histogram.ts'
import type { PeerIdString } from '../network/types.ts'
import type { Member, MemberMetadata, MemberState } from './core/member.ts'

export interface MembershipEvents {
  /** A member appeared or changed (state, incarnation or metadata). */
  member: CustomEvent<{ member: Member; previous: Member | undefined }>
  /** The first push-pull is done, or the lone-start delay has passed: the table can be relied on. */
  ready: CustomEvent<void>
}

/**
 * A higher layer's state that rides on every push-pull, as memberlist's delegate does. `localState` is sent along (at
 * most 64 KiB), `mergeRemoteState` gets what the other side sent, before the members that came with it are announced.
 */
export interface PushPullDelegate {
  localState(): Uint8Array
  mergeRemoteState(from: PeerIdString, state: Uint8Array): void
}

/** How well the failure detector works, in one peer's view since it started. */
export interface SwimStats {
  /** Suspects that turned out to be alive. */
  falseSuspicions: number
  /** Members held dead that had been alive all the time. */
  falseDeaths: number
  /** Accusations of this peer that it has refuted. */
  refutations: number
  /** Lifeguard's local health multiplier: 0 is well. */
  localHealth: number
}

export interface MembershipStats extends SwimStats {
  /** By state, this peer among them. */
  members: Record<MemberState, number>
  /** How late the event loop was at each look, in ms. */
  eventLoopLag: Histogram
}

export interface Membership extends TypedEventTarget<MembershipEvents> {
  readonly self: Member
  readonly isReady: boolean
  /** All members known, this peer included, dead and left ones as long as they are kept. */
  members(): Member[]
  get(id: PeerIdString): Member | undefined
  /** Alive or suspect members, this peer included. */
  live(): Member[]
  /** Changes what this peer says about itself, and spreads it. */
  update(change: Partial<MemberMetadata>): void
  stats(): MembershipStats
  setDelegate(delegate: PushPullDelegate): void
  /** Announces `left` and waits until it is on its way to the others; probes nobody any more. */
  leave(): Promise<void>
  stop(): Promise<void>
}
