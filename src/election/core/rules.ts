/**
 * The rules that make an election safe and live, one function each. The core gets the rules as a parameter, so that a test can
 * break a rule and check that the simulation fails.
 */
import type { CoordinatorMessage } from './messages.ts'

export const electionRules = {
  /** Whether a peer refuses a leadership. `order` is below 0 when the leadership is older than the newest accepted leadership. */
  refusesOlder: (order: number) => order < 0,
  /** Whether the message proves that the live leader of `accepted` gave its leadership to the new leader. */
  hasGoAhead: ({ leader, goAheads }: CoordinatorMessage, accepted: CoordinatorMessage) =>
    goAheads.some(
      ({ from, fromEpoch, to }) => from === accepted.leader && fromEpoch >= accepted.epoch && to === leader
    ),
  /** Returns the epoch of a claim. `newest` is the newest epoch that this peer knows. */
  nextEpoch: (newest: number) => newest + 1,
  /** Whether a member with this role may claim. */
  roleAllows: (isElectable: boolean) => isElectable,
  /** Whether a candidate lets a live higher peer claim first. */
  waitsForHigher: (hasDeclined: boolean) => !hasDeclined,
  /** Whether a peer of the ring passes a token on. `isHigher`: its candidate ranks above all candidates that the peer knows. */
  passesOn: (isHigher: boolean) => isHigher,
  /** Whether a candidate of the ring claims only after its token has come back. */
  awaitsToken: () => true,
  /** Whether a leader that gives its go-ahead stops leading. */
  stopsAtGoAhead: () => true,
  /** Whether a peer may claim. `isReady`: its first push-pull is done, or the peer has found no other peer within the lone-start delay. */
  mayBegin: (isReady: boolean) => isReady,
  /** Whether a leader claims an epoch above a newer leadership whose leader is gone. */
  outbidsTheGone: () => true,
  /** Whether a claim needs a lease. `hasLeases`: a majority of voters, or a store, grants leases to this peer. */
  needsLease: (hasLeases: boolean): boolean => hasLeases
}

/** See {@link electionRules}. */
export type ElectionRules = typeof electionRules
