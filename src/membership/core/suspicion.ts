import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'

/** When a suspect becomes dead: its time to refute, and how accusers shorten it. */

/** The accusers beside the first that bring a suspicion down to its shortest: K of Lifeguard §IV-B. */
export const CONFIRMATIONS = 3

/**
 * How long a suspect has to refute, in ms (Lifeguard §IV-B): at first the longest of the profile, and shorter with each independent accuser,
 * since a single one may be at fault itself. The shortest grows with the logarithm of the cluster's size, as the time that gossip takes does
 * (SWIM §4.2; memberlist's suspicionTimeout).
 *
 * `live` counts this peer and the suspect; where fewer than K others are left, all of them are enough.
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
  /** The ms that were added so that it can be heard. */
  grace: number
}

/** The suspects, and the deadline by which each has to refute. */
export class Suspicions {
  readonly #suspicions = new Map<PeerIdString, Suspicion>()

  /** A member may refute for `timeout` ms from when it became a suspect; a later call can only shorten that. */
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
   * Gives every suspect the `lost` ms back in which this peer could not hear it, and `grace` more. Of that it gets at most `mostGrace` in all:
   * otherwise a peer that is late again and again would never conclude that a member is dead.
   */
  extend(lost: number, grace: number, mostGrace: number): void {
    for (const suspicion of this.#suspicions.values()) {
      const added = Math.min(grace, mostGrace - suspicion.grace)
      suspicion.grace += added
      suspicion.since += lost + added
      suspicion.deadline += lost + added
    }
  }
}
