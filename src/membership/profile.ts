/** The periods and timeouts of the membership, by the kind of network that the cluster runs on. */
import { InvalidOptionError } from '../common/errors.ts'

/** `local`: one machine or one rack; `lan`: one site (the default); `wan`: several sites. */
export type ProfileName = 'local' | 'lan' | 'wan'

/** All times are in ms. */
export interface Profile {
  readonly name: ProfileName
  /** One member is probed each period (SWIM §3.1). Shorter finds the silent sooner, and costs messages. */
  readonly period: number
  /**
   * The longest that a direct ping may take before others are asked to ping. Well above the 99th percentile of the
   * round trip, so that the indirect probes stay rare; well below the period, which both kinds of probe must fit in.
   */
  readonly probeTimeout: number
  /**
   * The shortest, for members that have answered sooner. Above the delays that a busy event loop or a garbage collection adds; between the two
   * the timeout follows the measured round trip.
   */
  readonly probeTimeoutMin: number
  /** How many members are asked for an indirect probe: k of SWIM §3.1. With 3, 30% loss fools one round in 50. */
  readonly indirectProbes: number
  /**
   * The shortest time to refute, for a suspect with several accusers (SWIM §4.2): several periods, so that it is told several times.
   */
  readonly suspicionMin: number
  /** The longest time to refute: for a suspect with one accuser (Lifeguard §IV-B), or in a very large cluster. */
  readonly suspicionMax: number
  /** The whole table is exchanged with one random member this often: repairs what gossip lost. */
  readonly pushPullInterval: number
  /** A peer that has met nobody for this long assumes that it is the first of its cluster. */
  readonly loneStartDelay: number
  /** How long a new member waits before it may take the leadership over. */
  readonly stableFor: number
  /** One or two dead members are tried again this often, so that two halves of a cut cluster find each other. */
  readonly healInterval: number
  /** How long `dead` and `left` members are remembered, so that old records of them are known to be old. */
  readonly retention: number
  /**
   * Up to this many members each is connected to all others; above, to a bounded number (neighbours.ts), which alone it probes.
   * A handshake costs some 20 ms of CPU on either side, and every connection its share of gossip.
   */
  readonly fullMesh: number
  /**
   * A timer that fires later than this shows that the process was paused or starved: it then doubts itself before it doubts others. At most half a
   * probe timeout: lag below it may cause indirect probes, but no accusation, since an answer counts until the period ends.
   */
  readonly stallTolerance: number
}

const DAY = 24 * 60 * 60 * 1_000

/** The three profiles: `local` halves `lan`, since no wire is involved; `wan` allows round trips of 300 ms. */
export const profiles: { readonly [name in ProfileName]: Profile } = {
  local: {
    name: 'local',
    period: 300,
    probeTimeout: 150,
    probeTimeoutMin: 60,
    indirectProbes: 3,
    suspicionMin: 1_500,
    suspicionMax: 4_000,
    pushPullInterval: 5_000,
    loneStartDelay: 1_000,
    stableFor: 500,
    healInterval: 2_000,
    retention: DAY,
    fullMesh: 64,
    stallTolerance: 75
  },
  lan: {
    name: 'lan',
    period: 500,
    probeTimeout: 200,
    probeTimeoutMin: 80,
    indirectProbes: 3,
    suspicionMin: 2_500,
    suspicionMax: 6_000,
    pushPullInterval: 10_000,
    loneStartDelay: 1_000,
    stableFor: 500,
    healInterval: 3_000,
    retention: DAY,
    fullMesh: 64,
    stallTolerance: 100
  },
  wan: {
    name: 'wan',
    period: 2_000,
    probeTimeout: 900,
    probeTimeoutMin: 200,
    indirectProbes: 3,
    suspicionMin: 10_000,
    suspicionMax: 24_000,
    pushPullInterval: 30_000,
    loneStartDelay: 1_000,
    stableFor: 500,
    healInterval: 10_000,
    retention: DAY,
    fullMesh: 64,
    stallTolerance: 450
  }
}

/**
 * The profile of that name.
 *
 * @throws InvalidOptionError
 */
export function profileOf(name: string): Profile {
  if (name !== 'local' && name !== 'lan' && name !== 'wan') {
    throw new InvalidOptionError(`there is no profile "${name}": choose local, lan or wan`)
  }
  return profiles[name]
}
