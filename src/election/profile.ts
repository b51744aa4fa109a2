import type { Profile, ProfileName } from '../membership/profile.ts'

/** How long the election waits for what. All in ms. */
export interface ElectionTimes {
  /**
   * How long a peer without a leader waits for the COORDINATOR of a higher one before it asks, and between questions.
   * Too short costs messages, never safety; too long delays an election whose favourite declines.
   */
  coordinatorTimeout: number
  /** How long a higher-ranked peer must have been able to take over before it requests to: "stable for a moment". */
  stableFor: number
  /** Between repeated requests for a hand-over, and between words to a rival leader. */
  requestInterval: number
  /** The longest that a hand-off may take before the leader gives it up. */
  handOffTimeout: number
  /** How long a leader that handed over waits for the COORDINATOR of its successor before it runs an election. */
  successionTimeout: number
  /** A leader's gossiped repetitions of its COORDINATOR, which repair what was lost, come after 1, 2, 4, 8, 16, 24, … of these. */
  announceInterval: number
  /**
   * A leader whose timer for its announcements is this late was away (paused, suspended) for so long that the others may have replaced
   * it: shorter than the shortest time in which membership gives a silent peer up.
   */
  awayAfter: number
  /** How long a leader's lease lasts where voters are given and no lease time. */
  leaseTime: number
}

const times: { readonly [name in ProfileName]: Omit<ElectionTimes, 'stableFor'> } = {
  local: {
    coordinatorTimeout: 200,
    requestInterval: 300,
    handOffTimeout: 10_000,
    successionTimeout: 1_000,
    announceInterval: 2_000,
    awayAfter: 800,
    leaseTime: 1_000
  },
  lan: {
    coordinatorTimeout: 300,
    requestInterval: 500,
    handOffTimeout: 10_000,
    successionTimeout: 1_500,
    announceInterval: 3_000,
    awayAfter: 1_500,
    leaseTime: 1_000
  },
  wan: {
    coordinatorTimeout: 1_500,
    requestInterval: 2_000,
    handOffTimeout: 30_000,
    successionTimeout: 5_000,
    announceInterval: 10_000,
    awayAfter: 4_000,
    leaseTime: 4_000
  }
}

/** The times of the election under a profile of the membership. */
export function electionTimes(profile: Profile): ElectionTimes {
  return { ...times[profile.name], stableFor: profile.stableFor }
}
