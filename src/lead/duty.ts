/**
 * Decides when leader-only work may begin, has to stop, and must be gone: the pure half of leader-work.ts. The
 * simulation of quorums runs it, too.
 */

import { InvalidOptionError } from '../common/errors.ts'
import { type LeaseTerms, validity } from '../election/quorum/lease.ts'
import { RENEWALS } from '../election/quorum/quorum.ts'

/** The decision: let the work go on; tell it to stop; or end the process, because the work has not stopped in time. */
export type Verdict = 'go on' | 'stop' | 'end'

/**
 * The rules that prevent two peers from working at once, and a process from ending needlessly, one function each. Tests
 * break one to check that the simulation notices.
 */
export const dutyRules = {
  /** Whether work goes on in a leadership that lasts for `remaining` ms: it gets its grace before the lease ends. */
  goesOn: (remaining: number, timeToStop: number) => remaining > timeToStop,
  /** Whether the lease has ended, so that a process is ended whose work is not gone. */
  isOver: (remaining: number) => remaining <= 0,
  /** Whether work that was told to stop at `since` still has time. */
  hasTime: (now: number, since: number, timeToStop: number) => now < since + timeToStop
}

/** See {@link dutyRules}. */
export type DutyRules = typeof dutyRules

export interface DutyInit {
  /** How long the work may take to stop, in ms. */
  grace: number
  /** Whether the leadership ends with a lease. */
  hasLease: boolean
  rules?: DutyRules
}

/**
 * The interval at which a lease is checked while work runs under it, or waits for its renewal, in ms: timers do not
 * count the time in which the machine is suspended.
 */
export const LOOK_EVERY = 20
/** The extra time after the grace until the end of the work must be known, in ms: under a lease, and without one. */
const SLACK = { lease: 50, none: 1_000 } as const
const GRACE = 10_000
/** The longest grace, in ms, which the longest timer limits. */
const LONGEST_GRACE = 2 ** 31 - 1 - SLACK.none
/** How late the answers to a renewal may arrive and be handled without stopping the work, in ms. */
const LATENESS = 50

/**
 * The longest grace under these terms, in ms. It is so short that the lease is renewed before the work has to stop,
 * even if one renewal is lost.
 */
export function longestGrace(terms: LeaseTerms): number {
  return Math.floor(roomForGrace(terms))
}

function roomForGrace(terms: LeaseTerms): number {
  return validity(terms) - (2 * terms.leaseTime) / RENEWALS - LATENESS - SLACK.lease
}

/** The grace that applies, in ms. @throws InvalidOptionError when the lease time has no room for the requested grace */
export function graceOf(asked: number | undefined, terms: LeaseTerms | undefined): number {
  if (asked !== undefined && !(asked >= 0 && asked <= LONGEST_GRACE)) {
    throw new InvalidOptionError(`\`grace\` must be a number of ms from 0 to ${LONGEST_GRACE}, not ${asked}`)
  }
  if (terms === undefined) return asked ?? GRACE
  const longest = longestGrace(terms)
  if (asked === undefined) return Math.min(GRACE, longest)
  if (asked <= longest) return asked
  // The room is linear in the lease time, except for a constant.
  const [one, two] = [1_000, 2_000].map(leaseTime => roomForGrace({ ...terms, leaseTime }))
  const perMs = (two! - one!) / 1_000
  const needed = Math.ceil((asked - one!) / perMs) + 1_000
  throw new InvalidOptionError(
    `a grace of ${asked} ms is too long for a lease time of ${terms.leaseTime} ms, which has room for ${longest} ms: give all peers a lease time of at least ${needed} ms`
  )
}

/**
 * The time that work with this grace gets to be gone, in ms: before the end of the lease, or after the end of a
 * leadership without a lease.
 */
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
    this.#rules = init.rules ?? dutyRules
  }

  /** Whether work may begin in a leadership that lasts for `remaining` ms more. */
  mayBegin(remaining: number): boolean {
    return remaining > this.#timeToStop
  }

  /**
   * @param remaining - how long the leadership in which the work began still lasts, in ms; 0 when it is over, Infinity
   * when its end is unknown
   * @param now - in ms of a monotonic clock
   */
  look(remaining: number, now: number): Verdict {
    if (this.#stoppingSince === undefined) {
      if (this.#rules.goesOn(remaining, this.#timeToStop)) return 'go on'
      this.stop(now)
      return 'stop'
    }
    const isOver = this.#hasLease && this.#rules.isOver(remaining)
    const hasTime = this.#rules.hasTime(now, this.#stoppingSince, this.#timeToStop)
    return isOver || !hasTime ? 'end' : 'go on'
  }

  /** Records that the work was told to stop. */
  stop(now: number): void {
    this.#stoppingSince ??= now
  }

  /**
   * The time until the next look, in ms; undefined: look at the next event. 0: look as soon as the messages that have
   * arrived are read.
   */
  pause(remaining: number, now: number): number | undefined {
    if (this.#hasLease) return this.#rules.isOver(remaining) ? 0 : Math.min(LOOK_EVERY, Math.max(remaining, 1))
    return this.#stoppingSince === undefined ? undefined : this.#stoppingSince + this.#timeToStop - now
  }
}
