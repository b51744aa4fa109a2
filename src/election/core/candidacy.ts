import type { PeerIdString } from '../../network/types.ts'

/** So many answers `claiming` without a COORDINATOR count as declined. */
const MAX_CLAIMING = 3

/** Ask `to`, and, when that one does not answer, through `via`, too. */
export interface Question {
  to: PeerIdString
  via: PeerIdString | undefined
}

/** What a peer without a leader has asked those that rank above it, and what they have said. */
export class Candidacy {
  /** How often each has said that it is about to claim. */
  readonly #claiming = new Map<PeerIdString, number>()
  /** Those that stand in nobody's way. */
  readonly #declined = new Set<PeerIdString>()
  /** Who was asked at all. */
  readonly #asked = new Set<PeerIdString>()
  /** How often each was asked since it answered last. */
  readonly #unanswered = new Map<PeerIdString, number>()
  /** The number of the last question that went to each through somebody else. */
  readonly #nonces = new Map<PeerIdString, number>()
  /** Rounds of questions so far. */
  rounds = 0

  /** Whom to ask in this round, of `higher`, with the help of `others`: each time through another one. */
  ask(higher: readonly PeerIdString[], others: readonly PeerIdString[]): Question[] {
    this.rounds += 1
    return higher
      .filter(id => !this.#declined.has(id))
      .map(to => {
        const before = this.#unanswered.get(to) ?? 0
        this.#asked.add(to)
        this.#unanswered.set(to, before + 1)
        const helpers = others.filter(id => id !== to)
        return { to, via: before === 0 ? undefined : helpers[(before - 1) % helpers.length] }
      })
  }

  askedThrough(to: PeerIdString, nonce: number): void {
    this.#nonces.set(to, nonce)
  }

  /** Whether this is the answer to what was asked last through somebody else; it counts once. */
  takes(from: PeerIdString, nonce: number): boolean {
    return this.#nonces.get(from) === nonce && this.#nonces.delete(from)
  }

  /** Whoever was not asked answers what was asked before this candidacy began: much has changed since. */
  hasAsked(id: PeerIdString): boolean {
    return this.#asked.has(id)
  }

  answered(from: PeerIdString, answer: 'claiming' | 'declined'): void {
    this.#unanswered.delete(from)
    const count = (this.#claiming.get(from) ?? 0) + 1
    this.#claiming.set(from, count)
    if (answer === 'declined' || count >= MAX_CLAIMING) this.#declined.add(from)
  }

  hasDeclined(id: PeerIdString): boolean {
    return this.#declined.has(id)
  }

  /** A peer is gone: should it come back, it is asked anew. */
  forget(id: PeerIdString): void {
    for (const known of [this.#claiming, this.#declined, this.#asked, this.#unanswered, this.#nonces]) known.delete(id)
  }
}
