/**
 * Decides when leader-only work may begin, must stop and must have ended. This module is the pure part of leader-work.ts,
 * so that the simulation of quorums can run the same decisions.
 */

import { InvalidOptionError } from '../common/errors.ts'
import { type LeaseTime, RENEWALS, validity } from '../election/quorum/lease.ts'

/** A decision: `go on` lets the work continue; `stop` asks the work to stop; `end` ends the process, because the work is overdue. */
export type Verdict = 'go on' | 'stop' | 'end'

/**
 * The rules, one function each. They prevent two peers from working at the same time, and a process from ending without
 * need. Tests break a single rule to check that the simulation detects the fault.
 */
export const dutyRules = {
  /** Whether work continues in a leadership that lasts for `remaining` ms more: the time to stop must fit before the end. */
  goesOn: (remaining: number, timeToStop: number) => remaining > timeToStop,
  /** Whether the lease has ended: then a process whose work has not ended must end. */
  isOver: (remaining: number) => remaining <= 0,
  /** Whether work that was asked to stop at the time `since` may still take more time to stop. */
  hasTime: (now: number, since: number, timeToStop: number) => now < since + timeToStop
}

/** See {@link dutyRules}. */
export type DutyRules = typeof dutyRules

export interface DutyInit {
  /** The time that the work has to stop, in ms. */
  grace: number
  /** Whether the leadership ends with a lease. */
  hasLease: boolean
  rules?: DutyRules
}

/**
 * The interval (ms) at which a lease is checked while work runs or waits for a renewal of the lease. One long timer would
 * fire too late, because timers do not count the time in which the machine is suspended.
 */
export const LOOK_EVERY = 20
/** The time (ms) after the grace within which this peer must notice that the work has ended: with a lease, and without a lease. */
const SLACK = { lease: 50, none: 1_000 } as const
const GRACE = 10_000
/** The longest grace, in ms. The longest possible timer limits the grace. */
const LONGEST_GRACE = 2 ** 31 - 1 - SLACK.none
/** The largest delay (ms) of the answers to a renewal that does not make the work stop. */
const LATENESS = 50

/**
 * The longest grace under these terms, in ms. With this grace the lease is renewed before the work has to stop, even if
 * one renewal is lost.
 */
export function longestGrace(terms: LeaseTime): number {
  return Math.floor(roomForGrace(terms))
}

function roomForGrace(terms: LeaseTime): number {
  return validity(terms) - (2 * terms.leaseTime) / RENEWALS - LATENESS - SLACK.lease
}

/** The grace that applies, in ms. @throws InvalidOptionError when the lease time is too short for the requested grace */
export function graceOf(
  asked: number | undefined,
  terms: LeaseTime | undefined,
  what: 'lease time' | 'ttl' = 'lease time'
): number {
  if (asked !== undefined && !(asked >= 0 && asked <= LONGEST_GRACE)) {
    throw new InvalidOptionError(`\`grace\` must be a number of ms from 0 to ${LONGEST_GRACE}, not ${asked}`)
  }
  if (terms === undefined) return asked ?? GRACE
  const longest = longestGrace(terms)
  if (asked === undefined) return Math.min(GRACE, longest)
  if (asked <= longest) return asked
  // The longest grace is a linear function of the lease time, so two points determine the function.
  const [one, two] = [1_000, 2_000].map(leaseTime => roomForGrace({ ...terms, leaseTime }))
  const perMs = (two! - one!) / 1_000
  const needed = Math.ceil((asked - one!) / perMs) + 1_000
  throw new InvalidOptionError(
    `a grace of ${asked} ms is too long for a ${what} of ${terms.leaseTime} ms, which has room for ${longest} ms: give ${what === 'ttl' ? 'it' : 'all peers'} a ${what} of at least ${needed} ms`
  )
}

/**
 * The time (ms) from the request to stop until work with this grace must have ended. With a lease, this time lies before
 * the end of the lease. Without a lease, it lies after the end of the leadership.
 */
export function timeToStop({ grace, hasLease }: Pick<DutyInit, 'grace' | 'hasLease'>): number {
  return grace + (hasLease ? SLACK.lease : SLACK.none)
}

/** Watches one run of the work within one leadership. */
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
   * @param remaining - the time (ms) for which the leadership in which the work began still lasts: 0 if the leadership is
   * over, Infinity if its end is unknown
   * @param now - the time of a monotonic clock, in ms
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

  /** Records that the work was asked to stop. */
  stop(now: number): void {
    this.#stoppingSince ??= now
  }

  /**
   * The time until the next call of `look`, in ms. 0: read the messages that have already arrived, then call `look`.
   * Undefined: set no timer, because the next event of the election calls `look`.
   */
  pause(remaining: number, now: number): number | undefined {
    if (this.#hasLease) return this.#rules.isOver(remaining) ? 0 : Math.min(LOOK_EVERY, Math.max(remaining, 1))
    return this.#stoppingSince === undefined ? undefined : this.#stoppingSince + this.#timeToStop - now
  }
}
