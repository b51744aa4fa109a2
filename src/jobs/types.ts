import type { TypedEventTarget } from 'main-event'
import type { JobFailedError } from '../errors.ts'
import type { PeerIdString } from '../network/types.ts'

export type JobState = 'accepted' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface SubmitOptions {
  /** Identifies the job: submitting again under the same id joins the job that runs. Default: a random UUID. */
  id?: string
  /** Cancels the job. */
  signal?: AbortSignal
  /** How often a chunk whose `run` threw is tried again. Default 0. */
  retries?: number
  /** npm packages that are not bundled but resolved where each peer was started (`join --external`). Default none. */
  external?: string[]
}

export interface JobProgress {
  state: JobState
  /** Chunks folded into the result. */
  done: number
  /** Chunks in all; undefined until `split` has ended. */
  total: number | undefined
  /** Peers that are running chunks right now. */
  peers: number
  retries: number
}

export interface JobStats {
  /** Chunks of the job. */
  chunks: number
  /** Chunks that were started again because `run` threw or their peer died. */
  retries: number
  /** Chunks that had been folded and were computed again, because the job started over under another leader. */
  recomputed: number
  /** Chunks that were started a second time because they were slow. 0 in this version. */
  speculated: number
  /** From submission to result by the client's clock, in ms. */
  elapsedMs: number
  /** Folded chunks by the peer that computed them. */
  perPeer: Record<PeerIdString, number>
}

/** A line that a task printed. */
export interface TaskLogLine {
  peer: PeerIdString
  /** The function that printed; `index` is set for `run`. */
  function: 'split' | 'run' | 'reduce' | 'finish' | 'initial' | 'load'
  index: number | undefined
  stream: 'stdout' | 'stderr'
  line: string
}

export interface JobEvents {
  progress: CustomEvent<JobProgress>
  log: CustomEvent<TaskLogLine>
}

/** A submitted job, as its client sees it. */
export interface Job<Result = unknown> extends TypedEventTarget<JobEvents> {
  readonly id: string
  readonly progress: JobProgress
  /** Set when the job has ended. */
  readonly stats: JobStats | undefined
  /** The result. Rejects with {@link JobFailedError} or JobCancelledError; aborting `signal` ends the wait, not the job. */
  result(options?: { signal?: AbortSignal }): Promise<Result>
  /** Ends the job on the whole cluster; resolves when the leader has confirmed it. */
  cancel(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** What `status` says of a job. */
export interface JobSummary {
  jobId: string
  task: string
  state: JobState
  done: number
  total: number | undefined
}

export type { JobFailedError }
