/** The messages between the leader and a worker (protocol "work"). */
import type { Codec, ProtocolSpec } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import type { FailedChunk } from '../../tasks/executor.ts'
import type { IndexedPack, Pack } from '../../tasks/values/pack.ts'
import { WorkMessage as Wire, type CancelChunks as WireChunks } from '../../wire/jobs.gen.ts'
import type { RunMode } from '../scheduler/index.ts'
import type { InFlightBatch } from '../worker/in-flight-chunks.ts'
import { EMPTY, oneofCodec } from './oneof-codec.ts'
import { packNumbers, unpackNumbers } from './varints.ts'
import * as parts from './wire-parts.ts'

export interface BatchMessage {
  type: 'batch'
  job: string
  sha256: string
  mode: RunMode
  indices: readonly number[]
  /** The encoded chunks, in the order of `indices`. */
  chunks: Pack
  /** The longest time that each chunk may run, in ms. `undefined` if there is no limit. */
  chunkTimeout: number | undefined
  /** The job's priority. */
  priority: number
  /** The digests of the chunks, in the order of `indices`. */
  digests: Uint8Array
  /** The leader's signature ({@link BatchSeal}). */
  seal: Uint8Array
  /** Distinguishes jobs with the same id, because messages about an ended job with the same id may still arrive. */
  submissionId: string
  /** Whether the worker combines the partials of whole groups. */
  combine: boolean
}

/** The chunks of one batch from an earlier leader that the worker still has. */
export interface InFlightMessage extends InFlightBatch {
  type: 'in-flight'
  job: string
  sha256: string
}

/** The answer to `values-request`, in one message or several. */
export interface ValuesMessage {
  type: 'values'
  job: string
  /** The SHA-256 of each value, in hex. */
  ids: readonly string[]
  values: Pack
  /** Values that the leader does not have any more. The leader does not need the chunks that refer to these values. */
  missing: readonly string[]
}

/** The messages from the leader to a worker. */
export type LeaderSays =
  | { type: 'welcome' }
  | BatchMessage
  | { type: 'release'; job: string }
  /** The worker must drop these chunks, because another worker has completed them. */
  | { type: 'cancel-chunks'; job: string; indices: readonly number[] }
  /** The answer to `starting`. */
  | { type: 'go'; job: string; indices: readonly number[] }
  | { type: 'code'; sha256: string; code: Uint8Array }
  | ValuesMessage
  /** The leader accepts these offered chunks, as if it had dispatched them now. */
  | {
      type: 'reattach'
      job: string
      indices: readonly number[]
      digests: Uint8Array
      seal: Uint8Array
      submissionId: string
    }
  /** A checkpoint covers the chunks before `next`, so the worker may drop their partials. */
  | { type: 'covered'; job: string; next: number }
  /** The answer to `leaving`, when the leader needs nothing more from the worker. */
  | { type: 'dismissed' }

/** The messages from a worker to the leader. */
export type WorkerSays =
  /** The answer to `welcome`, after all `in-flight` messages. */
  | { type: 'hello'; slots: number; leaving: boolean }
  | InFlightMessage
  | {
      type: 'outcomes'
      job: string
      partials: IndexedPack
      failed: readonly FailedChunk[]
      busyMs: number
      /** The `submissionId` of the batches or reattachments that these outcomes answer. */
      submissionId: string
    }
  /** These announced chunks run next. They begin when the leader answers `go`. */
  | { type: 'starting'; job: string; indices: readonly number[] }
  /** Chunks that the worker has not run, and that it drops. */
  | { type: 'returned'; job: string; indices: readonly number[] }
  /** The worker leaves. It has returned its waiting chunks, and completes its running chunks. */
  | { type: 'leaving' }
  | { type: 'code-request'; sha256: string }
  /** Asks for values that chunks refer to and the worker lacks, by SHA-256 in hex. */
  | { type: 'values-request'; job: string; ids: readonly string[] }
  | { type: 'log'; job: string; lines: parts.WorkerLogLine[] }

/** `epoch` is the epoch of the leader that sends the message or receives the answer. */
export type WorkMessage = { epoch: number } & (LeaderSays | WorkerSays)

const MAX_SLOTS = 65_536
const MAX_SEAL_BYTES = 128
/** The largest thread time in one message, in ms. The limit is several years. */
const MOST_BUSY_MS = 1e12
/** Bytes of a SHA-256. */
const ID_BYTES = 32

function indicesOf(bytes: Uint8Array): number[] {
  return unpackNumbers(bytes, parts.MAX_CHUNKS_A_MESSAGE)
}

/** Decodes a list of at least one index. */
function someOf(bytes: Uint8Array): number[] {
  const indices = indicesOf(bytes)
  parts.check(indices.length > 0, 'no chunks')
  return indices
}

