/** Serves `/api/jobs`: submits, shows, awaits, cancels and resumes jobs. All jobs are detached, so that they survive the connections of HTTP clients. */
import { checkJobId } from '../api/options.ts'
import type { Peer } from '../api/types.ts'
import { IdTakenError, JobSuspendedError, NoSuchJobError, P2pWorkerError } from '../common/errors.ts'
import { ClientJob } from '../jobs/client/client-job.ts'
import type { Job, JobDurability, JobHandleOptions, JobState } from '../jobs/shared/types.ts'
import { signalAfter } from '../lib/abort.ts'
import { encode } from '../tasks/values/payload.ts'
import { isOver } from '../views/states.ts'
import { ANSWER_MS, checkLeader, isTimeout, late } from './leader.ts'
import type { Submission } from './submission.ts'
import { withFile } from './task-file.ts'

/** The longest time that a request waits for a result, in s. */
export const LONGEST_WAIT_S = 60

export interface JobAnswer {
  jobId: string
  state: JobState
}

/** `durability` is null if the job has ended already, or starts later. */
export interface SubmittedJob extends JobAnswer {
  durability: JobDurability | null
}

/** The encoded result of a job, as peers send it to each other. Undefined while the job has no result. */
export interface Outcome {
  state: JobState
  encoded: Uint8Array | undefined
}

/** The job operations of the routes. */
export class HttpJobs {
  readonly #peer: Peer
  readonly #stopped: AbortSignal

  constructor(peer: Peer, stopped: AbortSignal) {
    this.#peer = peer
    this.#stopped = stopped
  }

  /** @throws IdTakenError when another job has the same id, and the errors of a peer's `submit` */
  async submit({ task, source, input, options }: Submission): Promise<SubmittedJob> {
    await checkLeader(this.#peer, this.#stopped)
    const submit = async (path: string): Promise<SubmittedJob> => {
      const signal = AbortSignal.any([this.#stopped, signalAfter(ANSWER_MS)])
      const job = await this.#peer.submit<unknown, unknown>(path, input, { ...options, detach: true, signal })
      const { durability = null } = job
      return { ...(await letGo(job)), durability }
    }
    try {
      return await (source === undefined ? submit(task as string) : withFile(source, submit))
    } catch (error) {
      const { id } = options
      if (id !== undefined && error instanceof P2pWorkerError && (await this.#isTaken(id, error)))
        throw new IdTakenError(id, { cause: error })
      throw late(error, 'accepted the job, for which there may be no room,')
    }
  }

  /** Waits for the job's end for at most `ms`. Rejects like `result` of a job. */
  async outcome(id: string, ms: number, asker: AbortSignal): Promise<Outcome> {
    const job = await this.#attach(id)
    try {
      if (!isOver(job.progress.state) && ms === 0) return { state: job.progress.state, encoded: undefined }
      const enough = signalAfter(isOver(job.progress.state) ? ANSWER_MS : ms)
      const signal = AbortSignal.any([this.#stopped, asker, enough])
      return { state: 'completed', encoded: await encodedResult(job, signal) }
    } catch (error) {
      if (isTimeout(error)) return { state: job.progress.state, encoded: undefined }
      throw error
    } finally {
      await letGo(job)
    }
  }

  /** Cancels a job in the whole cluster. For a job that has already ended, returns the final state. */
  cancel(id: string): Promise<JobAnswer> {
    return this.#decide(id, 'cancel')
  }

  /** Resumes a suspended job. For any other job, returns its state. */
  resume(id: string): Promise<JobAnswer> {
    return this.#decide(id, 'resume')
  }

  async #decide(id: string, suspended: 'resume' | 'cancel'): Promise<JobAnswer> {
    let job: Job
    try {
      job = await this.#attach(id, suspended)
    } catch (error) {
      if (error instanceof NoSuchJobError && error.end !== undefined) return { jobId: id, state: error.end }
      throw error
    }
    try {
      if (suspended === 'cancel') await job.cancel()
      return { jobId: id, state: job.progress.state }
    } finally {
      await letGo(job)
    }
  }

  async #attach(id: string, suspended: JobHandleOptions['suspended'] = 'refuse'): Promise<Job> {
    checkJobId(id)
    await checkLeader(this.#peer, this.#stopped)
    try {
      return await this.#peer.job(id, { suspended, signal: AbortSignal.any([this.#stopped, signalAfter(ANSWER_MS)]) })
    } catch (error) {
      throw late(error, `said what has become of job ${id}`)
    }
  }

  /** Whether the submission failed because another job has the same id. The leader's error has no code for this case. */
  async #isTaken(id: string, error: P2pWorkerError): Promise<boolean> {
    // A refusal of the leader is an error of exactly this class, not of a subclass.
    if (error.constructor !== P2pWorkerError) return false
    try {
      await letGo(await this.#attach(id))
      return true
    } catch (other) {
      return other instanceof JobSuspendedError || (other instanceof NoSuchJobError && other.end !== undefined)
    }
  }
}

/** Returns the encoded result. Decoding a large result would block the thread that answers pings and renews the lease. */
async function encodedResult(job: Job, signal: AbortSignal): Promise<Uint8Array> {
  if (job instanceof ClientJob) return await job.encodedResult({ signal })
  return encode(await job.result({ signal }), 'result')
}

/** Stops waiting for a job. The job itself continues. */
async function letGo(job: Job): Promise<JobAnswer> {
  const { state } = job.progress
  await job[Symbol.asyncDispose]()
  return { jobId: job.id, state }
}
