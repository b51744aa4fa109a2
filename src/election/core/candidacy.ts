import type { PeerIdString } from '../../network/types.ts'
import { type Context, Part } from './part.ts'

/** The number of rounds of questions after which a former leader repeats that it no longer leads. */
const RESIGNATION_ROUNDS = 4
/** The number of answers `claiming` without a COORDINATOR that count as `declined`. */
const MAX_CLAIMING = 3

/** A candidate's questions (ELECTION) to the members that rank above it, and their answers. */
export class Candidacy extends Part {
  /** The number of answers `claiming` of each member. */
  readonly #claiming = new Map<PeerIdString, number>()
  readonly #declined = new Set<PeerIdString>()
  readonly #asked = new Set<PeerIdString>()
  /** The number of questions to each member since its last answer. */
  readonly #unanswered = new Map<PeerIdString, number>()
  /** The nonce of the last relayed question to each member. */
  readonly #nonces = new Map<PeerIdString, number>()
  #rounds = 0

  constructor(context: Context) {
    super(context)
    this.wait()
  }

  /** Whether no live higher member wants to claim. */
  get isHighest(): boolean {
    const { rules } = this.peer
    return this.#higher().every(({ id }) => !rules.waitsForHigher(this.#declined.has(id)))
  }

  /** Asks each higher member that has not declined. Repeats an unanswered question directly and through another member. */
  ask(): void {
    this.#rounds += 1
    const { id: self, members, mayClaim, accepted } = this.peer
    const highest = members.highest()
    // A peer that may not claim asks only the highest member, to learn of a leader.
    const asked = mayClaim ? this.#higher() : highest ? [highest] : []
    for (const { id: to } of asked) {
      if (this.#declined.has(to)) continue
      const before = this.#unanswered.get(to) ?? 0
      this.#asked.add(to)
      this.#unanswered.set(to, before + 1)
      this.outbox.sendElection(to)
      const others = [...members.ids()].filter(id => id !== self && id !== to)
      const via = before === 0 ? undefined : others[(before - 1) % others.length]
      if (via !== undefined) this.#nonces.set(to, this.relay.send(via, to, { kind: 'election', accepted }))
    }
    this.#repeatResignation()
    this.wait()
  }

  /**
   * Repeats that this peer no longer leads. Under a quorum a lease can end without a new leader. A peer that missed the
   * message would then follow this peer for ever.
   */
  #repeatResignation(): void {
    const { needsLease, accepted, id } = this.peer
    if (needsLease && accepted?.leader === id && this.#rounds % RESIGNATION_ROUNDS === 0)
      this.relay.announceResignation(this.#rounds / RESIGNATION_ROUNDS)
  }

  /** Waits for answers, and for the COORDINATOR of a higher member, before the next round. */
  wait(): void {
    this.outbox.timer('coordinator', this.times.coordinatorTimeout)
  }

  /** Whether this is the answer to the last relayed question to `from`. An answer counts only the first time. */
  isAnswer(from: PeerIdString, nonce: number): boolean {
    return this.#nonces.get(from) === nonce && this.#nonces.delete(from)
  }

  /** Whether this candidacy has asked the member. An answer to a question of an earlier candidacy is out of date. */
  hasAsked(id: PeerIdString): boolean {
    return this.#asked.has(id)
  }

  answered(from: PeerIdString, answer: 'claiming' | 'declined'): void {
    this.#unanswered.delete(from)
    const count = (this.#claiming.get(from) ?? 0) + 1
    this.#claiming.set(from, count)
    if (answer === 'declined' || count >= MAX_CLAIMING) this.#declined.add(from)
    if (!this.#declined.has(from)) this.wait()
  }

  /** Forgets a member that is gone. If the member returns, this peer asks it again. */
  forget(id: PeerIdString): void {
    for (const known of [this.#claiming, this.#declined, this.#asked, this.#unanswered, this.#nonces]) known.delete(id)
  }

  #higher() {
    return this.peer.members.above(this.peer.rankOf(this.peer.id))
  }
}