/** Checks that no index occurs twice. */
function distinct(indices: number[]): number[] {
  // Usually the indices ascend, so the check needs no set.
  const ascends = indices.every((index, i) => i === 0 || index > indices[i - 1]!)
  parts.check(ascends || new Set(indices).size === indices.length, 'a chunk twice')
  return indices
}

function packIds(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  return Buffer.from(ids.join(''), 'hex')
}

function idsOf(bytes: Uint8Array): string[] {
  const count = bytes.byteLength / ID_BYTES
  parts.check(Number.isInteger(count) && count <= parts.MAX_CHUNKS_A_MESSAGE, 'no list of values')
  return Array.from({ length: count }, (_, i) => parts.hexOf(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)))
}

type Proof = Pick<BatchMessage, 'digests' | 'seal'>

function encodeProof({ digests, seal }: Proof): { digests: Uint8Array<ArrayBuffer>; seal: Uint8Array<ArrayBuffer> } {
  return { digests: parts.unshared(digests), seal: parts.unshared(seal) }
}

/** Decodes the digest of each chunk, and the leader's signature. */
function decodeProof({ digests, seal }: Proof, chunks: number): Proof {
  parts.check(digests.byteLength === chunks * DIGEST_BYTES, 'not as many digests as chunks')
  parts.check(seal.byteLength <= MAX_SEAL_BYTES, 'no seal of a batch')
  return { digests, seal }
}

/** A list of chunks of one job. */
const CHUNKS = {
  encode: ({ job, indices }: { job: string; indices: readonly number[] }) => ({ job, indices: packNumbers(indices) }),
  decode: ({ job, indices }: WireChunks) => ({ job: parts.checkJobId(job), indices: someOf(indices) })
}

