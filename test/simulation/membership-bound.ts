/** The time within which all members of a cluster agree after the faults end. */
import { LocalHealth } from '../../src/membership/core/local-health.ts'
import type { Profile } from '../../src/membership/profile.ts'
import { SLOW_DISCOVERY_MS } from './membership.ts'

/** Intervals of push-pull and healing are drawn up to this much above their mean (repair.ts). */
const JITTER = 1.25

/** The bound in ms, for at most `members` members that are up or still seen as live, with clocks that are wrong by at most `drift`. */
export function agreementBound(profile: Profile, members: number, drift: number): number {
  // A list in random order, round by round, reaches each member within this many turns: a member may be the first of one round and
  // the last of the next (SWIM §4.3). One more turn is for the probe that was running.
  const turns = 2 * (members - 1) + 1
  // A member that is down, unnoticed: each of the others probes it, at worst as slowly as local health allows, and waits for a
  // refutation. Further accusers would shorten that wait, but a single observer has none.
  const noticed = turns * LocalHealth.longestStretch * profile.period + profile.suspicionMax
  // A member that is up, suspected when the faults ended: it may not hear of that before it is dead in a view. Then the observer tries
  // the member again in its turn; another dead member that is tried in the same interval makes no turn longer.
  const healed = profile.suspicionMax + turns * JITTER * profile.healInterval
  // Both happen at the same time. Push-pulls spread what gossip lost, among members that know each other, at the latest
  // after discovery has brought together those that had never met.
  const spread = SLOW_DISCOVERY_MS + pushPullRounds(members) * JITTER * profile.pushPullInterval
  // The news may be a later incarnation of a member that is down, with accusations against it, which takes one more suspicion.
  const again = profile.suspicionMax
  // A slow clock makes all these times longer.
  return (Math.max(noticed, healed) + spread + again) / (1 - drift)
}

/** The longest time of one probe, in ms: one period of a process with the worst local health, by a slow clock. */
export function longestProbe(profile: Profile, drift: number): number {
  return (LocalHealth.longestStretch * profile.period) / (1 - drift)
}

/**
 * In one round each member exchanges tables with a random other. After about log2(members) rounds all members know what one knew.
 * Each further round leaves at most one world in thirty in which some member does not know it yet (for 8 members: 3e-4 after
 * 5 rounds), so four more rounds are too few in about one of 10^8 worlds.
 */
function pushPullRounds(members: number): number {
  return Math.ceil(Math.log2(members)) + 4
}
