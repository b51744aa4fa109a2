/** The events, effects and settings of the scheduler. They contain indices and sizes, never payloads. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { JobProgress, JobState } from '../shared/types.ts'

/** How a worker runs a chunk. */
export type RunMode =
  /** The worker runs the chunk in a thread, together with other tiny chunks. */
  | 'plain'
  /** The worker runs few chunks at once, and the leader knows of each chunk before it begins. Used when a peer that had the chunk has died. */
  | 'announced'
  /** The worker runs the chunk in a separate process. Used when two peers that had the chunk have died, and the chunk was running at one of them. */
  | 'quarantined'

/** The traits of a worker that decide which chunks it may be given. */
export interface WorkerTraits {
  slots: number
  tags: Readonly<Record<string, string>>
  /** The worker only gets chunks of jobs that no other worker can compute. */
  spared: boolean
}

/** Why a worker is gone. `lost`: its channel broke, and the reason is not known yet. */
export type WorkerGone = 'died' | 'left' | 'lost'

/** The folded chunks of a job. */
export interface Folded {
  /** The index of the lowest chunk that is not folded. */
  next: number
  /** Number of folded chunks by the peer that computed them. */
  perPeer: Readonly<Record<PeerIdString, number>>
}

export const NOTHING_FOLDED: Folded = { next: 0, perPeer: {} }

/** A chunk of this job that a worker retains from an earlier leadership. */
export interface OfferedChunk {
  worker: PeerIdString
  index: number
  state: 'held' | 'running' | 'waiting'
  /** Bytes of the partial. 0 if the size is not known yet. */
  size: number
}

/** The options of a job that its schedule follows. */
export interface JobTerms {
  /** The key for remembered durations. Chunks of jobs with the same task take about equally long. Default: the job uses no durations of other jobs. */
  task?: string | undefined
  /** How often a chunk is tried again after its `run` threw. */
  retries: number
  /** Whether chunks that are clearly slower than usual start a second time, in slots that would idle. */
  speculate: boolean
  /** The tags that a worker needs to get chunks of the job. */
  requires: Readonly<Record<string, string>>
  /** Ready chunks of jobs with a higher priority are dispatched first. */
  priority: number
  /**
   * How far dispatch may be ahead of folding, if less than the settings allow: in chunks, and in bytes of chunks and
   * partials.
   */
  ahead?: { chunks: number; bytes: number } | undefined
}

/** @typeParam Failure - how the adapter represents an error. The scheduler only passes the error on. */
export type SchedulerEvent<Failure> =
  /** These workers may still retain chunks of earlier leaderships. Resumed jobs wait a short time for the offers of these workers. */
  | { type: 'expected'; workers: readonly PeerIdString[] }
  /**
   * A worker can be given chunks. If the worker is known already, its earlier chunks count as lost unless the worker
   * offers them. `offered`: for each job, the pulled chunks that the worker retains.
   */
  | ({
      type: 'worker-joined'
      worker: PeerIdString
      offered?: ReadonlyMap<string, readonly OfferedChunk[]>
    } & WorkerTraits)
  /** The traits of a worker have changed. The worker completes the chunks that it has. With 0 slots the worker gets no more chunks. */
  | ({ type: 'worker-changed'; worker: PeerIdString } & Partial<WorkerTraits>)
  /**
   * The worker's peer has died, has left in good order, or its fate is not known yet (`lost`). In the last case the
   * event comes again when the fate is known, unless the worker joins again.
   */
  | { type: 'worker-gone'; worker: PeerIdString; why: WorkerGone }
  /**
   * A job begins. `from`: the chunks that earlier leaders have folded. `split` continues after these chunks.
   * `resumed`: an earlier leader had the job. `diedWith`: the previous leader, if that leader has died and has
   * computed chunks. Chunks that no worker offers may have been running at that leader.
   */
  | {
      type: 'submitted'
      job: string
      terms: JobTerms
      from?: Folded | undefined
      resumed?: boolean
      diedWith?: PeerIdString | undefined
    }
  /** A job begins or ceases to wait for the offers of workers that are not back after the end of all peers. */
  | { type: 'awaits-return'; job: string; isAwaiting: boolean }
  /** A client reports that this many chunks were folded under earlier leaders. */
  | { type: 'seen'; job: string; folded: number }
  /**
   * `split` has yielded the chunks from `first` on. `sizes` are in bytes. `done`: there are no more chunks. `offered`:
   * the offers of joined workers for these chunks.
   */
  | {
      type: 'pulled'
      job: string
      first: number
      sizes: ArrayLike<number>
      done: boolean
      offered?: readonly OfferedChunk[]
      /** Number of chunks in a round, if the job is an iteration. */
      roundOf?: number | undefined
      /** Whether partials are combined and folded in groups. Default: false. */
      combines?: boolean | undefined
      /** The time that `split` took for each chunk, in ms. Default: the time is unknown. */
      msEach?: number | undefined
    }
  /** A worker is about to run these announced chunks. */
  | { type: 'starting'; worker: PeerIdString; job: string; indices: readonly number[] }
  | OutcomesEvent<Failure>
  /** A worker returns chunks that it has not run. */
  | { type: 'returned'; worker: PeerIdString; job: string; indices: readonly number[] }
  | { type: 'folded'; job: string; first: number; count: number }
  /** `finish` has returned the result. */
  | { type: 'finished'; job: string }
  /** `split`, `reduce` or `finish` threw, or their thread ended. */
  | { type: 'driver-failed'; job: string; failure: Failure }
  | { type: 'cancelled'; job: string }
  | TimerEvent

