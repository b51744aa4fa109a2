import type { TypedEventTarget } from 'main-event'
import type { JobFailedError, TaskFunction } from '../../common/errors.ts'
import type { PeerIdString } from '../../network/types.ts'

/**
 * The state of a job. The last three are final. `suspended`: the job may have ended already, but its end was forgotten or
 * is lost, so it does not run until a user resumes or cancels it.
 */
export type JobState = 'accepted' | 'running' | 'suspended' | 'completed' | 'failed' | 'cancelled'

export const JOB_STATES: readonly JobState[] = ['accepted', 'running', 'suspended', 'completed', 'failed', 'cancelled']

/** A change of the state of a job. `resumed`: the next leader continues the job. */
export type JobEventState = JobState | 'resumed'

/** The options of a job. */
export interface SubmitOptions {
  /**
   * Identifies the job: submitting the same task and input again under the same id joins the running job, with the
   * options of its first submission. After the job has ended, the outcome is delivered for as long as it is kept
   * (`keep`). After that the job does not run again, and submitting it rejects with a `NoSuchJobError`. Another task or
   * input under the id is refused all this time. The id becomes free after 10,000 more jobs have ended, or 24 hours
   * after its outcome was dropped, at the next end of a job. Default: a random UUID.
   */
  id?: string
  /** Cancels the job when it aborts. */
  signal?: AbortSignal
  /** How often a chunk is tried again after its `run` threw. Default 0. */
  retries?: number
  /**
   * The longest that a chunk may run, in ms, from 1 to 2,147,483,647. After that its thread is terminated, and the
   * chunk fails with a failure named `ChunkTimeoutError`, which counts as if `run` had thrown (see `retries`). Default:
   * no limit.
   */
  chunkTimeout?: number
  /**
   * A whole number from -100 to 100. Ready chunks of a job go to peers before the chunks of jobs with a lower priority.
   * Running chunks are never preempted. A job of lower priority gets the slots that jobs of higher priority leave,
   * possibly none until they end. Jobs of equal priority share the slots evenly, by time. Default 0.
   */
  priority?: number
  /**
   * Whether chunks that take clearly longer than usual for this job start a second time, on other peers whose slots
   * would idle. The first result counts, and the other copy is cancelled. `run` may see the same chunk twice at the
   * same time. Default true.
   */
  speculate?: boolean
  /**
   * Tags that a peer must have, each with this value (`join({ tags })`, `join --tag`), to get chunks of the job.
   * `split`, `reduce` and `finish` run at the leader, whatever its tags. While no live peer has the tags, the job waits
   * ({@link JobProgress.unserved}). Default: none, so every peer that computes gets chunks.
   */
  requires?: Record<string, string>
  /**
   * Whether the job continues when no client waits for it. A job that is not detached is cancelled when all its
   * clients have been gone for 10 s. When the client that submitted a detached job closes, the job continues. Default
   * false.
   */
  detach?: boolean
  /**
   * When the job starts: the leader holds the job and runs it then, or as soon as there is a leader after that. The job is detached, because the
   * cluster does not wait for its client. Until then `progress.state` is `accepted`, and `client.schedules.list()` lists the job under its id.
   * Default: the job starts now.
   */
  at?: Date
  /**
   * How long the outcome is kept for clients that come back or attach, in ms, from 0 (only clients that wait when the
   * job ends receive it) to 604,800,000 (7 days). The leader and its standbys keep the outcome. After a takeover, the
   * next leader keeps the outcome for the whole time again, and for at least 10 s. At most 64 outcomes with 256 MiB in
   * total are kept: above that, the outcomes that would expire soonest are dropped, never the newest. Default 600,000
   * (10 minutes).
   */
  keep?: number
  /**
   * On how many disks the job must be: those of peers with a data folder (`join({ dataDir })`), from 0 to 16. The leader
   * accepts the job only when so many disks hold it, and refuses it with a {@link NotDurableError} if there are fewer. As
   * long as the job lives, each checkpoint and the outcome count only when so many disks hold them, under each leader. If
   * disks are lost later, the job goes on running, but its outcome is reported only when there are enough disks again.
   * With `voters`, only the disks of voters count. A client that joins a running job by its id takes over the number of
   * the first submission. A job that starts later (`at`), or a schedule, is on so many disks from the moment it is added.
   * Default 0: the leader and two other peers hold the job, on disk as far as they have one.
   */
  durable?: number
  /**
   * Whether the client reads all partials with {@link Job.partials}. The job then runs only as fast as the client
   * reads. A detached job may have no reader. A reader may be away for 10 s. After that, if other clients wait for the
   * job, the job continues without the reader, and the partials that are folded then are gone. If several clients
   * submit the job under one id, the last client reads the partials, unless some partials were folded before. Default
   * false.
   */
  partials?: boolean
  /** npm packages that are not bundled but resolved where each peer was started (`join --external`). Default: none. */
  external?: string[]
}

