/** The events, effects and settings of the scheduler. They contain indices and sizes, never payloads. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { JobProgress, JobState } from '../shared/types.ts'

/** How a worker runs a chunk. */
export type RunMode =
  /** In threads, many tiny ones at once. */
  | 'plain'
  /** In threads, few at once, and the leader knows of each before it begins: a peer that had the chunk has died. */
  | 'announced'
  /** In a process of its own: two peers that had the chunk have died, and it was running at one of them at least. */
  | 'quarantined'

/** The traits of a worker that decide which chunks it may be given. */
export interface WorkerTraits {
  slots: number
  tags: Readonly<Record<string, string>>
  /** The worker only gets chunks of jobs that no other worker can compute. */
  spared: boolean
}

/** Why a worker is gone; `lost`: its channel broke, and the reason is not known yet. */
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
  /** Bytes of the partial; 0 if not known yet. */
  size: number
}

/** The options of a job that its schedule follows. */
export interface JobTerms {
  /** Key for durations: chunks of jobs with the same task take about as long. Default: no other job is alike. */
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

/** @typeParam Failure - what the adapter knows of an error; the scheduler only passes it on */
export type SchedulerEvent<Failure> =
  /** Workers that may still retain chunks of earlier leaderships: resumed jobs wait a moment for their offers. */
  | { type: 'expected'; workers: readonly PeerIdString[] }
  /**
   * A worker can be given chunks. A known worker starts afresh: its chunks count as lost unless it offers them.
   * `offered`: by job, the pulled chunks that it retains.
   */
  | ({
      type: 'worker-joined'
      worker: PeerIdString
      offered?: ReadonlyMap<string, readonly OfferedChunk[]>
    } & WorkerTraits)
  /** The traits of a worker changed. It completes the chunks that it has. With 0 slots it gets no more. */
  | ({ type: 'worker-changed'; worker: PeerIdString } & Partial<WorkerTraits>)
  /**
   * The worker's peer has died, has left in good order, or its fate is not known yet (`lost`). In the last case the
   * event comes again when the fate is known, unless the worker joins again.
   */
  | { type: 'worker-gone'; worker: PeerIdString; why: WorkerGone }
  /**
   * A job begins. `from`: the chunks that earlier leaders have folded; `split` continues after them. `resumed`: an
   * earlier leader had the job. `diedWith`: the previous leader, if it has died and computed chunks: chunks that no
   * worker offers may have been running there.
   */
  | {
      type: 'submitted'
      job: string
      terms: JobTerms
      from?: Folded | undefined
      resumed?: boolean
      diedWith?: PeerIdString | undefined
    }
  /** A client knows that this many chunks were folded under earlier leaders. */
  | { type: 'seen'; job: string; folded: number }
  /**
   * `split` yielded the chunks from `first` on; `sizes` in bytes. `done`: there are no more. `offered`: the offers of
   * joined workers for these chunks.
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
      /** The time that `split` took for each chunk, in ms. Default: unknown. */
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
  /** Thread time of all these outcomes, in ms. */
  busyMs: number
}

export type SchedulerEffect<Failure> =
  /** Take up to `max` more chunks from `split`. One pull at a time for each job. */
  | { type: 'pull'; job: string; max: number }
  /** Send these chunks to the worker, in this order. */
  | { type: 'dispatch'; worker: PeerIdString; job: string; mode: RunMode; indices: number[] }
  /** The worker keeps these offered chunks, as if they were dispatched now. */
  | { type: 'claim'; worker: PeerIdString; job: string; indices: number[] }
  /** The worker drops these chunks and partials: another worker was faster, or has them. */
  | { type: 'cancel-chunks'; worker: PeerIdString; job: string; indices: number[] }
  /**
   * The outcomes at these positions of `indices` count: keep the partials, forget the chunks. Drop the other outcomes.
   */
  | { type: 'keep'; job: string; positions: number[] }
  /** Fold these partials. One fold at a time for each job. */
  | { type: 'fold'; job: string; first: number; count: number }
  /** All partials are folded: make the result. */
  | { type: 'finish'; job: string }
  /** The job has ended: all workers stop and forget it; if it completed, once the outcome is replicated. */
  | { type: 'release'; job: string; completed: boolean }
  /** A worker sent outcomes of chunks that it was never given: they do not count. */
  | { type: 'never-given'; worker: PeerIdString; job: string; indices: number[] }
  | { type: 'state'; job: string; state: JobState; failure?: Failure; stats: SchedulerStats }
  | { type: 'progress'; job: string; progress: JobProgress }
  /** No worker can compute the job's chunks, or a worker can again. */
  | { type: 'unserved'; job: string; unserved: boolean }
  | TimerEffect

/** The leader's part of a job's statistics; the client adds its own. */
export interface SchedulerStats {
  chunks: number
  retries: number
  /** Number of chunks that were folded under earlier leaders, as far as a client knows, and were computed again. */
  recomputed: number
  /** Number of chunks that were started a second time because they were slow. */
  speculated: number
  perPeer: Record<PeerIdString, number>
}

/** Counts of all jobs of a leader, ended ones included. They never decrease. */
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
   * This peer's id as a worker. A chunk that another peer was lost with goes to this worker only if there is no other:
   * if it killed this peer too, the leader's knowledge of the chunk would be lost.
   */
  self: undefined as PeerIdString | undefined,
  /** Chunks at least this far above the lowest unfolded one are not dispatched. */
  window: 262_144,
  /** The most bytes of unfolded partials, over all jobs. Above this, only each job's lowest chunk is dispatched. */
  partialBudget: 256 * 2 ** 20,
  /**
   * The most bytes of chunks at the leader, over all jobs. Above this, `split` is not pulled while chunks are ready.
   */
  chunkBudget: 256 * 2 ** 20,
  /** The most chunks of a job that wait for a worker. */
  maxReady: 65_536,
  /** The most partials, and bytes of partials, in one fold. */
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
  /** The longest that a resumed job waits for offers, in ms. */
  offersWithin: 1_000
}

export type SchedulerSettings = typeof DEFAULT_SETTINGS
