import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'

/** So many accusers beside the first bring a suspicion down to its shortest: K of Lifeguard §IV-B. */
export const CONFIRMATIONS = 3

/**
 * How long a suspect has to refute, in ms (Lifeguard §IV-B): at first the longest of the profile, and the shorter the more
 * members accuse it independently. What only one finds silent may be that one's own fault. The shortest grows with the
 * logarithm of the cluster's size, as the time that gossip takes does (SWIM §4.2; memberlist's suspicionTimeout).
 *
 * `live` counts this peer and the suspect; where too few are left to confirm it, so many are enough as there are.
 */
export function suspicionTimeout(profile: Profile, live: number, accusers: number): number {
  const shortest = Math.min(profile.suspicionMax, profile.suspicionMin * Math.max(1, Math.log10(Math.max(1, live))))
  const awaited = Math.min(CONFIRMATIONS, live - 2)
  if (accusers - 1 >= awaited) return shortest
  const share = Math.log(accusers) / Math.log(awaited + 1)
  return profile.suspicionMax - share * (profile.suspicionMax - shortest)
}

interface Suspicion {
  since: number
  deadline: number
  /** What was added to give it time to be heard, in ms. */
  grace: number
}

/** The suspects and until when each may refute. */
export class Suspicions {
  readonly #suspicions = new Map<PeerIdString, Suspicion>()

  /** A member may refute for so many ms from when it was suspected first; a later call can only make that shorter. */
  limit(id: PeerIdString, timeout: number, now: number): void {
    const suspicion = this.#suspicions.get(id)
    if (suspicion === undefined) this.#suspicions.set(id, { since: now, deadline: now + timeout, grace: 0 })
    else suspicion.deadline = Math.min(suspicion.deadline, suspicion.since + timeout)
  }

  stop(id: PeerIdString): void {
    this.#suspicions.delete(id)
  }

  ids(): PeerIdString[] {
    return [...this.#suspicions.keys()]
  }

  /** The earliest deadline. */
  next(): number | undefined {
    let earliest: number | undefined
    for (const { deadline } of this.#suspicions.values()) {
      if (earliest === undefined || deadline < earliest) earliest = deadline
    }
    return earliest
  }

  expired(now: number): PeerIdString[] {
    return this.ids().filter(id => this.#suspicions.get(id)!.deadline <= now)
  }

  /**
   * Gives every suspect the `lost` ms back in which this peer was not there to hear it, and `grace` more; of that at most `mostGrace`
   * in all, else whoever is late again and again would hold the dead for live for ever.
   */
  extend(lost: number, grace: number, mostGrace: number): void {
    for (const suspicion of this.#suspicions.values()) {
      const given = Math.min(grace, mostGrace - suspicion.grace)
      suspicion.grace += given
      suspicion.since += lost + given
      suspicion.deadline += lost + given
    }
  }
}
