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
   * How long a direct ping may take at most before others are asked to ping for us. Well above the 99th percentile of the
   * round trip, so that the indirect probes stay rare; well below the period, which both kinds of probe must fit in.
   */
  readonly probeTimeout: number
  /**
   * And at least this long, however soon the member answered before. Above what a busy event loop or a garbage collection
   * adds now and then; within the two it follows the measured round trip.
   */
  readonly probeTimeoutMin: number
  /** How many members are asked for an indirect probe: k of SWIM §3.1. With 3, 30% loss fools one round in 50. */
  readonly indirectProbes: number
  /**
   * A suspect whom several accuse has at least this long to refute (SWIM §4.2): several periods, so that it is told several
   * times.
   */
  readonly suspicionMin: number
  /** And at most this long: when one alone accuses it (Lifeguard §IV-B), or the cluster is very large. */
  readonly suspicionMax: number
  /** The whole table is exchanged with one random member this often: repairs what gossip lost. */
  readonly pushPullInterval: number
  /** A peer that has met nobody for this long relies on its own table: it may be the first of its cluster. */
  readonly loneStartDelay: number
  /** "Stable for a moment": how long a newcomer has to be a member before it may take the leadership over. */
  readonly stableFor: number
  /** One or two dead members are tried again this often: two halves of a cluster that was cut find each other by it. */
  readonly healInterval: number
  /** How long `dead` and `left` members are kept, so that old records about them are known to be old. */
  readonly retention: number
  /**
   * Up to so many members each is connected to all others; above, to a bounded number (neighbours.ts), whom alone it probes.
   * A handshake costs some 20 ms of CPU on either side, and every connection its share of gossip.
   */
  readonly fullMesh: number
  /**
   * A timer that fires later than this tells that this process was paused or starved: it then doubts itself before it
   * doubts others. Half a probe timeout at its longest: lag below it may make others ask, too, but accuses nobody, since an
   * answer counts until the period ends.
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
