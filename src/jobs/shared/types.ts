import type { TypedEventTarget } from 'main-event'
import type { JobFailedError, TaskFunction } from '../../common/errors.ts'
import type { PeerIdString } from '../../network/types.ts'

/** Where a job is. The last three are for good. */
export type JobState = 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled'

export const JOB_STATES: readonly JobState[] = ['accepted', 'running', 'completed', 'failed', 'cancelled']

/** What becomes of a job; `resumed`: the next leader goes on with it. */
export type JobEventState = JobState | 'resumed'

/** How a job is to be computed. */
export interface SubmitOptions {
  /**
   * Identifies the job: submitting the same task and input again under the same id joins the job that runs, with the options that it
   * was submitted with first. Once it has ended, the outcome is given as long as it is kept (`keep`); after that the job is not run again, and
   * submitting it rejects with a `NoSuchJobError`. Another task or input is refused all the while. An id is free again when 10,000 more jobs have ended, or
   * 24 hours after its outcome was dropped, at the next end of a job. Default: a random UUID.
   */
  id?: string
  /** Cancels the job. */
  signal?: AbortSignal
  /** How often a chunk whose `run` threw is tried again. Default 0. */
  retries?: number
  /**
   * The longest that a chunk may run, in ms: then its thread is ended, whatever it does, and it fails with a failure named
   * `ChunkTimeoutError`, which counts as if `run` had thrown (see `retries`). From 1 to 2,147,483,647. Default: no limit.
   */
  chunkTimeout?: number
  /**
   * A whole number from -100 to 100: as long as a job has chunks that are ready, they are given to peers before those of jobs with a lower
   * priority. Nothing is taken back for it: chunks that run go on. A job of lower priority gets what the higher ones leave, which
   * may be nothing until they have ended. Jobs of the same priority share the slots evenly, by time. Default 0.
   */
  priority?: number
  /**
   * Whether chunks that take clearly longer than is usual in this job are started a second time, on other peers whose slots would
   * idle; the first result counts, and the other copy is cancelled. `run` may see the same chunk twice at the same time.
   * Default true.
   */
  speculate?: boolean
  /**
   * Tags that a peer must have, each with this value (`join({ tags })`, `join --tag`), to be given chunks of the job; `split`, `reduce` and
   * `finish` run at the leader, whatever its tags. While no live peer has them, the job waits ({@link JobProgress.unserved}). Default
   * none: every peer that computes will do.
   */
  requires?: Record<string, string>
  /**
   * The job goes on though no client waits for it; else it is cancelled when all its clients have been gone for 10 s. A client that
   * submitted it and closes leaves it running. Default false.
   */
  detach?: boolean
  /**
   * For how long the outcome is kept for clients that come back or attach, in ms, from 0 (only those who wait when the job ends get it) to
   * 604,800,000 (7 days). It is kept at the leader and its standbys; the next leader counts anew from when it takes over, and from at
   * least 10 s. At most 64 outcomes of 256 MiB together are kept: beyond that those go first that would have gone soonest, never the
   * newest. Default 600,000 (10 minutes).
   */
  keep?: number
  /**
   * The partials are read with {@link Job.partials}, all of them: the job goes on only as fast as they are read. A detached job has nobody to
   * read them. Whoever reads may be away for 10 s: then, if others wait for the job, it goes on unread, and what was folded meanwhile is not to be
   * had any more. Of several clients that submit it under one id the last reads, unless it comes too late for the first partial. Default false.
   */
  partials?: boolean
  /** npm packages that are not bundled but resolved where each peer was started (`join --external`). Default none. */
  external?: string[]
}

/** How far a job is. */
export interface JobProgress {
  /** Where it is. */
  state: JobState
  /** Chunks folded into the result. */
  done: number
  /** Chunks in all; undefined until `split` has ended. */
  total: number | undefined
  /** Peers that are running chunks right now. */
  peers: number
  /** Chunks that were started again because `run` threw or their peer died. */
  retries: number
  /** Chunks that had been folded under an earlier leader, and were computed again: what had come of them was lost with peers. */
  recomputed: number
  /** Chunks that were started a second time because they were slow. */
  speculated: number
  /** For two seconds or more no live peer could compute the job's chunks (none has the tags that it requires): it waits for one. */
  unserved: boolean
}