/**
 * The options of {@link ClusterHandle.job}.
 *
 * @example
 * ```ts
 * import { connect, JobSuspendedError } from 'p2p-worker'
 *
 * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
 * const { id } = await client.submit('./examples/n-queens.ts', { n: 8 }, { detach: true })
 * const job = await client.job(id).catch((error: unknown) => {
 *   if (!(error instanceof JobSuspendedError)) throw error
 *   console.log(`nobody has the result of ${error.jobId}: it runs again`)
 *   return client.job(id, { suspended: 'resume' })
 * })
 * console.log(await job.result())
 * ```
 */
export interface JobHandleOptions {
  /** Ends the attempt to attach when it aborts, but not the job. */
  signal?: AbortSignal
  /**
   * What to do with a suspended job. `refuse`: `job` rejects with a {@link JobSuspendedError}. `resume`: the job goes on
   * from its last checkpoint, also if no client waits for it. `cancel`: the job is cancelled. Other jobs do not change.
   * Default `refuse`.
   */
  suspended?: 'refuse' | 'resume' | 'cancel'
}

/** The progress of a job. */
export interface JobProgress {
  /** The state of the job. */
  state: JobState
  /** Number of chunks folded into the result. */
  done: number
  /** Number of all chunks. `undefined` until `split` has ended. */
  total: number | undefined
  /** Number of peers that have chunks of the job now. */
  peers: number
  /** Number of chunks that were started again because `run` threw or their peer was gone. */
  retries: number
  /**
   * Number of chunks that were folded under an earlier leader and computed again, because that work was lost with
   * peers.
   */
  recomputed: number
  /** Number of chunks that were started a second time because they were slow. */
  speculated: number
  /**
   * Whether the job waits because no live peer has had the required tags for two seconds or more.
   */
  unserved: boolean
}

/** At how many peers a job is held, with what the leader has acknowledged of it. */
export interface JobDurability {
  /** The number of peers that hold the job in their memory, with or without a data folder. */
  memory: number
  /** The number of these peers that have the job on disk as well. There it survives a stop of all peers. */
  disk: number
}

/** The statistics of a job that has ended. */
export interface JobStats {
  /** Number of chunks of the job. */
  chunks: number
  /** Number of chunks that were started again because `run` threw or their peer was gone. */
  retries: number
  /**
   * Number of chunks that were folded under an earlier leader and computed again, because that work was lost with
   * peers.
   */
  recomputed: number
  /** Number of chunks that were started a second time because they were slow ({@link SubmitOptions.speculate}). */
  speculated: number
  /** The time from submission, or from the client's attach, to the result by the client's clock, in ms. */
  elapsedMs: number
  /** Number of folded chunks by the peer that computed them. */
  perPeer: Record<PeerIdString, number>
}

/** A line that a task printed. */
export interface TaskLogLine {
  /** The PeerId of the peer that ran the task when it printed the line. */
  peer: PeerIdString
  /** The task's function that printed the line. */
  function: TaskFunction
  /** The chunk for `run`, and the first chunk of the group for `combine`; otherwise `undefined`. */
  index: number | undefined
  /** The output stream that the task wrote to. */
  stream: 'stdout' | 'stderr'
  /** The text, without its line break. */
  line: string
}

