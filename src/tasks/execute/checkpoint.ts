import type { Pack } from '../values/pack.ts'
import type { ValueBatch } from './messages.ts'

export { DIGEST_BYTES } from '../values/canonical.ts'

/** The chunks that a driver returned for one pull. */
export interface Pulled {
  /** The index of the first chunk. */
  first: number
  /** The encoded chunks. */
  chunks: Pack
  /** The digests of the chunks, {@link DIGEST_BYTES} bytes for each chunk. Equal values have equal digests on every machine. */
  digests: Uint8Array
  /**
   * The rolling digest: the SHA-256 of the digests of all chunks from the first chunk of the job to the last chunk of this pull. In an
   * iteration: the SHA-256 of the digests of all shards.
   */
  digest: Uint8Array
  /** In an iteration: the values to which these chunks refer for the first time. */
  values?: ValueBatch | undefined
  /** In an iteration: the number of chunks in a round. */
  roundOf?: number | undefined
  /** Whether the task has `combine`: partials are folded by whole groups, except for the last group of the job. Default false. */
  combines?: boolean | undefined
  /** The mean time that `split` took for each chunk, in ms; undefined if the time was not measured. */
  msEach?: number | undefined
  /** Whether these are the last chunks of the job. */
  done: boolean
}

/** How partials become a result: `reduce` folds the partials, or, without `reduce`, the partials are appended to an array. */
export type FoldKind = 'folded' | 'appended'

/** The progress of a fold. */
export interface FoldState {
  kind: FoldKind
  /** The index of the next partial to fold. */
  next: number
  /**
   * The approximate size of a checkpoint, in bytes: the last measured size of the accumulator, or the size of all
   * appended partials. A large accumulator is measured after folds 1, 2, 4, 8, … and at checkpoints.
   */
  bytes: number
}

/** The checkpoint of a task with `reduce`: the accumulator of the partials before `next`. */
export interface FoldedCheckpoint {
  kind: 'folded'
  next: number
  /** The rolling digest (see {@link Pulled}) of the chunks before `next`: a driver that resumes must split the same chunks. */
  digest: Uint8Array
  /** The encoded accumulator with private state of the driver. Only the option `resume` of a driver can read this field. */
  accumulator: Uint8Array
}

/** The checkpoint of a task without `reduce`. The state of the job is the partials before `next`, which the caller keeps. */
export interface AppendedCheckpoint {
  kind: 'appended'
  next: number
  /** The rolling digest, as in {@link FoldedCheckpoint}. */
  digest: Uint8Array
}

export type Checkpoint = FoldedCheckpoint | AppendedCheckpoint

/** The state from which a driver resumes: a checkpoint and, if partials are appended, the partials 0 to `next` - 1. */
export type DriverResume = FoldedCheckpoint | (AppendedCheckpoint & { partials: readonly Uint8Array[] })