/** What a job took. */
export interface JobStats {
  /** Chunks of the job. */
  chunks: number
  /** Chunks that were started again because `run` threw or their peer died. */
  retries: number
  /** Chunks that had been folded under an earlier leader, and were computed again: what had come of them was lost with peers. */
  recomputed: number
  /** Chunks that were started a second time because they were slow ({@link SubmitOptions.speculate}). */
  speculated: number
  /** From submission, or from when the client attached to the job, to result by the client's clock, in ms. */
  elapsedMs: number
  /** Folded chunks by the peer that computed them. */
  perPeer: Record<PeerIdString, number>
}

/** A line that a task printed. */
export interface TaskLogLine {
  /** The PeerId of the peer on which it ran. */
  peer: PeerIdString
  /** The function that printed; `index` is set for `run`, and for `combine` the first chunk of those that are combined. */
  function: TaskFunction
  /** The chunk, where there is one. */
  index: number | undefined
  /** Where the task wrote it. */
  stream: 'stdout' | 'stderr'
  /** Without its line break. */
  line: string
}

/** What a {@link Job} tells as it happens. */
export interface JobEvents {
  /** A few times a second, while there is something new. */
  progress: CustomEvent<JobProgress>
  /** A line that the task printed. */
  log: CustomEvent<TaskLogLine>
}

/** A job, as a client sees it that submitted it or attached to it. */
// biome-ignore lint/suspicious/noExplicitAny: of a task that is named by its path nothing is known, and whoever reads its partials does
export interface Job<Result = unknown, Partial = any> extends TypedEventTarget<JobEvents> {
  /** The id under which others find it ({@link ClusterHandle.job}). */
  readonly id: string
  /** How far it is, as far as this process has heard. */
  readonly progress: JobProgress
  /** Set when the job has ended. */
  readonly stats: JobStats | undefined
  /** The result. Rejects with {@link JobFailedError} or {@link JobCancelledError}; aborting `signal` ends the wait, not the job. */
  result(options?: { signal?: AbortSignal }): Promise<Result>
  /**
   * What `run` returned for each chunk, as it comes: in chunk order, each once, whoever leads. Only of a job that was submitted with
   * {@link SubmitOptions.partials}, and once. Whoever leaves the loop lets the job go on without being read. Throws what {@link Job.result} rejects
   * with where the job fails.
   *
   * @throws InvalidOptionError when they were not asked for
   */
  partials(): AsyncIterable<Partial>
  /**
   * Ends the job on the whole cluster; resolves when the leader has confirmed it. Where no leader can be asked for 10 s, it is left to
   * the cluster, which cancels a job whose client is gone.
   *
   * @throws NoClusterError when no leader can be asked for 10 s, and the job is detached ({@link SubmitOptions.detach}) or somebody
   *   else's: it goes on then
   */
  cancel(): Promise<void>
  /** Cancels the job, unless it is detached or was attached to: that goes on, and nobody waits for it here any more. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What `status` says of a job. */
export interface JobSummary {
  /** Its id. */
  jobId: string
  /** The name of its task. */
  task: string
  /** Where it is. */
  state: JobState
  /** Chunks folded into the result. */
  done: number
  /** Chunks in all; undefined until `split` has ended. */
  total: number | undefined
  /** Waits because no live peer can compute its chunks ({@link JobProgress.unserved}). */
  unserved: boolean
  /** How long ago the leader accepted it, in ms; undefined when an earlier leader did. */
  age: number | undefined
}

/** What has become of each chunk of a job, or what of that has changed. */
export interface ChunkMap {
  /** Which job. */
  jobId: string
  /** As the leader has it. */
  state: JobState
  /** To be given as `since` the next time. */
  version: string
  /** This is all that is recorded; `false`: what has changed, and forget nothing of what was told before. */
  reset: boolean
  /** The lowest index that is still recorded: the leader keeps the last 1,048,576. */
  first: number
  /** How many chunks were split so far. */
  end: number
  /** Peers that have or had chunks of it. What is added comes last, until `reset`. */
  peers: string[]
  /**
   * Runs of neighbouring chunks of which the same is known: start, length, code; start, length, code; and so on, ascending. Codes: 0 waits; 1 is done, and
   * by whom is not known any more, as it was folded under an earlier leader; 2 + 2p was given to `peers[p]`, where it runs or waits; 3 + 2p was done by
   * `peers[p]`.
   */
  runs: number[]
}

export type { JobFailedError }
