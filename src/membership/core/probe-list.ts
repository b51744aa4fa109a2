import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'

/** The order of probes: round-robin over a list that is shuffled after each round, so that the time between two probes is bounded (SWIM §4.3). */
export class ProbeList {
  readonly #random: Random
  #round: PeerIdString[] = []

  constructor(random: Random) {
    this.#random = random
  }

  /** Inserts a new member at a random place in the current round. */
  add(id: PeerIdString): void {
    this.#round.splice(Math.floor(this.#random() * (this.#round.length + 1)), 0, id)
  }

  /** Returns the next member of `live`, or undefined if `live` is empty. */
  next(live: readonly PeerIdString[]): PeerIdString | undefined {
    const present = new Set(live)
    for (let id = this.#round.pop(); id !== undefined; id = this.#round.pop()) if (present.has(id)) return id
    this.#round = shuffled(live, this.#random)
    return this.#round.pop()
  }
}

/** Returns a shuffled copy of `items` (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
  }
  return copy
}

/** Returns one item at random, or undefined if `items` is empty. */
export function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)]
}
