/** Limits the jobs of each client, so that some of the leader's room is left for other clients. */
import type { Limits } from '../../common/limits.ts'
import { TokenBuckets } from '../../network/guard/token-buckets.ts'
import type { PeerIdString } from '../../network/types.ts'

/** A client gets at most this many times what it leaves to all others: as the only client four fifths. */
const TIMES_WHAT_IS_LEFT = 4
/** When to try again where a job has to end first, in ms. */
const WHEN_ONE_ENDS = { ms: 200, places: 0 }
/** A client above its rate has to wait about this long (ms), and may submit then as many jobs as the rate allows in that time. */
const PACE_MS = 100
/** How often a client is told to wait: far more often than a client needs that waits. */
const TOLD = { burst: 1_000, perSecond: 200 }

/** What counts of a job that is under way. */
export interface SizedJob {
  submitter: PeerIdString | undefined
  /** Of its code and input. */
  bytes: number
}

/** Why a job is not taken. */
export interface OverQuota {
  reason: string
  /** After how many ms to submit it again, and how many others with it; undefined: not to be tried again. */
  again: { ms: number; places: number } | undefined
}

export class JobQuota {
  readonly #limits: Limits
  /** New jobs of each client. */
  readonly #rate: TokenBuckets
  readonly #told: TokenBuckets

  /** @param now - the time in ms, which never goes back */
  constructor(limits: Limits, now?: () => number) {
    this.#limits = limits
    this.#rate = new TokenBuckets({ burst: limits.jobBurst, perSecond: limits.jobRate }, now)
    this.#told = new TokenBuckets(TOLD, now)
  }

  /** Why one more job of this client is not taken now. Undefined: it counts as taken. */
  take(client: PeerIdString, bytes: number, underWay: readonly SizedJob[]): OverQuota | undefined {
    const { jobs, jobsPerClient, jobBytes, jobRate, jobBurst } = this.#limits
    if (bytes > jobBytes) {
      const reason = `its code and input have ${bytes} bytes, and those of all jobs under way may have ${jobBytes}`
      return { reason, again: undefined }
    }
    const own = underWay.filter(({ submitter }) => submitter === client)
    if (own.length >= jobsPerClient)
      return { reason: `${jobsPerClient} jobs of ${client} are under way`, again: WHEN_ONE_ENDS }
    if (!hasShare(own.length, jobs - underWay.length - 1))
      return { reason: `${underWay.length} of ${jobs} jobs are under way`, again: WHEN_ONE_ENDS }
    if (!hasShare(bytesOf(own), jobBytes - bytesOf(underWay) - bytes)) {
      const reason = `code and input of all jobs under way have ${bytesOf(underWay)} of ${jobBytes} bytes`
      return { reason, again: WHEN_ONE_ENDS }
    }
    if (this.#rate.tryTake(client, 1)) return undefined
    const places = Math.min(jobBurst, Math.max(1, Math.round((jobRate * PACE_MS) / 1_000)))
    const ms = Math.ceil(this.#rate.wouldWait(client, places))
    return { reason: `${client} submits more than ${jobRate} jobs a second`, again: { ms, places } }
  }

  /** Whether the client may be told to wait once more. A client that does not wait is refused. */
  mayTell(client: PeerIdString): boolean {
    return this.#told.tryTake(client, 1)
  }
}

/** The less is left, the smaller is a client's share of it. A client without jobs gets the last. */
function hasShare(own: number, left: number): boolean {
  return left >= 0 && own <= TIMES_WHAT_IS_LEFT * left
}

function bytesOf(jobs: readonly SizedJob[]): number {
  return jobs.reduce((sum, { bytes }) => sum + bytes, 0)
}
