/** What goes into the coordinator and what comes out. Payloads never do: only indices and sizes. */
import type { TimerEffect, TimerEvent } from '../core.ts'
import type { PeerIdString } from '../network/types.ts'
import type { JobProgress, JobState } from './types.ts'

/** @typeParam Failure - what the adapter knows of an error; the coordinator only passes it on */
export type CoordinatorEvent<Failure> =
  /** A worker can be given chunks. One that is known starts afresh: what it had counts as lost. */
  | { type: 'worker-joined'; worker: PeerIdString; slots: number }
  /** The slots of a worker changed; with 0 it finishes what it has and gets no more. */
  | { type: 'worker-slots'; worker: PeerIdString; slots: number }
  | { type: 'worker-gone'; worker: PeerIdString }
  | { type: 'submitted'; job: string; retries: number }
  /** `split` yielded the chunks from `first` on; `sizes` in bytes. `done`: there are no more. */
  | { type: 'pulled'; job: string; first: number; sizes: readonly number[]; done: boolean }
  | OutcomesEvent<Failure>
  | { type: 'folded'; job: string; first: number; count: number }
  /** `finish` has returned: the result is there. */
  | { type: 'finished'; job: string }
  /** `split`, `reduce` or `finish` threw, or their thread ended. */
  | { type: 'driver-failed'; job: string; failure: Failure }
  | { type: 'cancelled'; job: string }
  | TimerEvent

export interface OutcomesEvent<Failure> {
  type: 'outcomes'
  worker: PeerIdString
  job: string
  /** The chunks that returned, and the sizes of their partials in bytes. */
  indices: readonly number[]
  sizes: readonly number[]
  failed: readonly { index: number; failure: Failure }[]
  /** Thread time that all of these took, in ms. */
  busyMs: number
}

export type CoordinatorEffect<Failure> =
  /** Take up to `max` more chunks from `split`. One pull a job at a time. */
  | { type: 'pull'; job: string; max: number }
  /** Send these chunks, in this order. */
  | { type: 'dispatch'; worker: PeerIdString; job: string; indices: number[] }
  /** Of the outcomes just handed in, those at these positions of `indices` count: hold the partials, forget the chunks. The others are to be dropped. */
  | { type: 'keep'; job: string; positions: number[] }
  /** Fold these partials. One fold a job at a time. */
  | { type: 'fold'; job: string; first: number; count: number }
  /** All is folded: make the result. */
  | { type: 'finish'; job: string }
  /** The job is over: this worker stops what it still runs of it and forgets it. */
  | { type: 'release'; worker: PeerIdString; job: string }
  /** The job is over: drop all that is held for it. */
  | { type: 'drop'; job: string }
  | { type: 'state'; job: string; state: JobState; failure?: Failure; stats: CoordinatorStats }
  | { type: 'progress'; job: string; progress: JobProgress }
  | TimerEffect

/** What the leader can say about a job; the client adds its own. */
export interface CoordinatorStats {
  chunks: number
  retries: number
  perPeer: Record<PeerIdString, number>
}

export interface CoordinatorSettings {
  /** Chunks from this many above the lowest that is not folded are not dispatched. */
  window: number
  /** Bytes of partials that wait to be folded, of all jobs. Above it only each job's lowest chunk is dispatched. */
  partialBudget: number
  /** Bytes of chunks held at the leader, of all jobs. Above it `split` is not pulled while chunks are there to run. */
  chunkBudget: number
  /** The most chunks of a job that wait for a worker. */
  maxReady: number
  /** The most partials, and bytes of partials, in one fold. */
  maxFold: number
  maxFoldBytes: number
  /** Between two progress messages of a job, in ms. */
  progressInterval: number
}

export const DEFAULT_SETTINGS: CoordinatorSettings = {
  window: 65_536,
  partialBudget: 256 * 2 ** 20,
  chunkBudget: 256 * 2 ** 20,
  maxReady: 16_384,
  maxFold: 4_096,
  maxFoldBytes: 16 * 2 ** 20,
  progressInterval: 100
}

/**
 * The rules that keep the result exact. All hold, always; the simulation switches single ones off to see that it
 * notices.
 */
export interface CoordinatorRules {
  /** Outcomes count only from the worker that has the chunk. */
  onlyFromHolder: boolean
  /** The chunks of a worker that is gone go back to the queue. */
  returnChunksOfTheGone: boolean
  /** The lowest chunk that is not folded may be dispatched whatever window and budget say. */
  lowestAlways: boolean
  window: boolean
  budget: boolean
  credit: boolean
}

export const ALL_RULES: CoordinatorRules = {
  onlyFromHolder: true,
  returnChunksOfTheGone: true,
  lowestAlways: true,
  window: true,
  budget: true,
  credit: true
}
