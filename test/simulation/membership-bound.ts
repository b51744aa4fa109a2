/** Within which time all members of a cluster agree once nothing goes wrong any more. */
import { LocalHealth } from '../../src/membership/core/local-health.ts'
import type { Profile } from '../../src/membership/profile.ts'
import { SLOW_DISCOVERY_MS } from './membership.ts'

/** Intervals of push-pull and healing are drawn up to this much above their mean (repair.ts). */
const JITTER = 1.25

/** In ms, for at most `members` members that are up or still held for live, with clocks that are wrong by `drift` at most. */
export function agreementBound(profile: Profile, members: number, drift: number): number {
  // A list that is gone through in random order, round by round, reaches each of the others within so many turns: it may be
  // the first of one round and the last of the next (SWIM §4.3). One turn more for what was under way.
  const turns = 2 * (members - 1) + 1
  // Who is down, unnoticed: each of the others probes it, at its worst as slowly as local health allows, and waits for a
  // refutation. Later accusers may hear of it sooner, but where only one is left there are none.
  const noticed = turns * LocalHealth.longestStretch * profile.period + profile.suspicionMax
  // Who is up, suspected when the faults ended: it may not hear of it before it is held dead. Then it is tried again, in its turn;
  // another dead member that is tried in the same interval makes no turn longer.
  const healed = profile.suspicionMax + turns * JITTER * profile.healInterval
  // Both at the same time. What gossip lost is spread by push-pulls among those who know each other by then, at the latest
  // when discovery has brought those together who have never met.
  const spread = SLOW_DISCOVERY_MS + pushPullRounds(members) * JITTER * profile.pushPullInterval
  // What is spread may be a later incarnation of somebody who is down, and what counts against it: one suspicion more.
  const again = profile.suspicionMax
  // A slow clock makes all of it longer.
  return (Math.max(noticed, healed) + spread + again) / (1 - drift)
}

/** How long one probe takes at most, in ms: one period of a process that doubts itself as much as it can, by a slow clock. */
export function longestProbe(profile: Profile, drift: number): number {
  return (LocalHealth.longestStretch * profile.period) / (1 - drift)
}

/**
 * In one round each member exchanges tables with a random other. All know what one knew after log2(members) rounds or so;
 * each further round leaves one world in thirty or less where somebody still does not (for 8 members: 3e-4 after 5 rounds),
 * so that four more are too few in one of some 10^8.
 */
function pushPullRounds(members: number): number {
  return Math.ceil(Math.log2(members)) + 4
}