/** The events of a {@link Job}. */
export interface JobEvents {
  /** Emitted when the job has progressed, at most a few times a second. */
  progress: CustomEvent<JobProgress>
  /** Emitted for each line that the task prints. */
  log: CustomEvent<TaskLogLine>
}

/** The handle of a client for a job that the client has submitted or attached to. */
// biome-ignore lint/suspicious/noExplicitAny: a task that is named by its path has no types, and its client casts the partials
export interface Job<Result = unknown, Partial = any> extends TypedEventTarget<JobEvents> {
  /** The id for other clients to attach to the job ({@link ClusterHandle.job}). */
  readonly id: string
  /** The latest progress that this process has received. */
  readonly progress: JobProgress
  /**
   * At how many peers the job is held, as this process has last heard from the leader: when the leader accepted the job,
   * and whenever that changes while the job runs. `undefined` before, and for a job that had ended when this process attached
   * to it, or runs in this process alone.
   */
  readonly durability: JobDurability | undefined
  /** The statistics of the job. Set when the job has ended. */
  readonly stats: JobStats | undefined
  /** Returns the result. Rejects with {@link JobFailedError} or {@link JobCancelledError}. Aborting `signal` ends the wait, but not the job. */
  result(options?: { signal?: AbortSignal }): Promise<Result>
  /**
   * Returns the return value of `run` for each chunk in chunk order, each value exactly one time, under any leader.
   * Can be called only one time, and only for a job submitted with {@link SubmitOptions.partials}. If the caller
   * leaves the loop, the job continues without a reader. If the job fails, the loop throws the error that {@link
   * Job.result} rejects with.
   *
   * @throws InvalidOptionError when the partials were not asked for
   */
  partials(): AsyncIterable<Partial>
  /**
   * Ends the job on the whole cluster. Resolves when the leader has confirmed the end. If no leader can be reached for
   * 10 s, the cluster cancels the job by itself, because the client of the job is gone.
   *
   * @throws NoClusterError when no leader can be reached for 10 s, and the job is detached ({@link
   * SubmitOptions.detach}) or another client's: such a job continues
   */
  cancel(): Promise<void>
  /**
   * Cancels the job, unless the job is detached or this process has only attached to the job. In these cases the job
   * continues, and this process stops waiting for the job.
   */
  [Symbol.asyncDispose](): Promise<void>
}

/** The summary of a job in `status`. */
export interface JobSummary {
  /** The job's id. */
  jobId: string
  /** The name of the job's task. */
  task: string
  /** The state of the job. */
  state: JobState
  /** Number of chunks folded into the result. */
  done: number
  /** Number of all chunks. `undefined` until `split` has ended. */
  total: number | undefined
  /** Whether the job waits because no live peer can compute its chunks ({@link JobProgress.unserved}). */
  unserved: boolean
  /** How long ago the leader accepted the job, in ms; `undefined` if an earlier leader accepted it. */
  age: number | undefined
  /** On how many disks the job must be ({@link SubmitOptions.durable}). */
  durable: number
  /** At how many peers the job, or its outcome, is held. */
  durability: JobDurability
}

/** The state of each chunk of a job, or the changes since an earlier answer. */
export interface ChunkMap {
  /** The job's id. */
  jobId: string
  /** The state of the job at the leader. */
  state: JobState
  /** The version to pass as `since` the next time. */
  version: string
  /** `true`: this is the whole record. `false`: these are changes to apply to the earlier answers. */
  reset: boolean
  /** The lowest index that is recorded: the leader records the last 1,048,576 chunks. */
  first: number
  /** Number of chunks split so far. */
  end: number
  /** Peers that have or had chunks of the job. New peers are appended, until `reset`. */
  peers: string[]
  /**
   * Runs of neighbouring chunks in the same state: start, length, code; start, length, code; and so on, ascending.
   * Codes: 0 waiting; 1 done by an unknown peer, since the chunk was folded under an earlier leader; 2 + 2p given to
   * `peers[p]`, where it runs or waits; 3 + 2p done by `peers[p]`.
   */
  runs: number[]
}

export type { JobFailedError }
