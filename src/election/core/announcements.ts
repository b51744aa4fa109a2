import { Part } from './part.ts'

/** The longest pause between the announcements of a leader, in announce intervals. */
const MAX_INTERVALS = 8

/**
 * A leader gossips its COORDINATOR message again and again, so that a peer that missed it receives it later. A timer that fires
 * late shows the leader that it was paused or suspended. Then the other peers may have another leader.
 */
export class Announcements extends Part {
  #dueAt = 0
  /** The number of announce intervals since the claim. */
  #intervals = 0
  #doubtsUntil = 0

  /** Announces a new claim to each member directly and to all members by gossip. */
  begin(): void {
    this.#doubtsUntil = 0
    this.#intervals = 0
    for (const id of this.peer.members.ids()) this.outbox.sendAccepted(id)
    this.#gossip()
    this.#wait()
  }

  /** Handles the end of an interval. Repeats the announcement after 1, 2, 4 and 8 intervals, and then after every 8th interval. */
  onTimer(): void {
    this.#intervals += 1
    const isPowerOfTwo = (this.#intervals & (this.#intervals - 1)) === 0
    if (isPowerOfTwo || this.#intervals % MAX_INTERVALS === 0) this.#gossip()
    this.#wait()
  }

  /** Checks, at each event of a leader, whether the announcement timer is late. */
  check(): void {
    const { now } = this.peer
    if (now > this.#dueAt + this.times.awayAfter) this.#doubtsUntil = now + this.times.handOffTimeout
  }

  /** Whether this leader was paused or suspended, and doubts that it still leads. */
  get isDoubtful(): boolean {
    return this.peer.now < this.#doubtsUntil
  }

  #gossip(): void {
    const { accepted } = this.peer
    if (accepted !== undefined) this.outbox.push({ type: 'gossip', coordinator: accepted })
  }

  #wait(): void {
    this.#dueAt = this.peer.now + this.times.announceInterval
    this.outbox.timer('announce', this.times.announceInterval)
  }
}
