/**
 * When work that only the leader does may begin, has to stop, and must be gone: the pure half of leader-work.ts. The simulation of
 * quorums runs it, too.
 */

import { InvalidOptionError } from '../common/errors.ts'
import { type LeaseTerms, validity } from '../election/quorum/lease.ts'
import { RENEWALS } from '../election/quorum/quorum.ts'

/** What is to be done: nothing; tell the work to stop; end the process, since the work has not stopped in time. */
export type Verdict = 'go on' | 'stop' | 'end'

/** The rules that keep two peers from being at work at once, and each from ending without need. All hold; only tests switch one off. */
export interface DutyRules {
  /** Work is told to stop so early that it has its grace before the lease ends. */
  stopInTime: boolean
  /** A process whose work is not gone when the lease ends is ended. */
  endInTime: boolean
  /** No process is ended whose work still has time. */
  keepGrace: boolean
}

export const DUTY_RULES: DutyRules = { stopInTime: true, endInTime: true, keepGrace: true }

export interface DutyInit {
  /** How long the work may take to stop, in ms. */
  grace: number
  /** The leadership ends with a lease. */
  hasLease: boolean
  rules?: DutyRules
}

/** How often a lease is looked at while work is done under it, or waits for its renewal, in ms: no timer counts the time that the machine is suspended. */
export const LOOK_EVERY = 20
/** How much later than its grace work may be known to be gone, in ms: under a lease, and where nobody waits for a lease to end. */
const SLACK = { lease: 50, none: 1_000 } as const
const GRACE = 10_000
/** A timer's most, in ms. */
const LONGEST_GRACE = 2 ** 31 - 1 - SLACK.none
/** How late the answers to a renewal, and the news of it, may be without any work being stopped, in ms. */
const LATENESS = 50

/** How long work may take to stop under these terms, in ms: so early its lease has been renewed, though one renewal was lost. */
export function longestGrace(terms: LeaseTerms): number {
  return Math.floor(roomForGrace(terms))
}

function roomForGrace(terms: LeaseTerms): number {
  return validity(terms) - (2 * terms.leaseTime) / RENEWALS - LATENESS - SLACK.lease
}

/** The grace that counts. @throws InvalidOptionError when the lease time has no room for what was asked for */
export function graceOf(asked: number | undefined, terms: LeaseTerms | undefined): number {
  if (asked !== undefined && !(asked >= 0 && asked <= LONGEST_GRACE)) {
    throw new InvalidOptionError(`\`grace\` must be a number of ms from 0 to ${LONGEST_GRACE}, not ${asked}`)
  }
  if (terms === undefined) return asked ?? GRACE
  const longest = longestGrace(terms)
  if (asked === undefined) return Math.min(GRACE, longest)
  if (asked <= longest) return asked
  // Linear in the lease time, but for a constant.
  const [one, two] = [1_000, 2_000].map(leaseTime => roomForGrace({ ...terms, leaseTime }))
  const perMs = (two! - one!) / 1_000
  const needed = Math.ceil((asked - one!) / perMs) + 1_000
  throw new InvalidOptionError(
    `a grace of ${asked} ms is too long for a lease time of ${terms.leaseTime} ms, which has room for ${longest} ms: give all peers a lease time of at least ${needed} ms`
  )
}

/** Before the leadership ends, or after it where there is no lease, so long the work of this grace is given to be gone, in ms. */
export function timeToStop({ grace, hasLease }: Pick<DutyInit, 'grace' | 'hasLease'>): number {
  return grace + (hasLease ? SLACK.lease : SLACK.none)
}

/** One run of the work, within one leadership. */
export class Duty {
  readonly #timeToStop: number
  readonly #hasLease: boolean
  readonly #rules: DutyRules
  #stoppingSince: number | undefined

  constructor(init: DutyInit) {
    this.#timeToStop = timeToStop(init)
    this.#hasLease = init.hasLease
    this.#rules = init.rules ?? DUTY_RULES
  }

  /** Whether work may begin in a leadership that lasts for `remaining` ms more. */
  mayBegin(remaining: number): boolean {
    return remaining > this.#timeToStop
  }

  /**
   * @param remaining - for how many ms more the leadership lasts in which the work began; 0 when it is over, Infinity when nobody can say
   * @param now - in ms of a monotonic clock
   */
  look(remaining: number, now: number): Verdict {
    if (this.#stoppingSince === undefined) {
      if (this.#rules.stopInTime ? this.mayBegin(remaining) : remaining > 0) return 'go on'
      this.stop(now)
      return 'stop'
    }
    const isOver = this.#hasLease && remaining <= 0 && this.#rules.endInTime
    const hasTime = this.#rules.keepGrace && now < this.#stoppingSince + this.#timeToStop
    return isOver || !hasTime ? 'end' : 'go on'
  }

  /** The work has been told to stop. */
  stop(now: number): void {
    this.#stoppingSince ??= now
  }

  /** When to look again, in ms from now; undefined: when something happens. 0: as soon as what has arrived meanwhile is read. */
  pause(remaining: number, now: number): number | undefined {
    if (this.#hasLease && remaining <= 0) return this.#rules.endInTime ? 0 : LOOK_EVERY
    if (this.#hasLease) return Math.min(LOOK_EVERY, remaining)
    return this.#stoppingSince === undefined ? undefined : this.#stoppingSince + this.#timeToStop - now
  }
}
