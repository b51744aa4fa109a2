/** The events of the scheduler, its effects and its settings. They hold indices and sizes, never payloads. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { JobProgress, JobState } from '../shared/types.ts'

/** How chunks are run at a worker. */
export type RunMode =
  /** In threads, many tiny ones at once. */
  | 'plain'
  /** In threads, few at once, and the leader knows of each before it begins: a peer has died that had it. */
  | 'announced'
  /** In a process of its own: two peers have died that had it, and with at least one of them it was running. */
  | 'quarantined'

/** The traits of a worker that decide which chunks it may be given. */
export interface WorkerTraits {
  slots: number
  tags: Readonly<Record<string, string>>
  /** It only gets chunks of jobs that no other worker can compute. */
  spared: boolean
}

/** What has become of a worker that is gone; `lost`: nobody knows yet. */
export type WorkerGone = 'died' | 'left' | 'lost'

/** How far a job is folded. */
export interface Folded {
  /** The lowest index that is not folded. */
  next: number
  /** Chunks before it, by the peer that computed them. */
  perPeer: Readonly<Record<PeerIdString, number>>
}

export const NOTHING_FOLDED: Folded = { next: 0, perPeer: {} }

/** A chunk of this job that a worker retains from an earlier leadership. */
export interface OfferedChunk {
  worker: PeerIdString
  index: number
  state: 'held' | 'running' | 'waiting'
  /** Of its partial, in bytes; 0: not known yet. */
  size: number
}

/** The options of a job that its schedule follows. */
export interface JobTerms {
  /** Chunks of jobs of the same task take about as long. Default: the job is like no other. */
  task?: string | undefined
  /** How often a chunk whose `run` threw is tried again. */
  retries: number
  /** Whether chunks that are clearly slower than usual are started a second time in slots that would idle. */
  speculate: boolean
  /** Only workers with all of these tags get its chunks. */
  requires: Readonly<Record<string, string>>
  /** Ready chunks of a job of higher priority are given out first. */
  priority: number
  /** How far ahead of its folding it may be, where that is less than others may: in chunks, and in bytes of chunks and of partials. */
  ahead?: { chunks: number; bytes: number } | undefined
}

/** @typeParam Failure - what the adapter knows of an error; the scheduler only passes it on */
export type SchedulerEvent<Failure> =
  /** These may still have something of earlier leaderships: jobs that go on wait for a moment until they have said so. */
  | { type: 'expected'; workers: readonly PeerIdString[] }
  /**
   * A worker can be given chunks. One that is known starts afresh: what it had counts as lost, unless it offers it. `offered`: by job, what
   * it has of the chunks that were pulled.
   */
  | ({
      type: 'worker-joined'
      worker: PeerIdString
      offered?: ReadonlyMap<string, readonly OfferedChunk[]>
    } & WorkerTraits)
  /** What it has been given it finishes, whatever has changed. With 0 slots it gets no more. */
  | ({ type: 'worker-changed'; worker: PeerIdString } & Partial<WorkerTraits>)
  /**
   * Its peer has died, or has left in good order, or nobody knows yet: then the same is said again when it is known, unless it joins
   * again.
   */
  | { type: 'worker-gone'; worker: PeerIdString; why: WorkerGone }
  /**
   * `from`: what earlier leaders have folded; `split` goes on after that. `resumed`: an earlier leader has had the job. `diedWith`: the last
   * one, if it has died and computed chunks: what nobody offers may have been running there.
   */
  | {
      type: 'submitted'
      job: string
      terms: JobTerms
      from?: Folded | undefined
      resumed?: boolean
      diedWith?: PeerIdString | undefined
    }
  /** Somebody knows that so many chunks had been folded under earlier leaders. */
  | { type: 'seen'; job: string; folded: number }
  /**
   * `split` yielded the chunks from `first` on; `sizes` in bytes. `done`: there are no more. `offered`: what workers that have joined have
   * of them.
   */
  | {
      type: 'pulled'
      job: string
      first: number
      sizes: ArrayLike<number>
      done: boolean
      offered?: readonly OfferedChunk[]
      /** It is an iteration with so many chunks in a round. */
      roundOf?: number | undefined
      /** Its partials are combined by groups, and folded by groups. Default false. */
      combines?: boolean | undefined
      /** How long `split` took for each of them, in ms. Default: nobody knows. */
      msEach?: number | undefined
    }
  /** A worker is about to run these chunks, which are to be announced. */
  | { type: 'starting'; worker: PeerIdString; job: string; indices: readonly number[] }
  | OutcomesEvent<Failure>
  /** A worker that had these has them no more, and has not run them. */
  | { type: 'returned'; worker: PeerIdString; job: string; indices: readonly number[] }
  | { type: 'folded'; job: string; first: number; count: number }
  /** `finish` has returned: the result is there. */
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
  /** The chunks that returned, and the sizes of their partials in bytes. */
  indices: readonly number[]
  sizes: ArrayLike<number>
  failed: readonly { index: number; failure: Failure }[]
  /** Thread time that all of these took, in ms. */
  busyMs: number
}

