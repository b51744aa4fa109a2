/**
 * Two leaders after a healed cut. A leader keeps a list of its rivals, and the lower-ranked of two leaders hands over. A
 * follower refuses a rival for which its live leader gave no go-ahead, and reports this rival to its leader.
 */
import type { PeerIdString } from '../../network/types.ts'
import { type CoordinatorMessage, compareLeaderships } from './messages.ts'
import { Part } from './part.ts'

export class Rivals extends Part {
  /** While leading: the other live leaders. */
  readonly #known = new Map<PeerIdString, CoordinatorMessage>()
  /** While leading: the newest leadership whose leader is not live for this peer. That leader becomes a rival when it appears. */
  #unmet: CoordinatorMessage | undefined
  /** The newest leadership that this peer refused only because its live leader gave no go-ahead. */
  #refused: CoordinatorMessage | undefined
  #attempts = 0

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

  /** This leader hears of another leadership. Under a quorum that leadership has ended, and this peer tells its leader so. */
  meet(rival: CoordinatorMessage): void {
    const { id, accepted, members, needsLease } = this.peer
    const { leader, epoch } = rival
    if (needsLease) this.outbox.sendAccepted(leader)
    if (needsLease || leader === id) return
    if (!members.has(leader)) {
      // The leader of an older leadership hears of the newer one from this peer when it appears.
      if (this.peer.isNewer(rival)) this.#unmet = rival
      return
    }
    const isOver = accepted?.goAheads.some(({ from, fromEpoch }) => from === leader && fromEpoch >= epoch)
    const known = this.#known.get(leader)
    if (isOver || (known !== undefined && compareLeaderships(rival, known) <= 0)) return
    this.#known.set(leader, rival)
    this.face()
  }

  /** A member appeared or changed, perhaps the leader of the unmet leadership. */
  meetUnmet(id: PeerIdString): void {
    const unmet = this.#unmet
    if (unmet?.leader !== id) return
    this.#unmet = undefined
    if (this.peer.members.has(id)) this.meet(unmet)
  }

  /** This peer leads now, so the leadership that it refused becomes a rival. */
  meetRefused(): void {
    const refused = this.#refused
    this.#refused = undefined
    if (refused !== undefined) this.meet(refused)
  }

  settled(id: PeerIdString): void {
    this.#known.delete(id)
  }

  /** Keeps a leadership that this peer refuses only because its live leader gave no go-ahead. */
  refuse(coordinator: CoordinatorMessage): void {
    if (this.#refused !== undefined && compareLeaderships(coordinator, this.#refused) <= 0) return
    this.#refused = coordinator
    this.face()
  }

  /** A newer leadership was accepted. */
  forgetOlder(): void {
    if (this.#refused !== undefined && !this.peer.isNewer(this.#refused)) this.#refused = undefined
  }

  /** Contacts each rival, or as follower the leader, now and once each interval. */
  face(): void {
    const isOpen = this.peer.isLeader ? this.#faceAsLeader() : this.#faceAsFollower()
    this.outbox.timer('rivals', isOpen ? this.times.requestInterval : undefined)
  }

  onTimer(): void {
    this.#attempts += 1
    this.face()
  }

  /** As leader, asks lower-ranked rivals to hand over, and sends COORDINATOR to higher-ranked rivals, which then ask this peer. */
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
    const { accepted, leaving, members } = this.peer
    if (leaving !== 'no') this.#refused = undefined
    const refused = this.#refused
    // A leader that is gone is no rival.
    if (refused === undefined || !members.has(refused.leader)) return false
    const message = { type: 'rival', coordinator: refused } as const
    this.relay.sendAgain(accepted!.leader, message, this.#attempts, { kind: 'rival', accepted: refused })
    return true
  }

  /** This peer begins or stops leading or following. */
  restart(): void {
    this.#attempts = 0
  }

  /** This peer no longer leads. */
  clear(): void {
    this.#known.clear()
    this.#unmet = undefined
    this.outbox.timer('rivals', undefined)
  }

  #isHigher(id: PeerIdString): boolean {
    return this.peer.outranks(id, this.peer.id)
  }
}
