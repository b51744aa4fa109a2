import type { Rank } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'

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
  /** Whether the member answers. False after the member left a request unanswered for {@link UNANSWERED_MS}. */
  reachable: boolean
  /** Whether the timer for the member's next answer runs. */
  timed: boolean
  /** Whether the member has confirmed an entry since this timer started. */
  confirmed: boolean
}

/** The other live members, with the state of their answers. */
export class Followers extends Map<PeerIdString, Follower> {
  readonly #setTimer: (id: PeerIdString, delay: number | undefined) => void
  /** Set when a member appears, leaves, changes, or becomes reachable or unreachable. Then the standbys must be chosen again. */
  changed = true

  constructor(setTimer: (id: PeerIdString, delay: number | undefined) => void) {
    super()
    this.#setTimer = setTimer
  }

  hasAnswered(id: PeerIdString): boolean {
    return this.get(id)?.answered === true
  }

  /** Adds or updates a member. Returns whether the member is new. */
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
