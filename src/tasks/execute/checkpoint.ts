import type { Pack } from '../values/pack.ts'
import type { ValueBatch } from './messages.ts'

export { DIGEST_BYTES } from '../values/canonical.ts'

/** Chunks that a driver returned. */
export interface Pulled {
  /** The index of the first of them. */
  first: number
  /** Encoded. */
  chunks: Pack
  /** The digest of each chunk ({@link DIGEST_BYTES} each), one after the other: equal for equal values, wherever they were split. */
  digests: Uint8Array
  /**
   * The rolling digest: the SHA-256 of the digests of all chunks from the first of the job to the last of these. Of an iteration: of all its
   * shards.
   */
  digest: Uint8Array
  /** The values of an iteration that these chunks are the first to refer to. */
  values?: ValueBatch | undefined
  /** Of an iteration: how many chunks a round has. */
  roundOf?: number | undefined
  /** The task has `combine`: partials are folded by whole groups, up to the last of the job. Default false. */
  combines?: boolean | undefined
  /** Mean time of `split` for each chunk, in ms; undefined: not measured. */
  msEach?: number | undefined
  /** No chunk comes after these. */
  done: boolean
}

/** How partials become a result: folded by `reduce`, or appended to one another where the task has none. */
export type FoldKind = 'folded' | 'appended'

/** The progress of a fold. */
export interface FoldState {
  kind: FoldKind
  /** The index of the partial that is folded next. */
  next: number
  /**
   * The approximate size of a checkpoint: of the accumulator when it was last measured (a large one is measured
   * after folds 1, 2, 4, 8, … and at checkpoints), or of all appended partials.
   */
  bytes: number
}

/** The accumulator of the partials before `next`. */
export interface FoldedCheckpoint {
  kind: 'folded'
  next: number
  /** The rolling digest (see {@link Pulled}) of the chunks before `next`: a driver that resumes must split the same. */
  digest: Uint8Array
  /** The encoded accumulator with the driver's private state, for a driver's `resume` only. */
  accumulator: Uint8Array
}

/** Without `reduce` the state is the partials before `next`, which the caller has. */
export interface AppendedCheckpoint {
  kind: 'appended'
  next: number
  /** As in {@link FoldedCheckpoint}. */
  digest: Uint8Array
}

export type Checkpoint = FoldedCheckpoint | AppendedCheckpoint

/** What a driver resumes from: a checkpoint and, if partials are appended, the partials 0 to `next` - 1. */
export type DriverResume = FoldedCheckpoint | (AppendedCheckpoint & { partials: readonly Uint8Array[] })
