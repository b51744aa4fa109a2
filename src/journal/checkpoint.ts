/** The progress of a job, from which the next leader resumes the job. */

import type { Folded } from '../jobs/scheduler/index.ts'
import type { DriverResume } from '../tasks/execute/checkpoint.ts'
import { concatPacks, type Pack, slicePack, unpack } from '../tasks/values/pack.ts'

/** In bytes: a piece of partials that is smaller than this is joined with the next piece. */
const SMALL_PIECE = 2 ** 20
/** The most bytes that the length prefix of a partial has on the wire. */
const MOST_A_LENGTH = 5

/** Consecutive partials. */
export interface PartialsFrom extends Pack {
  /** The index of the first partial. */
  first: number
}

export type JobCheckpoint = Folded & {
  /** The digest of the chunks before `next`. A resumed `split` must yield the same chunks. */
  digest: Uint8Array
} & (
    | { kind: 'folded'; accumulator: Uint8Array }
    /** The progress of a task without `reduce`: all partials before `next`, in several pieces. */
    | { kind: 'appended'; partials: readonly PartialsFrom[] }
  )

/** Returns the state from which a driver resumes the job. */
export function resumeFrom(checkpoint: JobCheckpoint): DriverResume {
  const { next, digest } = checkpoint
  if (checkpoint.kind === 'folded') return { kind: 'folded', next, digest, accumulator: checkpoint.accumulator }
  return { kind: 'appended', next, digest, partials: checkpoint.partials.flatMap(unpack) }
}

/** Returns the part of a checkpoint that a replica lacks if it stores the checkpoint at `next`. */
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

/** Joins an earlier checkpoint with a later part ({@link since}). Returns `undefined` if the part does not follow the checkpoint. */
export function merged(earlier: JobCheckpoint | undefined, later: JobCheckpoint): JobCheckpoint | undefined {
  if (later.kind === 'folded') return later
  if (earlier?.kind === 'folded') return undefined
  let partials = earlier?.partials ?? []
  for (const piece of later.partials) if (piece.first >= (earlier?.next ?? 0)) partials = appended(partials, piece)
  return isWhole(partials, later.next) ? { ...later, partials } : undefined
}

/** Adds a piece. Joins the new piece with the last piece if the last piece is small, so that many checkpoints result in few pieces. */
export function appended(partials: readonly PartialsFrom[], piece: PartialsFrom): PartialsFrom[] {
  const last = partials.at(-1)
  const follows = last !== undefined && last.first + last.lengths.length === piece.first
  if (!follows || last.bytes.byteLength >= SMALL_PIECE) return [...partials, piece]
  return [...partials.slice(0, -1), { first: last.first, ...concatPacks([last, piece]) }]
}

/** Whether the pieces contain all partials before `next`, in order. */
export function isWhole(partials: readonly PartialsFrom[], next: number): boolean {
  let expected = 0
  for (const { first, lengths } of partials) {
    if (first !== expected) return false
    expected += lengths.length
  }
  return expected === next
}

/** Returns the approximate size of a checkpoint, in bytes. */
export function sizeOf(checkpoint: JobCheckpoint): number {
  return checkpoint.kind === 'folded' ? checkpoint.accumulator.byteLength : bytesOf(checkpoint.partials)
}

/** Returns the approximate size of partials on the wire, in bytes. */
export function bytesOf(partials: readonly PartialsFrom[]): number {
  return partials.reduce((sum, { lengths, bytes }) => sum + bytes.byteLength + MOST_A_LENGTH * lengths.length, 0)
}
