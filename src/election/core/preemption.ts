import { Part } from './part.ts'

/** Takes over from a live leader that ranks lower: asks it to hand over, and asks again until it does. */
export class Preemption extends Part {
  #isRunning = false
  #requests = 0

  /** Whether this peer has asked the leader to hand over. */
  get hasAsked(): boolean {
    return this.#isRunning && this.#requests > 0
  }

  /** Begins when this peer could take over, and ends when it no longer could. The first request follows after `stableFor`. */
  settle(): void {
    const couldTakeOver = this.#couldTakeOver()
    if (couldTakeOver === this.#isRunning) return
    this.#isRunning = couldTakeOver
    this.#requests = 0
    this.outbox.timer('takeover', couldTakeOver ? this.times.stableFor : undefined)
  }

  onTimer(): void {
    const { accepted } = this.peer
    if (!this.#isRunning || accepted === undefined) return
    this.relay.request(accepted, this.#requests)
    this.#requests += 1
    this.outbox.timer('takeover', this.times.requestInterval)
  }

  /** This peer begins to follow another leader: its first request goes directly again. */
  restart(): void {
    this.#requests = 0
  }

  stop(): void {
    this.#isRunning = false
    this.outbox.timer('takeover', undefined)
  }

  /** Of all members that rank above the live leader, only the highest takes over. */
  #couldTakeOver(): boolean {
    const { accepted, members, id } = this.peer
    return (
      this.peer.preempts &&
      accepted !== undefined &&
      this.peer.leaderLives &&
      this.peer.mayClaim &&
      members.highest()?.id === id &&
      this.peer.outranks(id, accepted.leader)
    )
  }
}
