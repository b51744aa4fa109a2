/** The progress of a job, from which the next leader resumes it. */

import type { Folded } from '../jobs/scheduler/index.ts'
import type { DriverResume } from '../tasks/execute/checkpoint.ts'
import { concatPacks, type Pack, slicePack, unpack } from '../tasks/values/pack.ts'

/** Smaller pieces of partials than this, in bytes, are joined. */
const SMALL_PIECE = 2 ** 20
/** The largest size of a partial's length on the wire, in bytes. */
const MOST_A_LENGTH = 5

/** Consecutive partials. */
export interface PartialsFrom extends Pack {
  /** The index of the first partial. */
  first: number
}

export type JobCheckpoint = Folded & {
  /** The digest of the chunks before `next`: a resumed `split` must yield the same chunks. */
  digest: Uint8Array
} & (
    | { kind: 'folded'; accumulator: Uint8Array }
    /** A task without `reduce`: all partials before `next`, in as many pieces as there were checkpoints. */
    | { kind: 'appended'; partials: readonly PartialsFrom[] }
  )

/** The state from which a driver resumes. */
export function resumeFrom(checkpoint: JobCheckpoint): DriverResume {
  const { next, digest } = checkpoint
  if (checkpoint.kind === 'folded') return { kind: 'folded', next, digest, accumulator: checkpoint.accumulator }
  return { kind: 'appended', next, digest, partials: checkpoint.partials.flatMap(unpack) }
}

/** The part of a checkpoint that a replica with the checkpoint at `next` lacks. */
export function since(checkpoint: JobCheckpoint, next: number): JobCheckpoint {
  if (checkpoint.kind === 'folded') return checkpoint
  const partials = checkpoint.partials.flatMap(piece => {
    const { first, lengths } = piece
    const end = first + lengths.length
    if (first >= next) return [piece]
    return end <= next ? [] : [{ first: next, ...slicePack(piece, next - first, lengths.length) }]
  })
  return { ...checkpoint, partials }
}

/** Joins an earlier checkpoint with a part ({@link since}); `undefined` if they do not fit. */
export function merged(earlier: JobCheckpoint | undefined, later: JobCheckpoint): JobCheckpoint | undefined {
  if (later.kind === 'folded') return later
  if (earlier?.kind === 'folded') return undefined
  let partials = earlier?.partials ?? []
  for (const piece of later.partials) if (piece.first >= (earlier?.next ?? 0)) partials = appended(partials, piece)
  return isWhole(partials, later.next) ? { ...later, partials } : undefined
}

/** Adds a piece. Joins it with the last piece if that is small, so that many checkpoints give few pieces. */
export function appended(partials: readonly PartialsFrom[], piece: PartialsFrom): PartialsFrom[] {
  const last = partials.at(-1)
  const follows = last !== undefined && last.first + last.lengths.length === piece.first
  if (!follows || last.bytes.byteLength >= SMALL_PIECE) return [...partials, piece]
  return [...partials.slice(0, -1), { first: last.first, ...concatPacks([last, piece]) }]
}

/** Whether the pieces are consecutive, from the first partial to the one before `next`. */
export function isWhole(partials: readonly PartialsFrom[], next: number): boolean {
  let expected = 0
  for (const { first, lengths } of partials) {
    if (first !== expected) return false
    expected += lengths.length
  }
  return expected === next
}

/** The approximate size in bytes. */
export function sizeOf(checkpoint: JobCheckpoint): number {
  return checkpoint.kind === 'folded' ? checkpoint.accumulator.byteLength : bytesOf(checkpoint.partials)
}

/** The approximate size of partials on the wire, in bytes. */
export function bytesOf(partials: readonly PartialsFrom[]): number {
  return partials.reduce((sum, { lengths, bytes }) => sum + bytes.byteLength + MOST_A_LENGTH * lengths.length, 0)
}
