import type { Rank } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'

/**
 * How long a live member may leave a request unanswered, in ms. After that the leader reads it later, and other members
 * store the journal in its place.
 */
export const UNANSWERED_MS = 5_000

/** A live member as the journal sees it. */
export interface JournalMember {
  rank: Rank
  electable: boolean
}

export interface Follower extends JournalMember {
  /** Whether the member has answered the read on the present connection: since then it obeys this leader. */
  answered: boolean
  /** False after the member left something unanswered for {@link UNANSWERED_MS}. */
  reachable: boolean
  /** Whether the timer for the member's next answer runs. */
  timed: boolean
  /** Whether the member has stored something since that timer started. */
  confirmed: boolean
}

/** The other live members, with the state of their answers. */
export class Followers extends Map<PeerIdString, Follower> {
  readonly #setTimer: (id: PeerIdString, delay: number | undefined) => void
  /** Set when a member comes, goes, changes or turns (un)reachable: the standbys must be chosen again. */
  changed = true

  constructor(setTimer: (id: PeerIdString, delay: number | undefined) => void) {
    super()
    this.#setTimer = setTimer
  }

  hasAnswered(id: PeerIdString): boolean {
    return this.get(id)?.answered === true
  }

  /** Adds or updates a member; returns whether it is new. */
  update(member: JournalMember): boolean {
    const { id } = member.rank
    const known = this.get(id)
    this.set(id, { answered: false, reachable: true, timed: false, confirmed: false, ...known, ...member })
    this.changed = true
    return known === undefined
  }

  override delete(id: PeerIdString): boolean {
    if (!super.delete(id)) return false
    this.changed = true
    this.#setTimer(id, undefined)
    return true
  }

  markAnswered(follower: Follower): void {
    this.changed ||= !follower.reachable
    Object.assign(follower, { answered: true, reachable: true, timed: false })
    this.#setTimer(follower.rank.id, undefined)
  }

  markUnreachable(follower: Follower): void {
    if (follower.answered || !follower.reachable) return
    follower.reachable = false
    this.changed = true
  }

  /** Starts the timer for the follower's next answer. */
  awaitAnswer(follower: Follower): void {
    follower.timed = true
    follower.confirmed = false
    this.#setTimer(follower.rank.id, UNANSWERED_MS)
  }
}
