/**
 * Validates the reports of a process of tasks, because the code of a task can send anything. A valid report has the right shape and concerns
 * chunks of the current call. A valid report may still lie, but a lie affects only the task itself.
 */
import type { FoldState } from '../execute/checkpoint.ts'
import { areTimes, type ChunkTimes } from '../execute/chunk-times.ts'
import type { TaskFailure } from '../execute/failure.ts'
import type { DriverReply, LogLine, ThreadMessage, ThreadOutcomes, ValueBatch } from '../execute/messages.ts'
import { type Activity, FUNCTIONS } from '../execute/shared-state.ts'
import { MAX_LINE } from '../thread/log-sink.ts'
import { DIGEST_BYTES } from '../values/canonical.ts'
import type { Pack } from '../values/pack.ts'
import { FrameError } from './frame.ts'
import type { Report } from './protocol.ts'

/** The limit of characters in a message or a stack. This limit is larger than the limits of {@link toFailure}. */
const MAX_TEXT = 40 * 1024
/** Matches the SHA-256 of a value of an iteration, in hex. */
const VALUE_ID = /^[0-9a-f]{64}$/

type Fields = Record<string, unknown>

/** @throws FrameError if the report is invalid */
export function checkedReport(value: unknown, chunks: number): Report {
  const report = fields(value)
  if (report.type === 'ready') return { type: 'ready' }
  const id = count(report.id)
  if (report.type === 'returned') return { type: 'returned', id }
  if (report.type === 'message') return { type: 'message', id, message: message(fields(report.message), chunks) }
  throw wrong('an unknown type of report')
}

function message(from: Fields, chunks: number): ThreadMessage {
  switch (from.type) {
    case 'log':
      return { type: 'log', lines: list(from.lines).map(logLine) }
    case 'outcomes':
      return outcomes(from, chunks)
    case 'exit':
      return { type: 'exit', code: integer(from.code), activity: optional(from.activity, activity) }
    case 'reply':
      return { type: 'reply', id: count(from.id), value: reply(fields(from.value)) }
    case 'failed':
      return { type: 'failed', id: count(from.id), failure: failure(from.failure) }
  }
  throw wrong('an unknown type of message')
}

function outcomes(from: Fields, chunks: number): ThreadOutcomes {
  const positions = (value: unknown): Uint32Array => {
    const array = numbers(value)
    if (array.some(position => position >= chunks)) throw wrong('an outcome of a chunk that is not in the call')
    return array
  }
  const packed = (part: Fields): Pack & { positions: Uint32Array } => {
    const each = { positions: positions(part.positions), ...pack(part) }
    if (each.positions.length !== each.lengths.length) throw wrong('outcomes that are not one for each chunk')
    return each
  }
  return {
    type: 'outcomes',
    ...packed(from),
    combined: optional(from.combined, part => packed(fields(part))),
    failed: list(from.failed).map(part => {
      const failed = fields(part)
      return { index: count(failed.index), failure: failure(failed.failure) }
    }),
    busyMs: time(from.busyMs),
    times: optional(from.times, part => times(fields(part), chunks))
  }
}

function times({ rows, leftOut }: Fields, chunks: number): ChunkTimes {
  if (!(rows instanceof Float64Array) || !areTimes(rows, chunks)) throw wrong('invalid times')
  return { rows, leftOut: count(leftOut) }
}

function reply(from: Fields): DriverReply {
  switch (from.type) {
    case 'chunks': {
      const chunks = pack(from)
      const digests = bytes(from.digests)
      if (digests.byteLength !== chunks.lengths.length * DIGEST_BYTES)
        throw wrong('digests that are not one for each chunk')
      return {
        type: 'chunks',
        first: count(from.first),
        done: from.done === true,
        digests,
        digest: bytes(from.digest),
        values: optional(from.values, valueBatch),
        roundOf: optional(from.roundOf, count),
        combines: optional(from.combines, value => value === true),
        msEach: optional(from.msEach, time),
        ...chunks
      }
    }
    case 'bytes':
      return { type: 'bytes', bytes: bytes(from.bytes) }
    case 'kind':
      return { type: 'kind', kind: kind(from.kind) }
    case 'folded': {
      const state = fields(from.state)
      return { type: 'folded', state: { ...foldState(state), bytes: count(state.bytes) } satisfies FoldState }
    }
    case 'checkpoint':
      return { type: 'checkpoint', checkpoint: optional(from.checkpoint, checkpoint), tookMs: time(from.tookMs) }
  }
  throw wrong('an unknown type of reply')
}