export type SchedulerEffect<Failure> =
  /** Take up to `max` more chunks from `split`. One pull a job at a time. */
  | { type: 'pull'; job: string; max: number }
  /** Send these chunks, in this order. */
  | { type: 'dispatch'; worker: PeerIdString; job: string; mode: RunMode; indices: number[] }
  /** This worker keeps what it has offered, as if it had been given it now. */
  | { type: 'claim'; worker: PeerIdString; job: string; indices: number[] }
  /** Others were quicker with these chunks, or have them: this worker drops them, whether they wait or run or are held. */
  | { type: 'cancel-chunks'; worker: PeerIdString; job: string; indices: number[] }
  /** Of the outcomes just handed in, those at these positions of `indices` count: hold the partials, forget the chunks. The others are to be dropped. */
  | { type: 'keep'; job: string; positions: number[] }
  /** Fold these partials. One fold a job at a time. */
  | { type: 'fold'; job: string; first: number; count: number }
  /** All is folded: make the result. */
  | { type: 'finish'; job: string }
  /** The job is over: all workers stop what they still run of it and forget it; where it is completed, once its outcome is safe. */
  | { type: 'release'; job: string; completed: boolean }
  /** A worker has sent outcomes of chunks that it was never given: they do not count. */
  | { type: 'never-given'; worker: PeerIdString; job: string; indices: number[] }
  | { type: 'state'; job: string; state: JobState; failure?: Failure; stats: SchedulerStats }
  | { type: 'progress'; job: string; progress: JobProgress }
  /** There is no worker that could compute the job's chunks, or there is one again. */
  | { type: 'unserved'; job: string; unserved: boolean }
  | TimerEffect

/** What the leader can say about a job; the client adds its own. */
export interface SchedulerStats {
  chunks: number
  retries: number
  /** Chunks that had been folded under earlier leaders, as far as anybody has seen, and were computed again. */
  recomputed: number
  /** Chunks that were started a second time because they were slow. */
  speculated: number
  perPeer: Record<PeerIdString, number>
}

/** What a leader has done in all its jobs, ended ones included: counters that never go down. */
export interface LedChunks {
  /** Partials folded into results. */
  folded: number
  /** Started again because `run` threw or their peer was gone. */
  retried: number
  /** Started a second time because they were slow. */
  speculated: number
  /** Folded under an earlier leader, and computed again because what had come of them was lost. */
  recomputed: number
  /** Given to workers, all copies; what a worker had from an earlier leader and keeps is none. */
  dispatched: number
}

export const NOTHING_LED: LedChunks = { folded: 0, retried: 0, speculated: 0, recomputed: 0, dispatched: 0 }

export function ledTogether(a: LedChunks, b: LedChunks): LedChunks {
  const sum = { ...a }
  for (const key of Object.keys(b) as (keyof LedChunks)[]) sum[key] += b[key]
  return sum
}

/** How much a scheduler has to do. */
export interface SchedulerLoad {
  /** Jobs that wait because no live peer can compute their chunks. */
  unserved: number
  /** Chunks that are split and wait for a worker. */
  ready: number
  /** Chunks that workers have, running or waiting there. */
  dispatched: number
  /** Partials that wait to be folded, or are just being folded. */
  unfolded: number
  /** Bytes of these. */
  unfoldedBytes: number
}

export const DEFAULT_SETTINGS = {
  /**
   * This peer's own worker. A chunk that another peer was lost with goes to it only where there is no other worker: with this peer would go what
   * the leader knows of the chunk.
   */
  self: undefined as PeerIdString | undefined,
  /** Chunks this far above the lowest unfolded one, and beyond, are not dispatched. */
  window: 262_144,
  /** Bytes of unfolded partials, of all jobs. Above it only each job's lowest chunk is dispatched. */
  partialBudget: 256 * 2 ** 20,
  /** Bytes of chunks at the leader, of all jobs. Above it `split` is not pulled while chunks are there to run. */
  chunkBudget: 256 * 2 ** 20,
  /** The most chunks of a job that wait for a worker. */
  maxReady: 65_536,
  /** The most partials, and bytes of partials, in one fold. */
  maxFold: 16_384,
  maxFoldBytes: 16 * 2 ** 20,
  /** Between two progress messages of a job, in ms. */
  progressInterval: 100,
  /** Between two looks for slow chunks, in ms. */
  lookInterval: 250,
  /** A chunk that has run for less (ms) is never slow. */
  leastSlow: 1_000,
  /** A job that has had no worker for this long (ms) says so. */
  unservedAfter: 2_000,
  /** How long (ms) a job that goes on waits for what workers retain of it. */
  offersWithin: 1_000
}

export type SchedulerSettings = typeof DEFAULT_SETTINGS
