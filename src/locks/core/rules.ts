/**
 * The rules of locks, one function each. They keep two sessions from holding one lock, keep tokens growing, and keep waiters in order. A
 * test breaks a rule, and checks that the simulation fails.
 */
import { validity } from '../../election/quorum/lease.ts'
import { compareTickets, type Ticket, TTL } from './types.ts'

/** How much faster or slower than true time the clocks of clients and leaders may run. */
export const DRIFT = 0.01

export const lockRules = {
  /** Whether the leader may tell a session that it holds the lock. `lasts`: its own leadership certainly lasts. `stored`: enough peers store the grant. */
  mayTell: (lasts: boolean, stored: boolean) => lasts && stored,
  /** When a session ends that has just been renewed, by the leader's monotonic clock. */
  endsAt: (now: number, ttl: number) => now + ttl,
  /** When a session of an earlier leader ends, which may have been renewed just before that leader ended. */
  inheritedEndsAt: (now: number, ttl: number) => now + ttl,
  /** How long a new leader grants nothing, because peers that store its journal may have lost grants when they started, `age` ms ago. */
  closedFor: (age: number) => Math.max(0, TTL.most - age),
  /** Whether one more session may hold a lock. */
  hasRoom: (holders: number, limit: number) => holders < limit,
  /** Whether the session of a client whose connection has broken ends at once. */
  endsWithConnection: false,
  /** The next token of a lock, where `last` is the newest token that the journal knows, and `wall` the time in ms since the Unix epoch. */
  token: (last: number, wall: number) => Math.max(last + 1, Math.floor(wall)),
  /** The order in which waiters are served. */
  order: (a: Ticket, b: Ticket) => compareTickets(a, b),
  /** The time from which a holder counts its ttl: when it sent the request, not when the answer arrived. */
  countsFrom: (sentAt: number, _now: number) => sentAt,
  /** How long a holder may rely on an answer, in ms by its own clock, from the time of the request. */
  validFor: (ttl: number) => validity({ leaseTime: ttl, drift: DRIFT }),
  /** Whether a named leadership moves from a peer that leads `more` leaderships more than the next one. */
  moves: (more: number) => more >= 2
}

/** See {@link lockRules}. */
export type LockRules = typeof lockRules
