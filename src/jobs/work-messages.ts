/** What the leader and a worker say to each other (protocol "work"). */
import type { Codec, ProtocolSpec } from '../network/types.ts'
import type { TaskFailure } from '../tasks/failure.ts'
import { WorkMessage as Wire } from '../wire/jobs.gen.ts'
import { packNumbers, unpackNumbers } from './varints.ts'
import {
  bytesOf,
  check,
  checkCount,
  checkJobId,
  checkOne,
  decodeFailure,
  decodeLine,
  decodeWith,
  encodeFailure,
  encodeLine,
  hexOf,
  MAX_CHUNKS_A_MESSAGE,
  MAX_LINES_A_MESSAGE,
  MAX_MESSAGE_BYTES,
  unshared,
  type WorkerLogLine
} from './wire-parts.ts'

export interface FailedChunk {
  index: number
  failure: TaskFailure
}

/** Leader to worker. */
export type LeaderSays =
  | { type: 'welcome' }
  | { type: 'batch'; job: string; sha256: string; indices: number[]; chunks: Uint8Array[] }
  | { type: 'release'; job: string }
  | { type: 'code'; sha256: string; code: Uint8Array }

/** Worker to leader. */
export type WorkerSays =
  | { type: 'hello'; slots: number }
  | {
      type: 'outcomes'
      job: string
      indices: number[]
      partials: Uint8Array[]
      failed: FailedChunk[]
      busyMs: number
    }
  | { type: 'code-request'; sha256: string }
  | { type: 'log'; job: string; lines: WorkerLogLine[] }

/** `epoch`: the leadership under which it is said, or which it answers. */
export type WorkMessage = { epoch: number } & (LeaderSays | WorkerSays)

const MAX_SLOTS = 65_536

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return parts.length === 1 ? unshared(parts[0]!) : Buffer.concat(parts)
}

/** Views on `payload`: nothing is copied. */
function cut(lengths: Uint8Array, payload: Uint8Array, count: number): Uint8Array[] {
  const sizes = unpackNumbers(lengths, MAX_CHUNKS_A_MESSAGE)
  check(sizes.length === count, 'not as many lengths as indices')
  let offset = 0
  const parts = sizes.map(size => {
    const part = payload.subarray(offset, offset + size)
    offset += size
    return part
  })
  check(offset === payload.byteLength, 'the lengths do not add up to the payload')
  return parts
}

function indicesOf(bytes: Uint8Array): number[] {
  return unpackNumbers(bytes, MAX_CHUNKS_A_MESSAGE)
}

function toWire(message: WorkMessage): Partial<Wire> {
  switch (message.type) {
    case 'welcome':
      return { welcome: {} }
    case 'hello':
      return { hello: { slots: message.slots } }
    case 'batch':
      return {
        batch: {
          job: message.job,
          sha256: bytesOf(message.sha256),
          indices: packNumbers(message.indices),
          lengths: packNumbers(message.chunks.map(chunk => chunk.byteLength)),
          payload: join(message.chunks)
        }
      }
    case 'outcomes':
      return {
        outcomes: {
          job: message.job,
          indices: packNumbers(message.indices),
          lengths: packNumbers(message.partials.map(partial => partial.byteLength)),
          payload: join(message.partials),
          failures: message.failed.map(({ index, failure }) => encodeFailure({ ...failure, index })),
          busyMs: message.busyMs
        }
      }
    case 'release':
      return { release: { job: message.job } }
    case 'code-request':
      return { codeRequest: { sha256: bytesOf(message.sha256) } }
    case 'code':
      return { code: { sha256: bytesOf(message.sha256), code: unshared(message.code) } }
    case 'log':
      return { log: { job: message.job, lines: message.lines.map(encodeLine) } }
  }
}

function fromWire(wire: Wire): LeaderSays | WorkerSays {
  const { welcome, hello, batch, outcomes, release, codeRequest, code, log } = wire
  checkOne([welcome, hello, batch, outcomes, release, codeRequest, code, log])
  if (hello !== undefined) {
    check(hello.slots <= MAX_SLOTS, 'too many slots')
    return { type: 'hello', slots: hello.slots }
  }
  if (batch !== undefined) {
    const indices = indicesOf(batch.indices)
    check(indices.length > 0, 'an empty batch')
    return {
      type: 'batch',
      job: checkJobId(batch.job),
      sha256: hexOf(batch.sha256),
      indices,
      chunks: cut(batch.lengths, batch.payload, indices.length)
    }
  }
  if (outcomes !== undefined) {
    const indices = indicesOf(outcomes.indices)
    check(Number.isFinite(outcomes.busyMs) && outcomes.busyMs >= 0, 'busyMs is out of range')
    return {
      type: 'outcomes',
      job: checkJobId(outcomes.job),
      indices,
      partials: cut(outcomes.lengths, outcomes.payload, indices.length),
      failed: outcomes.failures.map(each => {
        const failure = decodeFailure(each)
        check(failure.index !== undefined, 'a failure without a chunk')
        return { index: failure.index, failure }
      }),
      busyMs: outcomes.busyMs
    }
  }
  if (release !== undefined) return { type: 'release', job: checkJobId(release.job) }
  if (codeRequest !== undefined) return { type: 'code-request', sha256: hexOf(codeRequest.sha256) }
  if (code !== undefined) return { type: 'code', sha256: hexOf(code.sha256), code: code.code }
  if (log !== undefined) return { type: 'log', job: checkJobId(log.job), lines: log.lines.map(decodeLine) }
  return { type: 'welcome' }
}

const LIMITS = { outcomes: { failures: MAX_CHUNKS_A_MESSAGE }, log: { lines: MAX_LINES_A_MESSAGE } }

const codec: Codec<WorkMessage> = {
  encode: message => Wire.encode({ epoch: message.epoch, ...toWire(message) }),
  decode(bytes) {
    const wire = decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    return { epoch: checkCount(wire.epoch, 'an epoch'), ...fromWire(wire) }
  }
}

export const workProtocol: ProtocolSpec<WorkMessage> = { name: 'work', codec, maxMessageBytes: MAX_MESSAGE_BYTES }
