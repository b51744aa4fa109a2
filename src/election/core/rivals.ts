/**
 * Two leaders after a healed cut. A leader keeps a list of its rivals, and the lower-ranked of two leaders hands over. A
 * follower refuses a rival for which its live leader gave no go-ahead, and reports this rival to its leader.
 */
import type { PeerIdString } from '../../network/types.ts'
import { type CoordinatorMessage, compareLeaderships } from './messages.ts'
import { Part } from './part.ts'

export class Rivals extends Part {
  /** The other live leaders that this leader knows. */
  readonly #known = new Map<PeerIdString, CoordinatorMessage>()
  /** The newest leadership whose leader this leader does not know as live. That leader becomes a rival when it appears. */
  #unmet: CoordinatorMessage | undefined
  /** The newest leadership that this peer refused only because its live leader gave no go-ahead. */
  #refused: CoordinatorMessage | undefined
  #attempts = 0
  /** When this leader last outbid a newer leadership. */
  #outbidAt = Number.NEGATIVE_INFINITY

  /**
   * Records that this leader outbids a newer leadership now. Returns false if it has done so within `requestInterval`: two leaders
   * that do not hear each other would otherwise outbid each other with each message. A candidate without an answer asks again.
   */
  outbids(): boolean {
    const { now } = this.peer
    if (now < this.#outbidAt + this.times.requestInterval) return false
    this.#outbidAt = now
    return true
  }

  get refused(): CoordinatorMessage | undefined {
    return this.#refused
  }

  get hasLower(): boolean {
    return [...this.#known.values()].some(({ leader }) => !this.#isHigher(leader))
  }

  has(id: PeerIdString): boolean {
    return this.#known.has(id)
  }

  epochOf(id: PeerIdString): number | undefined {
    return this.#known.get(id)?.epoch
  }

  /** Handles another leadership that this leader learns of. Under a quorum that leadership has ended, and this peer informs the leader of it. */
  meet(rival: CoordinatorMessage): void {
    const { id, accepted, members, needsLease } = this.peer
    const { leader, epoch } = rival
    if (needsLease) this.outbox.sendAccepted(leader)
    if (needsLease || leader === id) return
    if (!members.has(leader)) {
      // Keeps only a newer leadership. The leader of an older leadership receives this peer's leadership when it appears.
      if (this.peer.isNewer(rival)) this.#unmet = rival
      return
    }
    const isOver = accepted?.goAheads.some(({ from, fromEpoch }) => from === leader && fromEpoch >= epoch)
    const known = this.#known.get(leader)
    if (isOver || (known !== undefined && compareLeaderships(rival, known) <= 0)) return
    this.#known.set(leader, rival)
    this.face()
  }

  /** Handles a new or changed member, which may be the leader of the unmet leadership. */
  meetUnmet(id: PeerIdString): void {
    const unmet = this.#unmet
    if (unmet?.leader !== id) return
    this.#unmet = undefined
    if (this.peer.members.has(id)) this.meet(unmet)
  }

  /** Turns the leadership that this peer refused into a rival, because this peer leads now. */
  meetRefused(): void {
    const refused = this.#refused
    this.#refused = undefined
    if (refused !== undefined) this.meet(refused)
  }

  /** Forgets a rival that leads no longer. Returns its leadership. */
  settled(id: PeerIdString): CoordinatorMessage | undefined {
    const rival = this.#known.get(id)
    this.#known.delete(id)
    return rival
  }

  /** Keeps a leadership that this peer refuses only because its live leader gave no go-ahead. */
  refuse(coordinator: CoordinatorMessage): void {
    if (!this.peer.members.has(coordinator.leader)) {
      // No timer repeats this report, but the sender repeats its message. So the report goes through a third member, too.
      this.#attempts += 1
      this.#report(coordinator)
    }
    if (this.#refused !== undefined && compareLeaderships(coordinator, this.#refused) <= 0) return
    this.#refused = coordinator
    this.face()
  }

  /** Forgets older leaderships, because this peer has accepted a newer leadership. */
  forgetOlder(): void {
    if (this.#refused !== undefined && !this.peer.isNewer(this.#refused)) this.#refused = undefined
  }

  /** As leader, contacts each rival. As follower, contacts the leader. Repeats this in each interval. */
  face(): void {
    const isOpen = this.peer.isLeader ? this.#faceAsLeader() : this.#faceAsFollower()
    this.outbox.timer('rivals', isOpen ? this.times.requestInterval : undefined)
  }

  onTimer(): void {
    this.#attempts += 1
    this.face()
  }

  /** As leader, asks lower-ranked rivals to hand over. Sends COORDINATOR to higher-ranked rivals, which then ask this peer to hand over. */
  #faceAsLeader(): boolean {
    const { heir, leaving, accepted } = this.peer
    for (const rival of this.#known.values()) {
      const { leader } = rival
      const shown = { type: 'coordinator', coordinator: accepted! } as const
      if (this.#isHigher(leader)) this.relay.sendAgain(leader, shown, this.#attempts, { kind: 'coordinator', accepted })
      else if (heir === undefined && leaving === 'no') this.relay.request(rival, this.#attempts)
    }
    return this.#known.size > 0
  }

  /** As follower, reports the refused leadership to the leader. */
  #faceAsFollower(): boolean {
    const { leaving, members } = this.peer
    if (leaving !== 'no') this.#refused = undefined
    const refused = this.#refused
    // A refused leader that is gone is no rival.
    if (refused === undefined || !members.has(refused.leader)) return false
    this.#report(refused)
    return true
  }

  /** Reports a refused leadership to the leader. A leader that has accepted it answers with it, and this peer then follows. */
  #report(coordinator: CoordinatorMessage): void {
    const { leader } = this.peer.accepted!
    this.relay.sendAgain(leader, { type: 'rival', coordinator }, this.#attempts, {
      kind: 'rival',
      accepted: coordinator
    })
  }

  /** Counts the attempts anew, because this peer has begun or stopped to lead or to follow. */
  restart(): void {
    this.#attempts = 0
  }

  /** Forgets all rivals, because this peer no longer leads. */
  clear(): void {
    this.#known.clear()
    this.#unmet = undefined
    this.outbox.timer('rivals', undefined)
  }

  #isHigher(id: PeerIdString): boolean {
    return this.peer.outranks(id, this.peer.id)
  }
}
