/** The periods and timeouts of the membership, by the kind of network that the cluster runs on. */
import { InvalidOptionError } from '../common/errors.ts'

/** `local` is for one machine or one rack, `lan` (the default) for one site, and `wan` for several sites. */
export type ProfileName = 'local' | 'lan' | 'wan'

/** All times are in ms. */
export interface Profile {
  readonly name: ProfileName
  /** The probe period: a peer probes one member in each period (SWIM §3.1). A shorter period detects death sooner, but needs more messages. */
  readonly period: number
  /**
   * The longest wait for the answer to a direct ping, before the peer asks other members to ping. The value is well above the 99th percentile of
   * the round trip, so that indirect probes stay rare. It is well below the period, because a direct and an indirect probe must fit into one period.
   */
  readonly probeTimeout: number
  /**
   * The shortest wait, for members that have answered quickly. The value is above the delays of a busy event loop or a garbage collection. Between
   * the two bounds, the timeout follows the measured round trip.
   */
  readonly probeTimeoutMin: number
  /** The number of members that are asked for an indirect probe: k of SWIM §3.1. With k = 3 and 30% message loss, one indirect probe in 50 fails. */
  readonly indirectProbes: number
  /**
   * The shortest time to refute, for a suspect with several accusers (SWIM §4.2): several periods, so that the suspect gets several pings.
   */
  readonly suspicionMin: number
  /** The longest time to refute. It applies to a suspect with one accuser (Lifeguard §IV-B), and in a very large cluster. */
  readonly suspicionMax: number
  /** The interval of push-pulls. A push-pull exchanges the whole table with one random member, and so repairs losses of gossip. */
  readonly pushPullInterval: number
  /** The time after which a peer that has met no member assumes that it is the first member of its cluster. */
  readonly loneStartDelay: number
  /** The time for which the membership of a new member must be stable before the new member may take over the leadership. */
  readonly stableFor: number
  /** The interval at which a peer contacts one or two dead members again, so that two halves of a partitioned cluster find each other. */
  readonly healInterval: number
  /** The time for which `dead` and `left` members are remembered, so that their old records are recognized as old. */
  readonly retention: number
  /**
   * The largest cluster in which each member is connected to all other members. In a larger cluster, a member connects to and probes a bounded
   * number of neighbours (neighbours.ts). A handshake takes some 20 ms of CPU on each side, and every connection carries gossip.
   */
  readonly fullMesh: number
  /**
   * The delay of a timer above which the process counts as paused or starved, and lowers its local health. The value is at most half
   * a probe timeout. A smaller lag may cause indirect probes, but no accusation, because an answer counts until the probe period ends.
   */
  readonly stallTolerance: number
}

const DAY = 24 * 60 * 60 * 1_000

/** The three profiles. `local` has about half the times of `lan`, for links with low latency. `wan` allows round trips of 300 ms. */
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
 * Returns the profile with this name.
 *
 * @throws InvalidOptionError
 */
export function profileOf(name: string): Profile {
  if (name !== 'local' && name !== 'lan' && name !== 'wan') {
    throw new InvalidOptionError(`there is no profile "${name}": choose local, lan or wan`)
  }
  return profiles[name]
}
