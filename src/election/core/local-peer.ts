import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import { ElectableMembers } from './electable-members.ts'
import type { CoreEvent } from './events.ts'
import {
  type CoordinatorMessage,
  compareLeaderships,
  leadershipOf,
  MAX_EPOCH,
  MAX_EPOCH_STEP,
  MAX_OUTBID_STEP,
  rankOf
} from './messages.ts'
import { compareRanks, type Rank, type RankOrder } from './rank.ts'
import { type ElectionRules, electionRules } from './rules.ts'

export interface LocalPeerInit {
  self: PeerIdString
  /** The newest epoch known from earlier runs. This peer claims only higher epochs. Default 0. */
  epoch?: number
  /** The newest leadership accepted in earlier runs. This peer refuses older leaderships from its start. */
  accepted?: CoordinatorMessage | undefined
  /** The voters. With voters, a claim needs a lease from a majority of the voters, and only voters lead. Default: no quorum. */
  voters?: readonly PeerIdString[] | undefined
  /** Whether a store grants leases to this peer, without which it must not claim. Default false. */
  hasStore?: boolean
  /** Whether this peer requests the leadership of a live leader that ranks lower. Default true. */
  preempt?: boolean
  /** The order of ranks. Default: the highest PeerId ranks highest. */
  order?: RankOrder
  /** @internal */
  rules?: ElectionRules
}

/** The knowledge of one peer in an election: its own state, the live members and the newest leadership. This class sends nothing. */
export class LocalPeer {
  readonly id: PeerIdString
  readonly rules: ElectionRules
  readonly members: ElectableMembers
  readonly #order: RankOrder
  /** Whether a claim needs a lease, from a majority of the voters or from a store. With leases, no two peers lead at the same time, and a newer leadership needs no go-ahead. */
  readonly needsLease: boolean
  /** Whether this peer takes over from a live leader that ranks lower. */
  readonly preempts: boolean
  readonly hasStore: boolean
  readonly #voters: readonly PeerIdString[] | undefined
  readonly #earlierEpoch: number
  /** The newest accepted leadership. An older leadership never replaces it. */
  accepted: CoordinatorMessage | undefined
  /** Whether the leader of `accepted` has announced that it no longer leads. */
  hasResigned: boolean
  /** Whether the first push-pull is done, or this peer has found no other peer within the lone-start delay. */
  isReady = false
  leaving: 'no' | 'leaving' | 'left' = 'no'
  /** The least lead in priority with which this peer takes over. Undefined: any higher rank takes over. */
  margin: number | undefined
  /** Whether this voter can write a promise. A voter that cannot write a promise cannot begin a leadership. */
  canPromise = true
  /** Whether this peer reaches the store that grants leases. A peer that does not must not take over. Always true without a store. */
  reachesStore = true
  /** The peer to which this leader is handing over. */
  heir: PeerIdString | undefined
  /** The time of the event that is being handled, in ms. */
  now = 0

  constructor({
    self,
    epoch = 0,
    accepted,
    voters,
    hasStore = false,
    preempt = true,
    order = compareRanks,
    rules = electionRules
  }: LocalPeerInit) {
    this.id = self
    this.rules = rules
    this.#order = order
    this.members = new ElectableMembers(order)
    this.needsLease = rules.needsLease(voters !== undefined || hasStore)
    this.hasStore = hasStore
    this.preempts = preempt
    this.#voters = voters
    this.#earlierEpoch = epoch
    this.accepted = accepted
    this.hasResigned = accepted?.leader === self
  }

  learn(event: Extract<CoreEvent, { type: 'ready' | 'disk' | 'reach' | 'margin' | 'leave' }>): void {
    if (event.type === 'ready') this.isReady = true
    else if (event.type === 'disk') this.canPromise = event.writable
    else if (event.type === 'reach') this.reachesStore = event.isReached
    else if (event.type === 'margin') this.margin = event.margin
    else if (this.leaving === 'no') this.leaving = 'leaving'
  }

  /** The newest accepted leadership, if its leader is live and has not resigned. */
  get leader(): Leadership | undefined {
    return this.accepted !== undefined && this.leaderLives ? leadershipOf(this.accepted) : undefined
  }

  get leaderLives(): boolean {
    if (this.accepted === undefined || this.hasResigned) return false
    return this.isLeader || this.members.has(this.accepted.leader)
  }

  get isLeader(): boolean {
    return this.accepted?.leader === this.id && !this.hasResigned
  }