export type EventOf<Type> = Extract<SchedulerEvent<never>, { type: Type }>

export interface OutcomesEvent<Failure> {
  type: 'outcomes'
  worker: PeerIdString
  job: string
  /** The completed chunks, and the sizes of their partials in bytes. */
  indices: readonly number[]
  sizes: ArrayLike<number>
  failed: readonly { index: number; failure: Failure }[]
  /** The thread time that all these outcomes have used, in ms. */
  busyMs: number
}

export type SchedulerEffect<Failure> =
  /** Take up to `max` more chunks from `split`. One pull at a time for each job. */
  | { type: 'pull'; job: string; max: number }
  /** Send these chunks to the worker, in this order. */
  | { type: 'dispatch'; worker: PeerIdString; job: string; mode: RunMode; indices: number[] }
  /** Tell the worker to keep these offered chunks, as if they were dispatched now. */
  | { type: 'claim'; worker: PeerIdString; job: string; indices: number[] }
  /** Tell the worker to drop these chunks and partials, because another worker has completed them or has them. */
  | { type: 'cancel-chunks'; worker: PeerIdString; job: string; indices: number[] }
  /**
   * The outcomes at these positions of `indices` count: keep the partials, forget the chunks. Drop the other outcomes.
   */
  | { type: 'keep'; job: string; positions: number[] }
  /** Fold these partials. One fold at a time for each job. */
  | { type: 'fold'; job: string; first: number; count: number }
  /** All partials are folded. Call `finish` to make the result. */
  | { type: 'finish'; job: string }
  /** The job has ended. Tell all workers to stop and forget the job. For a completed job, tell them only after the outcome is replicated. */
  | { type: 'release'; job: string; completed: boolean }
  /** A worker sent outcomes of chunks that it was never given. These outcomes do not count. */
  | { type: 'never-given'; worker: PeerIdString; job: string; indices: number[] }
  | { type: 'state'; job: string; state: JobState; failure?: Failure; stats: SchedulerStats }
  | { type: 'progress'; job: string; progress: JobProgress }
  /** No worker can compute the chunks of the job, or a worker can compute them again. */
  | { type: 'unserved'; job: string; unserved: boolean }
  | TimerEffect

/** The part of the statistics of a job that the leader knows. The client adds its own part. */
export interface SchedulerStats {
  chunks: number
  retries: number
  /** Number of chunks that were folded under earlier leaders, as far as a client knows, and were computed again. */
  recomputed: number
  /** Number of chunks that were started a second time because they were slow. */
  speculated: number
  perPeer: Record<PeerIdString, number>
}

/** The counts of all running and ended jobs of a leader. The counts never decrease. */
export interface LedChunks {
  /** Partials folded into results. */
  folded: number
  /** Chunks started again because `run` threw or their peer was gone. */
  retried: number
  /** Chunks started a second time because they were slow. */
  speculated: number
  /** Chunks folded under an earlier leader, and computed again because that work was lost. */
  recomputed: number
  /** Chunks given to workers, copies included, without reattached chunks. */
  dispatched: number
}

export const NOTHING_LED: LedChunks = { folded: 0, retried: 0, speculated: 0, recomputed: 0, dispatched: 0 }

export function ledTogether(a: LedChunks, b: LedChunks): LedChunks {
  const sum = { ...a }
  for (const key of Object.keys(b) as (keyof LedChunks)[]) sum[key] += b[key]
  return sum
}

/** The present load of a scheduler. */
export interface SchedulerLoad {
  /** Jobs that wait because no live peer can compute their chunks. */
  unserved: number
  /** Chunks that are split and wait for a worker. */
  ready: number
  /** Chunks that run or wait at workers. */
  dispatched: number
  /** Partials that wait for a fold, or are being folded. */
  unfolded: number
  /** Bytes of the unfolded partials. */
  unfoldedBytes: number
}

export const DEFAULT_SETTINGS = {
  /**
   * The id of this peer as a worker. A chunk with which another peer was lost goes to this worker only if there is no other worker:
   * if the chunk also killed this peer, the cluster would lose the leader's knowledge of the chunk.
   */
  self: undefined as PeerIdString | undefined,
  /** Chunks that are at least this far above the lowest unfolded chunk are not dispatched. */
  window: 262_144,
  /** The largest number of bytes of unfolded partials of all jobs. Above this, only the lowest chunk of each job is dispatched. */
  partialBudget: 256 * 2 ** 20,
  /**
   * The largest number of bytes of chunks of all jobs at the leader. Above this, no chunks are pulled from `split` while chunks are ready.
   */
  chunkBudget: 256 * 2 ** 20,
  /** The most chunks of a job that wait for a worker. */
  maxReady: 65_536,
  /** The largest number of partials, and of bytes of partials, in one fold. */
  maxFold: 16_384,
  maxFoldBytes: 16 * 2 ** 20,
  /** The time between two progress messages of a job, in ms. */
  progressInterval: 100,
  /** The time between two searches for slow chunks, in ms. */
  lookInterval: 250,
  /** A chunk that has run for less than this (ms) is never slow. */
  leastSlow: 1_000,
  /** A job without a worker for this long (ms) is reported as unserved. */
  unservedAfter: 2_000,
  /** The number of jobs without a worker that are split in advance. */
  maxUnserved: 8,
  /** The longest time that a resumed job waits for offers, in ms. */
  offersWithin: 1_000
}

export type SchedulerSettings = typeof DEFAULT_SETTINGS
