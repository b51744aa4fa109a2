import type { TypedEventTarget } from 'main-event'
import type { Tracer } from '../../common/tracing.ts'
import type { Network } from '../../network/types.ts'
import { type Overview, overviewProtocol } from '../protocol/overview-messages.ts'
import { isToLeader, submitProtocol } from '../protocol/submit-messages.ts'
import { JobSpans } from '../shared/job-spans.ts'
import type { ChunkMap, Job, JobEventState, SubmitOptions } from '../shared/types.ts'
import { JobRequests } from './job-requests.ts'
import type { LeaderSource } from './leader-source.ts'
import { OverviewClient } from './overview-client.ts'
import type { JobParts } from './submission.ts'
import { type AttachOptions, type StreamParts, Submitter } from './submitter.ts'

export interface JobsEvents {
  /** Emitted when a job has changed its state. */
  job: CustomEvent<{ jobId: string; state: JobEventState }>
  /** Emitted when submissions wait because the leader has no room. Emitted again only after the queue was empty. */
  waiting: CustomEvent<{ reason: string }>
}

/** The jobs as a client uses them: the client submits and watches jobs. */
export interface JobClient extends TypedEventTarget<JobsEvents> {
  /**
   * Submits a job to the leader, and to the next leader when the first leader is gone. Resolves when a leader has
   * accepted the job. While the leader has no room, the job waits. With `stream`, the chunks are items from this
   * process, and the caller must read the partials.
   *
   * @throws MessageTooLargeError, NoSuchJobError when the job has ended and its outcome is not kept any more,
   * NoClusterError, StoppedError, or the signal's reason
   */
  submit<Result, Partial = unknown>(
    parts: JobParts,
    options?: SubmitOptions,
    stream?: StreamParts
  ): Promise<Job<Result, Partial>>
  /**
   * Attaches to a job that any client has submitted, under this leader and later leaders. Resolves when the leader knows the job.
   *
   * @throws NoSuchJobError, NoClusterError, StoppedError, or the signal's reason
   */
  attach<Result>(id: string, options?: AttachOptions): Promise<Job<Result>>
  /**
   * Returns the jobs and workers of the leader. Waits until there is a leader.
   *
   * @throws NoClusterError when the leader is known and does not answer, StoppedError, or the signal's reason
   */
  overview(signal?: AbortSignal): Promise<Overview>
  /**
   * Returns the state of each chunk of a job. Waits until there is a leader. `since` is the version of an earlier answer: with
   * `since`, the answer contains only the changes after that version.
   *
   * @throws NoSuchJobError, UnsupportedByLeaderError, NoClusterError, StoppedError, or the signal's reason
   */
  chunkMap(job: string, since?: string, signal?: AbortSignal): Promise<ChunkMap>
  /** Abandons the running jobs and ends the requests. */
  stop(): Promise<void>
}

/** The jobs of an attached process. The cluster may shut the process out. */
export interface AttachedJobs extends JobClient {
  /** Rejects all pending calls with this error. Later submissions try again. */
  giveUp(reason: Error): void
}

export interface AttachedJobsInit {
  network: Network
  leaderSource: LeaderSource
  /** Default: none. */
  tracer?: Tracer | undefined
}

class AttachedJobClient extends JobRequests implements AttachedJobs {
  protected readonly submitter: Submitter
  protected readonly overviews: OverviewClient
  readonly #close: () => Promise<void>

  constructor({ network, leaderSource, tracer }: AttachedJobsInit) {
    super()
    const submit = network.register(submitProtocol, {
      onMessage: (message, channel) => {
        if (!isToLeader(message)) this.submitter.onMessage(message, channel)
        else channel.send({ job: message.job, type: 'not-leader', leader: leaderSource.leader()?.id }).catch(() => {})
      },
      onClose: channel => this.submitter.onClose(channel)
    })
    const overview = network.register(overviewProtocol, {
      onMessage: (message, channel) => {
        if (message.type !== 'request') this.overviews.onMessage(message, channel)
        else channel.send({ id: message.id, type: 'not-leader', leader: leaderSource.leader()?.id }).catch(() => {})
      }
    })
    this.submitter = new Submitter({
      leaderSource,
      spans: tracer && new JobSpans(tracer, network),
      open: (leader, options) => submit.channel(leader, options),
      onJobState: (jobId, state) => this.onJobState(jobId, state),
      onWaiting: reason => this.onWaiting(reason)
    })
    this.overviews = new OverviewClient({
      leaderSource,
      open: (leader, options) => overview.channel(leader, options)
    })
    this.#close = async () => {
      await Promise.all([submit.close(), overview.close()])
    }
  }

  giveUp(reason: Error): void {
    this.submitter.giveUp(reason)
  }

  async stop(): Promise<void> {
    this.submitter.stop()
    this.overviews.stop()
    await this.#close()
  }
}

/** The jobs of a process that is attached to a cluster without being a member. */
export function createJobClient(parts: AttachedJobsInit): AttachedJobs {
  return new AttachedJobClient(parts)
}
