import type { Profile, ProfileName } from '../membership/profile.ts'

/** The timeouts and intervals of the election, in ms. */
export interface ElectionTimes {
  /**
   * How long a peer without a leader waits for the COORDINATOR of a higher-ranked peer before its first question and between
   * questions. A short time costs messages, but no safety. A long time delays an election in which the highest peer declines.
   */
  coordinatorTimeout: number
  /** How long a higher-ranked peer waits before it requests the leadership of a live leader. */
  stableFor: number
  /** The interval of repeated requests to hand over, and of repeated messages to a rival. */
  requestInterval: number
  /** The longest time that a hand-off may take before the leader cancels the hand-off. */
  handOffTimeout: number
  /** How long a leader that handed over waits for the COORDINATOR of its heir before it runs an election. */
  successionTimeout: number
  /** A leader gossips its COORDINATOR again after 1, 2, 4, 8, 16, 24, … of these intervals, for peers that missed it. */
  announceInterval: number
  /**
   * A leader whose announcement timer fires this late was paused or suspended, and doubts that it still leads. This time is
   * shorter than the shortest silence after which the membership holds a peer dead. So no other peer can have replaced this
   * leader earlier.
   */
  awayAfter: number
  /** The default lease time under a quorum. */
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
