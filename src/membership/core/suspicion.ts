import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'

/** The time that a suspect has to refute before it is dead. Further accusers shorten this time. */

/** The number of accusers, in addition to the first accuser, at which the time to refute reaches its minimum: K of Lifeguard §IV-B. */
export const CONFIRMATIONS = 3

/**
 * Returns the time (ms) that a suspect has to refute (Lifeguard §IV-B). The time is longest with one accuser, and shrinks with each further accuser,
 * because a single accuser may itself be slow. The minimum grows with the logarithm of the cluster's size, like the time that gossip takes
 * (SWIM §4.2; memberlist's suspicionTimeout).
 *
 * @param live - the number of live members, including this peer and the suspect; the minimum applies at the latest when all other members accuse
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
  /** The total time (ms) that was added to the deadline so that the suspect's refutation can arrive. */
  grace: number
}

/** The suspects, and the deadline by which each suspect has to refute. */
export class Suspicions {
  readonly #suspicions = new Map<PeerIdString, Suspicion>()

  /** Gives a member `timeout` ms to refute, counted from the start of the suspicion. A later call can only shorten the time. */
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

  /** Returns the earliest deadline, or undefined if there is no suspect. */
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
   * Extends every deadline by the `lost` ms in which this peer received nothing, and by `grace` ms. A suspect gets at most `mostGrace` ms of grace
   * in total. Otherwise a peer that is late again and again would never conclude that a member is dead.
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
