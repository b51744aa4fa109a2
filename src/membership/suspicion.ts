import type { PeerIdString } from '../network/types.ts'
import type { Profile } from './profile.ts'

/**
 * How long a suspect has to refute, in ms: grows with the logarithm of the cluster's size, as the time that gossip takes
 * does (SWIM §4.2; memberlist's suspicionTimeout), within the bounds of the profile.
 */
export function suspicionTimeout(profile: Profile, live: number): number {
  const scale = Math.max(1, Math.log10(Math.max(1, live)))
  return Math.min(profile.suspicionMax, profile.suspicionMin * scale)
}

/** The suspects and until when each may refute. */
export class Suspicions {
  readonly #deadlines = new Map<PeerIdString, number>()

  /** The first accusation sets the deadline; later ones do not put it off. */
  start(id: PeerIdString, deadline: number): void {
    if (!this.#deadlines.has(id)) this.#deadlines.set(id, deadline)
  }

  stop(id: PeerIdString): void {
    this.#deadlines.delete(id)
  }

  ids(): PeerIdString[] {
    return [...this.#deadlines.keys()]
  }

  /** The earliest deadline. */
  next(): number | undefined {
    let earliest: number | undefined
    for (const deadline of this.#deadlines.values()) {
      if (earliest === undefined || deadline < earliest) earliest = deadline
    }
    return earliest
  }

  expired(now: number): PeerIdString[] {
    return this.ids().filter(id => this.#deadlines.get(id)! <= now)
  }

  /** Gives every suspect more time: this peer was not there to hear them. */
  extend(ms: number): void {
    for (const [id, deadline] of this.#deadlines) this.#deadlines.set(id, deadline + ms)
  }
}