  /** The newest epoch that this peer knows, including epochs of earlier runs. 0 if this peer knows none. */
  get newestEpoch(): number {
    return Math.max(this.accepted?.epoch ?? 0, this.#earlierEpoch)
  }

  get mayClaim(): boolean {
    const isElectable = this.members.get(this.id)?.electable === true
    return (
      this.rules.mayBegin(this.isReady) &&
      this.leaving === 'no' &&
      this.canPromise &&
      this.rules.roleAllows(isElectable)
    )
  }

  /** Whether this peer may claim, and could get a lease now. */
  get mayTakeOver(): boolean {
    return this.mayClaim && this.reachesStore
  }

  rankOf(id: PeerIdString): Rank {
    return this.members.get(id) ?? { id, priority: this.accepted?.leader === id ? this.accepted.priority : 0 }
  }

  /** Whether `a` ranks above `b`. */
  outranks(a: PeerIdString, b: PeerIdString): boolean {
    return this.#order(this.rankOf(a), this.rankOf(b)) > 0
  }

  /** Whether `id` is a live electable peer that ranks above this peer. */
  isHigher(id: PeerIdString): boolean {
    return this.members.get(id)?.electable === true && this.outranks(id, this.id)
  }

  /** Returns above 0 if the leadership is newer than the newest accepted leadership, and 0 if it is the same leadership. */
  compare(coordinator: CoordinatorMessage): number {
    return this.accepted === undefined ? 1 : compareLeaderships(coordinator, this.accepted)
  }

  isNewer(coordinator: CoordinatorMessage): boolean {
    return this.compare(coordinator) > 0
  }

  /** Whether this peer may accept the leadership at its admission. At the admission any epoch is allowed. Later steps are limited. */
  admits({ epoch, leader }: CoordinatorMessage): boolean {
    return !this.isReady && epoch <= MAX_EPOCH && this.isVoter(leader)
  }

  /** Returns the answer of this peer to an ELECTION of `from`. */
  answerTo(from: PeerIdString): 'claiming' | 'declined' | 'coordinator' {
    if (this.isLeader) return 'coordinator'
    if (this.leaving !== 'no') return 'declined'
    if (this.leaderLives) return 'coordinator'
    return this.mayClaim && this.outranks(this.id, from) ? 'claiming' : 'declined'
  }

  /** Whether `id` is a voter, or this cluster has no quorum. Under a quorum only voters lead, even voters that are not members now. */
  isVoter(id: PeerIdString): boolean {
    return this.#voters?.includes(id) !== false
  }

  mayLead(id: PeerIdString): boolean {
    return this.members.get(id)?.electable !== false && this.isVoter(id)
  }

  /** Whether elections can have reached this epoch since the newest epoch that this peer knows. */
  isInReach(epoch: number): boolean {
    return epoch <= MAX_EPOCH && epoch <= this.newestEpoch + MAX_EPOCH_STEP
  }

  /** Whether `leader` can have led with this epoch, and other peers can follow a claim above it. */
  mayGoAbove(leader: PeerIdString, epoch: number): boolean {
    if (this.members.get(leader)?.electable === false) return false
    return epoch <= MAX_EPOCH && epoch <= this.newestEpoch + MAX_OUTBID_STEP
  }

  /**
   * Whether this leader outbids a newer leadership that a peer without a leader has accepted, because such a peer must
   * refuse the older leadership. This leader does not outbid a leadership that has followers: two leaders that cannot
   * hear each other would outbid each other for ever.
   */
  mayOutbid(accepted: CoordinatorMessage | undefined): accepted is CoordinatorMessage {
    if (!this.isLeader || this.heir !== undefined || accepted === undefined) return false
    // Under leases a leader can only claim with the epoch of its lease.
    if (this.needsLease || !this.rules.outbidsTheGone()) return false
    return this.isNewer(accepted) && this.mayGoAbove(accepted.leader, accepted.epoch)
  }

  /** The fence: whether this peer obeys `from` as leader with `epoch`. This peer obeys unless it has accepted a newer leadership. */
  obeys(from: PeerIdString, epoch: number): boolean {
    const { accepted } = this
    if (accepted === undefined || epoch > accepted.epoch) return epoch <= MAX_EPOCH
    return (
      epoch === accepted.epoch && (from === accepted.leader || compareRanks(this.rankOf(from), rankOf(accepted)) > 0)
    )
  }

  /**
   * Whether this peer may accept a newer leadership without leaving its live leader. `teller`: the peer that sent the
   * leadership as its own newest.
   */
  mayAccept(coordinator: CoordinatorMessage, teller?: PeerIdString): boolean {
    const { accepted } = this
    return (
      accepted === undefined ||
      this.needsLease ||
      // A leader may give up its own leadership. A leader reaches this line only while it doubts that it still leads.
      accepted.leader === this.id ||
      !this.leaderLives ||
      coordinator.leader === accepted.leader ||
      teller === accepted.leader ||
      this.rules.hasGoAhead(coordinator, accepted)
    )
  }
}