const says = oneofCodec<LeaderSays | WorkerSays, Omit<Wire, 'epoch'>>({
  welcome: { field: 'welcome', ...EMPTY },
  hello: {
    field: 'hello',
    encode: hello => hello,
    decode(hello) {
      parts.check(hello.slots <= MAX_SLOTS, 'too many slots')
      return hello
    }
  },
  'in-flight': {
    field: 'offer',
    encode: ({ job, sha256, batch, retained, sizes, running, waiting }) => ({
      job,
      sha256: parts.bytesOf(sha256),
      leader: batch.leader,
      epoch: batch.epoch,
      indices: packNumbers(batch.indices),
      ...encodeProof(batch),
      held: packNumbers(retained),
      sizes: packNumbers(sizes),
      running: packNumbers(running),
      waiting: packNumbers(waiting)
    }),
    decode(wire) {
      const indices = someOf(wire.indices)
      const [retained, running, waiting] = [indicesOf(wire.held), indicesOf(wire.running), indicesOf(wire.waiting)]
      const sizes = unpackNumbers(wire.sizes, parts.MAX_CHUNKS_A_MESSAGE)
      parts.check(sizes.length === retained.length, 'not as many sizes as partials')
      for (const size of sizes) parts.check(size <= parts.MAX_PAYLOAD_BYTES, 'a partial that is too large')
      const batch = new Set(indices)
      const offered = [...retained, ...running, ...waiting]
      parts.check(offered.length > 0, 'an offer of nothing')
      parts.check(
        offered.length <= batch.size && offered.every(index => batch.has(index)),
        'more is offered than was given'
      )
      return {
        job: parts.checkJobId(wire.job),
        sha256: parts.hexOf(wire.sha256),
        batch: {
          leader: parts.checkPeerId(wire.leader),
          epoch: parts.checkCount(wire.epoch, 'an epoch'),
          indices,
          ...decodeProof(wire, indices.length)
        },
        retained,
        sizes,
        running,
        waiting
      }
    }
  },
  reattach: {
    field: 'claim',
    encode: ({ submissionId, ...chunks }) => ({ ...CHUNKS.encode(chunks), ...encodeProof(chunks), submissionId }),
    decode(wire) {
      const { job, indices } = CHUNKS.decode(wire)
      const submissionId = parts.checkSubmissionId(wire.submissionId)
      return { job, indices: distinct(indices), ...decodeProof(wire, indices.length), submissionId }
    }
  },
  returned: { field: 'returned', ...CHUNKS },
  covered: {
    field: 'covered',
    encode: covered => covered,
    decode: ({ job, next }) => ({ job: parts.checkJobId(job), next: parts.checkCount(next, 'an index') })
  },
  leaving: { field: 'leaving', ...EMPTY },
  dismissed: { field: 'dismissed', ...EMPTY },
  batch: {
    field: 'batch',
    encode: ({ sha256, indices, chunks, mode, digests, seal, ...terms }) => ({
      ...terms,
      sha256: parts.bytesOf(sha256),
      indices: packNumbers(indices),
      ...parts.encodePack(chunks),
      announced: mode === 'announced',
      quarantined: mode === 'quarantined',
      ...encodeProof({ digests, seal })
    }),
    decode(wire) {
      const indices = distinct(someOf(wire.indices))
      parts.check(!wire.announced || !wire.quarantined, 'two ways to run a batch')
      return {
        job: parts.checkJobId(wire.job),
        sha256: parts.hexOf(wire.sha256),
        mode: wire.quarantined ? 'quarantined' : wire.announced ? 'announced' : 'plain',
        indices,
        chunks: parts.decodePack(wire, indices.length),
        chunkTimeout: parts.checkChunkTimeout(wire.chunkTimeout),
        priority: parts.checkPriority(wire.priority),
        ...decodeProof(wire, indices.length),
        submissionId: parts.checkSubmissionId(wire.submissionId),
        combine: wire.combine
      }
    }
  },
  outcomes: {
    field: 'outcomes',
    encode: ({ partials, failed, ...rest }) => ({
      ...rest,
      indices: packNumbers(partials.indices),
      ...parts.encodePack(partials),
      failures: failed.map(({ index, failure }) => parts.encodeFailure({ ...failure, index }))
    }),
    decode(wire) {
      const { busyMs } = wire
      const indices = distinct(indicesOf(wire.indices))
      // The bound keeps sums of this number exact.
      parts.check(busyMs >= 0 && busyMs <= MOST_BUSY_MS, 'busyMs is out of range')
      return {
        job: parts.checkJobId(wire.job),
        partials: { indices, ...parts.decodePack(wire, indices.length) },
        failed: wire.failures.map(each => {
          const failure = parts.decodeFailure(each)
          parts.check(failure.index !== undefined, 'a failure without a chunk')
          return { index: failure.index, failure }
        }),
        busyMs,
        submissionId: parts.checkSubmissionId(wire.submissionId)
      }
    }
  },
  release: {
    field: 'release',
    encode: ({ job }) => ({ job }),
    decode: ({ job }) => ({ job: parts.checkJobId(job) })
  },
  'cancel-chunks': {
    field: 'cancelChunks',
    encode: CHUNKS.encode,
    decode: ({ job, indices }) => ({ job: parts.checkJobId(job), indices: indicesOf(indices) })
  },
  starting: { field: 'starting', ...CHUNKS },
  go: { field: 'go', ...CHUNKS },
  'code-request': {
    field: 'codeRequest',
    encode: ({ sha256 }) => ({ sha256: parts.bytesOf(sha256) }),
    decode: ({ sha256 }) => ({ sha256: parts.hexOf(sha256) })
  },
  code: {
    field: 'code',
    encode: ({ sha256, code }) => ({ sha256: parts.bytesOf(sha256), code: parts.unshared(code) }),
    decode: ({ sha256, code }) => ({ sha256: parts.hexOf(sha256), code })
  },
  'values-request': {
    field: 'valuesRequest',
    encode: ({ job, ids }) => ({ job, ids: packIds(ids) }),
    decode(wire) {
      const ids = idsOf(wire.ids)
      parts.check(ids.length > 0 && new Set(ids).size === ids.length, 'no values, or one twice')
      return { job: parts.checkJobId(wire.job), ids }
    }
  },
  values: {
    field: 'values',
    encode: ({ job, ids, values, missing }) => ({
      job,
      ids: packIds(ids),
      ...parts.encodePack(values),
      missing: packIds(missing)
    }),
    decode(wire) {
      const ids = idsOf(wire.ids)
      return {
        job: parts.checkJobId(wire.job),
        ids,
        values: parts.decodePack(wire, ids.length),
        missing: idsOf(wire.missing)
      }
    }
  },
  log: {
    field: 'log',
    encode: ({ job, lines }) => ({ job, lines: lines.map(parts.encodeLine) }),
    decode: ({ job, lines }) => ({ job: parts.checkJobId(job), lines: lines.map(parts.decodeLine) })
  }
})

const LIMITS = { outcomes: { failures: parts.MAX_CHUNKS_A_MESSAGE }, log: { lines: parts.MAX_LINES_A_MESSAGE } }

const codec: Codec<WorkMessage> = {
  encode: message => Wire.encode({ epoch: message.epoch, ...says.encode(message) }),
  decode(bytes) {
    const wire = parts.decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    return { epoch: parts.checkCount(wire.epoch, 'an epoch'), ...says.decode(wire) }
  }
}

export const workProtocol: ProtocolSpec<WorkMessage> = {
  name: 'work',
  codec,
  maxMessageBytes: parts.MAX_MESSAGE_BYTES,
  needs: 'join'
}