function checkpoint(value: unknown) {
  const from = fields(value)
  const digest = bytes(from.digest)
  const { kind, next } = foldState(from)
  return kind === 'appended' ? { kind, next, digest } : { kind, next, digest, accumulator: bytes(from.accumulator) }
}

function foldState(from: Fields): { kind: FoldState['kind']; next: number } {
  return { kind: kind(from.kind), next: count(from.next) }
}

function valueBatch(value: unknown): ValueBatch {
  const from = fields(value)
  const ids = list(from.ids).map(id => text(id, 64))
  const values = pack(from)
  if (ids.length !== values.lengths.length || !ids.every(id => VALUE_ID.test(id))) throw wrong('values without ids')
  return { ids, hasState: from.hasState === true, ...values }
}

function pack(from: Fields): Pack {
  const [lengths, all] = [numbers(from.lengths), bytes(from.bytes)]
  let total = 0
  for (const length of lengths) total += length
  if (total !== all.byteLength) throw wrong('values that do not fill their pack')
  return { lengths, bytes: all }
}

function failure(value: unknown): TaskFailure {
  const from = fields(value)
  return {
    function: taskFunction(from.function),
    index: optional(from.index, count),
    name: text(from.name, 1_000),
    message: text(from.message, MAX_TEXT),
    stack: text(from.stack, MAX_TEXT)
  }
}

function logLine(value: unknown): LogLine {
  const from = fields(value)
  const { stream } = from
  if (stream !== 'stdout' && stream !== 'stderr') throw wrong('a log line of an unknown stream')
  const index = optional(from.index, count)
  // The limit has one more character, because a cut line ends with an ellipsis.
  return { function: taskFunction(from.function), index, stream, line: text(from.line, MAX_LINE + 1) }
}

function activity(value: unknown): Activity {
  const from = fields(value)
  return { function: taskFunction(from.function), index: optional(from.index, count) }
}

function taskFunction(value: unknown): TaskFailure['function'] {
  const found = FUNCTIONS.find(name => name !== undefined && name === value)
  if (found === undefined) throw wrong('an unknown function')
  return found
}

function kind(value: unknown): FoldState['kind'] {
  return ensure(value === 'folded' || value === 'appended', value, 'not a kind of fold')
}

function optional<Value>(value: unknown, check: (value: unknown) => Value): Value | undefined {
  return value === undefined || value === null ? undefined : check(value)
}

function fields(value: unknown): Fields {
  return ensure(typeof value === 'object' && value !== null && !Array.isArray(value), value, 'not an object')
}

function list(value: unknown): unknown[] {
  return ensure(Array.isArray(value), value, 'not an array')
}

function integer(value: unknown): number {
  return ensure(Number.isSafeInteger(value), value, 'not an integer')
}

function count(value: unknown): number {
  return ensure(integer(value) >= 0, value, 'a count below 0')
}

function time(value: unknown): number {
  const isTime = typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
  return ensure(isTime, value, 'not a time')
}

function text(value: unknown, most: number): string {
  return ensure(typeof value === 'string' && value.length <= most, value, 'not a string, or too long')
}

function numbers(value: unknown): Uint32Array {
  return ensure(value instanceof Uint32Array, value, 'not a Uint32Array')
}

function bytes(value: unknown): Uint8Array {
  return ensure(value instanceof Uint8Array, value, 'not a Uint8Array')
}

function ensure<Valid>(isValid: boolean, value: unknown, problem: string): Valid {
  if (!isValid) throw wrong(problem)
  return value as Valid
}

function wrong(what: string): FrameError {
  return new FrameError(`it sent an invalid report: ${what}`)
}
