/** The time within which all members of a cluster agree after the faults end. */
import { LocalHealth } from '../../src/membership/core/local-health.ts'
import type { Profile } from '../../src/membership/profile.ts'
import { SLOW_DISCOVERY_MS } from './membership.ts'

/** The longest interval between two push-pulls, or between two healing attempts, as a multiple of the mean interval (repair.ts). */
const JITTER = 1.25

/** The bound in ms, for at most `members` members that are up or still seen as live, with clocks that are wrong by at most `drift`. */
export function agreementBound(profile: Profile, members: number, drift: number): number {
  // A list in random order, round by round, reaches each member within this many turns: a member may be the first of one round and
  // the last of the next (SWIM §4.3). One more turn is for the probe that was running.
  const turns = 2 * (members - 1) + 1
  // Case 1: a member is down and no other member has noticed. Each observer probes the member, at worst as slowly as local health
  // allows, and waits for a refutation. Further accusers would shorten the wait, but there may be only one observer.
  const noticed = turns * LocalHealth.longestStretch * profile.period + profile.suspicionMax
  // Case 2: a member is up, and is suspected when the faults end. It may hear of the suspicion only after an observer has declared it dead.
  // The observer dials each dead member again in turn. Two dead members dialled in the same interval do not make a turn longer.
  const healed = profile.suspicionMax + turns * JITTER * profile.healInterval
  // Both cases can happen at the same time. Push-pulls spread the records that gossip lost, but only between members that know each
  // other. Members that have never met know each other after discovery at the latest.
  const spread = SLOW_DISCOVERY_MS + pushPullRounds(members) * JITTER * profile.pushPullInterval
  // A push-pull may bring a later incarnation of a member that is down, with accusations. This incarnation takes one more suspicion.
  const again = profile.suspicionMax
  // A slow clock makes all these times longer.
  return (Math.max(noticed, healed) + spread + again) / (1 - drift)
}

/** Returns the longest time of one probe, in ms: one period of a process that has the worst local health and a slow clock. */
export function longestProbe(profile: Profile, drift: number): number {
  return (LocalHealth.longestStretch * profile.period) / (1 - drift)
}

/**
 * In one round each member exchanges its table with a random other member. After about log2(members) rounds, a record of one member has
 * usually reached all members. Each further round leaves at most one world in thirty in which some member lacks the record (for 8
 * members: 3e-4 after 5 rounds). So four more rounds are too few in about one of 10^8 worlds.
 */
function pushPullRounds(members: number): number {
  return Math.ceil(Math.log2(members)) + 4
}
