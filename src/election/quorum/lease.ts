/**
 * Leases from a majority of fixed voters (after Gray and Cheriton, "Leases", 1989, §2 and §5 on clocks, and the leader leases of
 * Chubby, Burrows 2006, §2.8): at most one peer holds one at any moment of true time, whatever messages are lost or late,
 * as long as clocks run within the drift bound of each other. No store is needed: each voter keeps one small promise.
 *
 * This file is the holder's half, voter.ts the voters'.
 */
import type { PeerIdString } from '../../network/types.ts'

/** What all members of a cluster with a quorum agree on. */
export interface LeaseTerms {
  /** 3, 5 or 7 of them; the same list at every peer. */
  readonly voters: readonly PeerIdString[]
  /** How long a voter promises itself to nobody else, in ms: D. */
  readonly leaseTime: number
  /** How much faster or slower than true time a clock may run: ρ, e.g. 0.01. */
  readonly drift: number
}

/** Asks for a grant, or renews or releases one. The connection tells who asks. */
export interface LeaseRequest {
  epoch: number
  /** Grows with each request for that epoch: older ones do nothing. */
  sequence: number
}

/** Taken off what the holder counts, for what its clock does not show: see UNSEEN in lease-clock.ts, twice. In ms. */
export const LEASE_MARGIN = 50

/** How many voters are a majority: K. Any two majorities have a voter in common, who promised itself to one only. */
export function majority(voters: number): number {
  return Math.floor(voters / 2) + 1
}

/**
 * How long a grant is worth to its holder, in ms by its own clock, from the moment when it sent the request: D(1−ρ)/(1+ρ) − margin.
 *
 * The voter keeps its promise for D by its clock, which is at least D/(1+ρ) of true time, from when the request came, which was after it
 * was sent. By the holder's clock that many ms of true time are at least D(1−ρ)/(1+ρ).
 */
export function validity({ leaseTime, drift }: LeaseTerms): number {
  return (leaseTime * (1 - drift)) / (1 + drift) - LEASE_MARGIN
}

/** The rules of the holder, one function each. Tests break one to check that the simulation notices. */
export const leaseRules = {
  /** From when a grant counts: from when its request was sent, not from when the grant arrived. */
  countsFrom: (sentAt: number, _now: number) => sentAt,
  /** The number of grants that a holder needs. */
  needed: (voters: number) => majority(voters)
}

/** See {@link leaseRules}. */
export type LeaseRules = typeof leaseRules

/** A peer's grants for one epoch. Its clock must go on while the machine is suspended (see lease-clock.ts). */
export class Lease {
  readonly #terms: LeaseTerms
  readonly #rules: LeaseRules
  /** When each request of the present epoch was sent, while an answer still counts. */
  readonly #sent = new Map<number, number>()
  /** Until when each voter's grant is valid. */
  readonly #grants = new Map<PeerIdString, number>()
  #epoch: number | undefined
  #sequence = 0

  constructor(terms: LeaseTerms, rules: LeaseRules = leaseRules) {
    this.#terms = terms
    this.#rules = rules
  }

  /** The epoch that grants are asked for; undefined while none are. */
  get epoch(): number | undefined {
    return this.#epoch
  }

  /** Until when this peer holds the lease, by the clock of its requests; undefined without a majority. */
  get validUntil(): number | undefined {
    const needed = this.#rules.needed(this.#terms.voters.length)
    // The latest moment at which so many are still valid: the needed-th latest.
    return [...this.#grants.values()].sort((a, b) => b - a)[needed - 1]
  }

  /** Whether an answer to this request still counts. */
  awaits({ epoch, sequence }: LeaseRequest): boolean {
    return epoch === this.#epoch && this.#sent.has(sequence)
  }

  /** The next request, to all voters, this peer among them: the first of `epoch`, or a renewal. */
  ask(epoch: number, now: number): LeaseRequest {
    if (epoch !== this.#epoch) this.#forget()
    this.#epoch = epoch
    this.#sequence += 1
    this.#sent.set(this.#sequence, now)
    for (const [sequence, sentAt] of this.#sent) if (sentAt + validity(this.#terms) <= now) this.#sent.delete(sequence)
    return { epoch, sequence: this.#sequence }
  }

  /** A voter granted a request. */
  granted(voter: PeerIdString, { epoch, sequence }: LeaseRequest, now: number): void {
    const sentAt = this.#sent.get(sequence)
    if (epoch !== this.#epoch || sentAt === undefined || !this.#terms.voters.includes(voter)) return
    const from = this.#rules.countsFrom(sentAt, now)
    this.#grants.set(voter, Math.max(this.#grants.get(voter) ?? 0, from + validity(this.#terms)))
  }

  /** Gives all grants back: what is to be sent to the voters. Nothing is held from here on. */
  release(): LeaseRequest | undefined {
    const epoch = this.#epoch
    this.#forget()
    this.#epoch = undefined
    if (epoch === undefined) return undefined
    this.#sequence += 1
    return { epoch, sequence: this.#sequence }
  }

  #forget(): void {
    this.#sent.clear()
    this.#grants.clear()
  }
}
