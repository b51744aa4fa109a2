/** Limits the jobs of each client, so that the leader has room for the jobs of other clients. */
import type { Limits } from '../../common/limits.ts'
import { TokenBuckets } from '../../network/guard/token-buckets.ts'
import type { PeerIdString } from '../../network/types.ts'

/** A client may use at most this many times the room that is left for others. The only client may use four fifths of the room. */
const TIMES_WHAT_IS_LEFT = 4
/** The time after which a client submits again when the leader has no room, in ms. */
const WHEN_ONE_ENDS = { ms: 200, places: 0 }
/**
 * A client above its rate waits about this long (ms), and may then submit as many jobs as the rate allows in that time.
 */
const PACE_MS = 100
/** The limit of `busy` replies to one client. A client that waits gets far fewer replies. */
const TOLD = { burst: 1_000, perSecond: 200 }

/** The properties of a running job that count against the quota. */
export interface SizedJob {
  submitter: PeerIdString | undefined
  /** Bytes of the job's code and input. */
  bytes: number
}

/** The reason why a job is not accepted. */
export interface OverQuota {
  reason: string
  /** When (ms) the client may submit again, and how many jobs it may submit then. `undefined` if the client must not submit the job again. */
  again: { ms: number; places: number } | undefined
}

export class JobQuota {
  readonly #limits: Limits
  /** The rate at which each client submits new jobs. */
  readonly #rate: TokenBuckets
  readonly #told: TokenBuckets

  /** @param now - a monotonic clock in ms */
  constructor(limits: Limits, now?: () => number) {
    this.#limits = limits
    this.#rate = new TokenBuckets({ burst: limits.jobBurst, perSecond: limits.jobRate }, now)
    this.#told = new TokenBuckets(TOLD, now)
  }

  /** Counts a new job of a client. Returns the reason if the job is over the quota, and otherwise `undefined`. */
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

  /** Whether the leader may send another `busy` to this client. If it may not, the client has not waited and is refused. */
  mayTell(client: PeerIdString): boolean {
    return this.#told.tryTake(client, 1)
  }
}

/** Returns the share of a client. The share shrinks with the room that is left. A client without jobs may take the last place. */
function hasShare(own: number, left: number): boolean {
  return left >= 0 && own <= TIMES_WHAT_IS_LEFT * left
}

function bytesOf(jobs: readonly SizedJob[]): number {
  return jobs.reduce((sum, { bytes }) => sum + bytes, 0)
}
