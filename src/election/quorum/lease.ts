/**
 * Leases from a majority of fixed voters (after Gray and Cheriton, "Leases", 1989, §2 and §5 on clocks, and the leader leases of
 * Chubby, Burrows 2006, §2.8). At most one peer holds a lease at any moment of true time, even if messages are lost or late, as
 * long as clocks run within the drift bound. Each voter stores only one small promise.
 *
 * This file contains the holder's half of the protocol, and voter.ts contains the voter's half.
 */
import type { PeerIdString } from '../../network/types.ts'

/** The duration of leases, equal at all members of a cluster. */
export interface LeaseTime {
  /** How long a voter keeps a promise, or a store keeps a lease, in ms: D. */
  readonly leaseTime: number
  /** How much faster or slower than true time a clock may run: ρ, e.g. 0.01. */
  readonly drift: number
}

/** The terms of leases under a quorum. */
export interface LeaseTerms extends LeaseTime {
  /** 3, 5 or 7 PeerIds, the same list at every peer. */
  readonly voters: readonly PeerIdString[]
}

/** Asks for a grant, renews a grant, or releases a grant. The connection identifies the sender. */
export interface LeaseRequest {
  epoch: number
  /** A number that grows with each request for the epoch. A voter ignores older requests. */
  sequence: number
}

/** The margin by which a holder shortens a grant, in ms, because the holder's clock may miss twice UNSEEN (lease-clock.ts). */
export const LEASE_MARGIN = 50

/** The number of renewals in one lease time. With this number, two renewals may be lost. */
export const RENEWALS = 4

/** The number of voters in a majority: K. Any two majorities share a voter, which grants only one holder at a time. */
export function majority(voters: number): number {
  return Math.floor(voters / 2) + 1
}

/**
 * How long a grant is valid for its holder, in ms by the holder's clock, from the moment of the request: D(1−ρ)/(1+ρ) − margin.
 *
 * The voter or the store keeps its promise for D by its own clock, which is at least D/(1+ρ) of true time. The promise begins when the request
 * arrives, which is after the holder sent it. By the holder's clock D/(1+ρ) of true time is at least D(1−ρ)/(1+ρ).
 */
export function validity({ leaseTime, drift }: LeaseTime): number {
  return (leaseTime * (1 - drift)) / (1 + drift) - LEASE_MARGIN
}

/** The rules of the holder, one function each. A test breaks a rule, and checks that the simulation fails. */
export const leaseRules = {
  /** The time from which a grant counts: when its request was sent, not when the grant arrived. */
  countsFrom: (sentAt: number, _now: number) => sentAt,
  /** The number of grants that a holder needs. */
  needed: (voters: number) => majority(voters)
}

/** See {@link leaseRules}. */
export type LeaseRules = typeof leaseRules

/** A peer's grants for one epoch. The clock of its `now` must go on while the machine is suspended (see lease-clock.ts). */
export class Lease {
  readonly #terms: LeaseTerms
  readonly #rules: LeaseRules
  /** The time at which each request of the present epoch was sent. A request is removed when its answer no longer counts. */
  readonly #sent = new Map<number, number>()
  /** The time until which each voter's grant is valid. */
  readonly #grants = new Map<PeerIdString, number>()
  #epoch: number | undefined
  #sequence = 0

  constructor(terms: LeaseTerms, rules: LeaseRules = leaseRules) {
    this.#terms = terms
    this.#rules = rules
  }

  /** The epoch of the present requests. Undefined while this peer neither seeks nor holds a lease. */
  get epoch(): number | undefined {
    return this.#epoch
  }

  /** The time until which this peer holds the lease, by the clock of its requests. Undefined without a majority. */
  get validUntil(): number | undefined {
    const needed = this.#rules.needed(this.#terms.voters.length)
    // In the order of their ends, the latest first, the lease ends with grant number `needed`.
    return [...this.#grants.values()].sort((a, b) => b - a)[needed - 1]
  }

  /** Whether an answer to this request still counts. */
  awaits({ epoch, sequence }: LeaseRequest): boolean {
    return epoch === this.#epoch && this.#sent.has(sequence)
  }

  /** Returns the next request to all voters, including this peer: the first for `epoch`, or a renewal. */
  ask(epoch: number, now: number): LeaseRequest {
    if (epoch !== this.#epoch) this.#forget()
    this.#epoch = epoch
    this.#sequence += 1
    this.#sent.set(this.#sequence, now)
    for (const [sequence, sentAt] of this.#sent) if (sentAt + validity(this.#terms) <= now) this.#sent.delete(sequence)
    return { epoch, sequence: this.#sequence }
  }

  /** Records that a voter granted a request. */
  granted(voter: PeerIdString, { epoch, sequence }: LeaseRequest, now: number): void {
    const sentAt = this.#sent.get(sequence)
    if (epoch !== this.#epoch || sentAt === undefined || !this.#terms.voters.includes(voter)) return
    const from = this.#rules.countsFrom(sentAt, now)
    this.#grants.set(voter, Math.max(this.#grants.get(voter) ?? 0, from + validity(this.#terms)))
  }

  /** Releases all grants. Returns the release to send to the voters, or undefined if there is nothing to release. */
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
