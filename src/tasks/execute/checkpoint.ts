import type { Pack } from '../values/pack.ts'
import type { ValueBatch } from './messages.ts'

export { DIGEST_BYTES } from '../values/canonical.ts'

/** Chunks that a driver gave. */
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
  /** Of an iteration, whose chunks are references: what they refer to and none did before. */
  values?: ValueBatch | undefined
  /** Of an iteration: how many chunks a round has. */
  roundOf?: number | undefined
  /** The task has `combine`: partials are folded by whole groups, up to the last of the job. Default false. */
  combines?: boolean | undefined
  /** How long `split` took for each of these, in ms; undefined where nobody has measured that. */
  msEach?: number | undefined
  /** No chunk comes after these. */
  done: boolean
}

/** How partials become a result: folded by `reduce`, or appended to one another where the task has none. */
export type FoldKind = 'folded' | 'appended'

/** Where the folding of a job stands. */
export interface FoldState {
  kind: FoldKind
  /** The index of the partial that is folded next. */
  next: number
  /**
   * About how many bytes a checkpoint now has: those of the accumulator when it was last looked at (a large one is looked at
   * after folds 1, 2, 4, 8, … and at checkpoints), or those of all partials that were appended.
   */
  bytes: number
}

/** All that `reduce` has made of the partials before `next`. */
export interface FoldedCheckpoint {
  kind: 'folded'
  next: number
  /** The rolling digest (see {@link Pulled}) of the chunks before `next`: a driver that resumes must split the same. */
  digest: Uint8Array
  /** The encoded accumulator, with what the driver needs beside it: for a driver's `resume` and nobody else. */
  accumulator: Uint8Array
}

/** Without `reduce` there is no more to keep than the partials, which the caller has had itself: those before `next`. */
export interface AppendedCheckpoint {
  kind: 'appended'
  next: number
  /** As in {@link FoldedCheckpoint}. */
  digest: Uint8Array
}

export type Checkpoint = FoldedCheckpoint | AppendedCheckpoint

/** What a driver goes on from: a checkpoint and, where they were appended, the partials 0 to `next` - 1. */
export type DriverResume = FoldedCheckpoint | (AppendedCheckpoint & { partials: readonly Uint8Array[] })
