import type { Rank } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { JournalRules } from './rules.ts'

/**
 * How long a live member may leave a request unanswered, in ms. After this time the leader does not wait for the member any more, and
 * other members store the journal in place of this member.
 */
export const UNANSWERED_MS = 5_000

/** The properties of a live member that matter to the journal. */
export interface JournalMember {
  rank: Rank
  electable: boolean
  /** Whether the member keeps its part of the journal on disk. */
  hasDisk: boolean
}

export interface Follower extends JournalMember {
  /** Whether the member has answered the read on the present connection. A member that has answered obeys this leader. */
  answered: boolean
  /** Whether the member has lost entries, and has not caught up since. */
  isIncomplete: boolean
  /** Whether the member answers. False after the member left a request unanswered for {@link UNANSWERED_MS}. */
  reachable: boolean
  /** Whether the timer for the member's next answer runs. */
  timed: boolean
  /** Whether the member has confirmed an entry since this timer started. */
  confirmed: boolean
  /** Whether the member has a disk that did not take what it last confirmed. */
  diskFails: boolean
}

export interface FollowersInit {
  setTimer(id: PeerIdString, delay: number | undefined): void
  /** Asks a follower for its entries. */
  read(id: PeerIdString): void
  /** The copies of a follower may be lost, and its answers may never arrive. */
  distrust(id: PeerIdString): void
  /** Whether an entry was sent to the follower that it has not confirmed. */
  isUnconfirmedBy(id: PeerIdString): boolean
  /** Whether a follower counts as read that has answered. */
  mayCount: JournalRules['countsAsRead']
}

/** The other live members, with the state of their answers. */
export class Followers extends Map<PeerIdString, Follower> {
  readonly #init: FollowersInit
  /** Set when a member appears, leaves, changes, or becomes reachable or unreachable. Then the standbys must be chosen again. */
  changed = true

  #isReading = false

  constructor(init: FollowersInit) {
    super()
    this.#init = init
  }

  hasAnswered(id: PeerIdString): boolean {
    return this.get(id)?.answered === true
  }

  /** Whether the member has answered, and has all entries that it ever stored. */
  isWhole(id: PeerIdString): boolean {
    return this.hasAnswered(id) && this.#init.mayCount(this.get(id)!.isIncomplete)
  }

  /** Returns the peers with a disk, and those without. `self`: whether a peer that is no follower has one. */
  byDisk(ids: readonly PeerIdString[], self = false): [withDisk: PeerIdString[], without: PeerIdString[]] {
    const hasDisk = (id: PeerIdString): boolean => this.get(id)?.hasDisk ?? self
    return [ids.filter(hasDisk), ids.filter(id => !hasDisk(id))]
  }

  hasDisk(id: PeerIdString): boolean {
    return this.get(id)?.hasDisk === true
  }

  /** Whether a member has a disk that takes entries. */
  hasWorkingDisk(id: PeerIdString): boolean {
    const follower = this.get(id)
    return follower?.hasDisk === true && !follower.diskFails
  }

  /** Records whether what a member has confirmed is on its disk. Returns whether its disk fails now and did not before, or the other way round. */
  noteDisk(follower: Follower, isOnDisk: boolean): boolean {
    const fails = follower.hasDisk && !isOnDisk
    if (fails === follower.diskFails) return false
    follower.diskFails = fails
    this.changed = true
    return true
  }

  /** The members that have answered the read on the present connection. */
  get answered(): PeerIdString[] {
    return [...this.keys()].filter(id => this.hasAnswered(id))
  }

  /** Marks members that had lost entries as whole. Returns these. */
  markWhole(hasCaughtUp: (id: PeerIdString) => boolean): PeerIdString[] {
    const whole = [...this.keys()].filter(id => this.get(id)!.isIncomplete && this.hasAnswered(id) && hasCaughtUp(id))
    for (const id of whole) this.get(id)!.isIncomplete = false
    return whole
  }

  /** Asks all members for their entries, also those that appear later. */
  readAll(): void {
    this.#isReading = true
    for (const follower of this.values()) this.#read(follower)
  }

  /** Adds or updates a member. */
  update(member: JournalMember): void {
    const { id } = member.rank
    const known = this.get(id)
    const fresh = {
      answered: false,
      isIncomplete: false,
      reachable: true,
      timed: false,
      confirmed: false,
      diskFails: false
    }
    this.set(id, { ...fresh, ...known, ...member })
    this.changed = true
    if (known === undefined && this.#isReading) this.#read(this.get(id)!)
  }

  /** Removes a member that is no longer live. */
  remove(id: PeerIdString): void {
    if (!this.delete(id)) return
    this.changed = true
    this.#init.setTimer(id, undefined)
    this.#init.distrust(id)
  }

  /** Asks a follower for its entries, and waits for the answer. */
  #read(follower: Follower): void {
    this.#init.read(follower.rank.id)
    this.awaitAnswer(follower)
  }

  /** Handles that the connection to a member broke. */
  onDisconnected(id: PeerIdString): void {
    const follower = this.get(id)
    if (follower === undefined) return
    // The timer of a lost read continues, so that a member with an unstable connection gets no extra time.
    if (follower.answered) this.#read(follower)
    else this.#init.read(id)
    follower.answered = false
    this.#init.distrust(id)
  }

  /** Handles a follower that has not answered the read in time, or has confirmed none of the entries that it received. */
  onUnanswered(id: PeerIdString): void {
    const follower = this.get(id)
    if (follower === undefined) return
    follower.timed = false
    if (follower.answered) {
      if (!this.#init.isUnconfirmedBy(id)) return
      if (follower.confirmed) {
        this.awaitAnswer(follower)
        return
      }
      follower.answered = false
      this.#init.distrust(id)
      this.#init.read(id)
    }
    this.markUnreachable(id)
  }

  markAnswered(follower: Follower, isIncomplete = false): void {
    this.changed ||= !follower.reachable
    Object.assign(follower, { answered: true, isIncomplete, reachable: true, timed: false })
    this.#init.setTimer(follower.rank.id, undefined)
  }

  /** Records that a member that has not answered cannot be reached. */
  markUnreachable(id: PeerIdString): void {
    const follower = this.get(id)
    if (follower === undefined || follower.answered || !follower.reachable) return
    follower.reachable = false
    this.changed = true
  }

  /** Starts the timer for the follower's next answer. */
  awaitAnswer(follower: Follower): void {
    follower.timed = true
    follower.confirmed = false
    this.#init.setTimer(follower.rank.id, UNANSWERED_MS)
  }
}
