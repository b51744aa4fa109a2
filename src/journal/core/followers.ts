import type { Rank } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'

/** A live member that does not answer for this long, in ms, is read later, and others store the journal in its place. */
export const UNANSWERED_MS = 5_000

/** A live member, as the journal needs to know it. */
export interface JournalMember {
  rank: Rank
  electable: boolean
}

export interface Follower extends JournalMember {
  /** It has answered the read on the present connection: from then on it obeys this leader. */
  answered: boolean
  /** False once it left something unanswered for {@link UNANSWERED_MS}. */
  reachable: boolean
  /** Whether the timer for its next answer runs. */
  timed: boolean
  /** Whether it has stored something since that timer began. */
  confirmed: boolean
}

/** The other live members: who has answered the leader, and whose answer is due. */
export class Followers extends Map<PeerIdString, Follower> {
  readonly #setTimer: (id: PeerIdString, delay: number | undefined) => void
  /** Set when a member comes, goes, changes or turns (un)reachable: other members may have to be the standbys. */
  changed = true

  constructor(setTimer: (id: PeerIdString, delay: number | undefined) => void) {
    super()
    this.#setTimer = setTimer
  }

  hasAnswered(id: PeerIdString): boolean {
    return this.get(id)?.answered === true
  }

  /** Takes a new or changed member; says whether it is new. */
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

  /** Starts the time within which the follower has to answer. */
  awaitAnswer(follower: Follower): void {
    follower.timed = true
    follower.confirmed = false
    this.#setTimer(follower.rank.id, UNANSWERED_MS)
  }
}
