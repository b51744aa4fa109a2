/** What the leader and a worker say to each other (protocol "work"). */
import type { Codec, ProtocolSpec } from '../../network/types.ts'
import { DIGEST_BYTES } from '../../tasks/execute/checkpoint.ts'
import type { FailedChunk } from '../../tasks/executor.ts'
import { checkedPack, type IndexedPack, type Pack } from '../../tasks/values/pack.ts'
import type { Offer as WireOffer } from '../../wire/jobs.gen.ts'
import { WorkMessage as Wire } from '../../wire/jobs.gen.ts'
import type { RunMode } from '../scheduler/types.ts'
import type { Offer } from '../worker/in-flight-chunks.ts'
import { packNumbers, unpackNumbers } from './varints.ts'
import {
  bytesOf,
  check,
  checkBirth,
  checkChunkTimeout,
  checkCount,
  checkJobId,
  checkOne,
  checkPeerId,
  checkPriority,
  decodeFailure,
  decodeLine,
  decodeWith,
  encodeFailure,
  encodeLine,
  hexOf,
  MAX_CHUNKS_A_MESSAGE,
  MAX_LINES_A_MESSAGE,
  MAX_MESSAGE_BYTES,
  MAX_PAYLOAD_BYTES,
  unshared,
  type WorkerLogLine
} from './wire-parts.ts'

export interface BatchMessage {
  type: 'batch'
  job: string
  sha256: string
  mode: RunMode
  indices: readonly number[]
  /** Encoded, in the same order. */
  chunks: Pack
  /** The longest that each of them may run, in ms; undefined: as long as it likes. */
  chunkTimeout: number | undefined
  /** Of the job. */
  priority: number
  /** Of the chunks, one after the other. */
  digests: Uint8Array
  /** The leader's signature ({@link BatchSeal}). */
  seal: Uint8Array
  /** Tells the job from others under the same id: one that is over may still be in what a worker says. */
  submissionId: string
  /** Partials of whole groups are to be combined. */
  combine: boolean
}

/** Of one batch, what the worker has that an earlier leader has given it. */
export interface OfferMessage extends Offer {
  type: 'offer'
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
  /** The leader does not have these: chunks that need them are of no use any more. */
  missing: readonly string[]
}

/** Leader to worker. */
export type LeaderSays =
  | { type: 'welcome' }
  | BatchMessage
  | { type: 'release'; job: string }
  /** Others were quicker with these chunks. */
  | { type: 'cancel-chunks'; job: string; indices: readonly number[] }
  /** The answer to `starting`. */
  | { type: 'go'; job: string; indices: readonly number[] }
  | { type: 'code'; sha256: string; code: Uint8Array }
  | ValuesMessage
  /** Of what was offered, it wants these: as if it had given them now. */
  | {
      type: 'claim'
      job: string
      indices: readonly number[]
      digests: Uint8Array
      seal: Uint8Array
      submissionId: string
    }
  /** Others hold what has become of the chunks before `next`. */
  | { type: 'covered'; job: string; next: number }
  /** The answer to `leaving`, when nothing of the worker is needed any more. */
  | { type: 'dismissed' }

/** Worker to leader. */
export type WorkerSays =
  /** The answer to `welcome`, after all offers. */
  | { type: 'hello'; slots: number; leaving: boolean }
  | OfferMessage
  | {
      type: 'outcomes'
      job: string
      partials: IndexedPack
      failed: readonly FailedChunk[]
      busyMs: number
      /** As in the batches or claims that they answer. */
      submissionId: string
    }
  /** Chunks that are to be announced are next: they begin when the leader knows. */
  | { type: 'starting'; job: string; indices: readonly number[] }
  /** Chunks that it was given or asked for, and does not have any more. */
  | { type: 'returned'; job: string; indices: readonly number[] }
  /** It wants to leave: what waits it has returned, what runs it ends. */
  | { type: 'leaving' }
  | { type: 'code-request'; sha256: string }
  /** What chunks refer to and it does not have, by SHA-256. */
  | { type: 'values-request'; job: string; ids: readonly string[] }
  | { type: 'log'; job: string; lines: WorkerLogLine[] }

/** `epoch`: the leadership under which it is said, or which it answers. */
export type WorkMessage = { epoch: number } & (LeaderSays | WorkerSays)

const MAX_SLOTS = 65_536
const MAX_SEAL_BYTES = 128
/** Thread time that one message tells of: years. */
const MOST_BUSY_MS = 1e12
/** Of a SHA-256. */
const ID_BYTES = 32

/** Nothing of `payload` is copied. */
function packOf(lengths: Uint8Array, payload: Uint8Array, count: number): Pack {
  const sizes = unpackNumbers(lengths, MAX_CHUNKS_A_MESSAGE)
  check(sizes.length === count, 'not as many lengths as indices')
  return checkedPack(sizes, payload)
}

function indicesOf(bytes: Uint8Array): number[] {
  return unpackNumbers(bytes, MAX_CHUNKS_A_MESSAGE)
}

/** None of them twice. */
function distinct(indices: number[]): number[] {
  // Most often they ascend: then nothing has to be remembered.
  const ascends = indices.every((index, i) => i === 0 || index > indices[i - 1]!)
  check(ascends || new Set(indices).size === indices.length, 'a chunk twice')
  return indices
}

/** At least one. */
function someOf(bytes: Uint8Array): number[] {
  const indices = indicesOf(bytes)
  check(indices.length > 0, 'no chunks')
  return indices
}

function packIds(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  return Buffer.from(ids.join(''), 'hex')
}

function idsOf(bytes: Uint8Array): string[] {
  const count = bytes.byteLength / ID_BYTES
  check(Number.isInteger(count) && count <= MAX_CHUNKS_A_MESSAGE, 'no list of values')
  return Array.from({ length: count }, (_, i) => hexOf(bytes.subarray(i * ID_BYTES, (i + 1) * ID_BYTES)))
}

function encodeOffer({ job, sha256, batch, held, sizes, running, waiting }: OfferMessage): WireOffer {
  return {
    job,
    sha256: bytesOf(sha256),
    leader: batch.leader,
    epoch: batch.epoch,
    indices: packNumbers(batch.indices),
    digests: unshared(batch.digests),
    seal: unshared(batch.seal),
    held: packNumbers(held),
    sizes: packNumbers(sizes),
    running: packNumbers(running),
    waiting: packNumbers(waiting)
  }
}

function decodeOffer(wire: WireOffer): OfferMessage {
  const indices = someOf(wire.indices)
  const [held, running, waiting] = [indicesOf(wire.held), indicesOf(wire.running), indicesOf(wire.waiting)]
  const sizes = unpackNumbers(wire.sizes, MAX_CHUNKS_A_MESSAGE)
  check(sizes.length === held.length, 'not as many sizes as partials')
  for (const size of sizes) check(size <= MAX_PAYLOAD_BYTES, 'a partial that is too large')
  const had = new Set(indices)
  const offered = [...held, ...running, ...waiting]
  check(offered.length > 0, 'an offer of nothing')
  check(offered.length <= had.size && offered.every(index => had.has(index)), 'more is offered than was given')
  return {
    type: 'offer',
    job: checkJobId(wire.job),
    sha256: hexOf(wire.sha256),
    batch: {
      leader: checkPeerId(wire.leader),
      epoch: checkCount(wire.epoch, 'an epoch'),
      indices,
      digests: checkDigests(wire.digests, indices.length),
      seal: checkSeal(wire.seal)
    },
    held,
    sizes,
    running,
    waiting
  }
}

/** One for each chunk. */
function checkDigests(digests: Uint8Array, chunks: number): Uint8Array {
  check(digests.byteLength === chunks * DIGEST_BYTES, 'not as many digests as chunks')
  return digests
}

function checkSeal(seal: Uint8Array): Uint8Array {
  check(seal.byteLength <= MAX_SEAL_BYTES, 'no seal of a batch')
  return seal
}

function toWire(message: WorkMessage): Partial<Wire> {
  switch (message.type) {
    case 'welcome':
      return { welcome: {} }
    case 'hello':
      return { hello: { slots: message.slots, leaving: message.leaving } }
    case 'offer':
      return { offer: encodeOffer(message) }
    case 'claim': {
      const { job, digests, seal, submissionId } = message
      return {
        claim: {
          job,
          indices: packNumbers(message.indices),
          digests: unshared(digests),
          seal: unshared(seal),
          submissionId
        }
      }
    }
    case 'returned':
      return { returned: { job: message.job, indices: packNumbers(message.indices) } }
    case 'covered':
      return { covered: { job: message.job, next: message.next } }
    case 'leaving':
      return { leaving: {} }
    case 'dismissed':
      return { dismissed: {} }
    case 'batch':
      return {
        batch: {
          job: message.job,
          sha256: bytesOf(message.sha256),
          indices: packNumbers(message.indices),
          lengths: packNumbers(message.chunks.lengths),
          payload: unshared(message.chunks.bytes),
          chunkTimeout: message.chunkTimeout,
          priority: message.priority,
          announced: message.mode === 'announced',
          alone: message.mode === 'alone',
          digests: unshared(message.digests),
          seal: unshared(message.seal),
          submissionId: message.submissionId,
          combine: message.combine
        }
      }
    case 'outcomes':
      return {
        outcomes: {
          job: message.job,
          indices: packNumbers(message.partials.indices),
          lengths: packNumbers(message.partials.lengths),
          payload: unshared(message.partials.bytes),
          failures: message.failed.map(({ index, failure }) => encodeFailure({ ...failure, index })),
          busyMs: message.busyMs,
          submissionId: message.submissionId
        }
      }
    case 'release':
      return { release: { job: message.job } }
    case 'cancel-chunks':
      return { cancelChunks: { job: message.job, indices: packNumbers(message.indices) } }
    case 'starting':
      return { starting: { job: message.job, indices: packNumbers(message.indices) } }
    case 'go':
      return { go: { job: message.job, indices: packNumbers(message.indices) } }
    case 'code-request':
      return { codeRequest: { sha256: bytesOf(message.sha256) } }
    case 'code':
      return { code: { sha256: bytesOf(message.sha256), code: unshared(message.code) } }
    case 'values-request':
      return { valuesRequest: { job: message.job, ids: packIds(message.ids) } }
    case 'values':
      return {
        values: {
          job: message.job,
          ids: packIds(message.ids),
          lengths: packNumbers(message.values.lengths),
          payload: unshared(message.values.bytes),
          missing: packIds(message.missing)
        }
      }
    case 'log':
      return { log: { job: message.job, lines: message.lines.map(encodeLine) } }
  }
}

function fromWire(wire: Wire): LeaderSays | WorkerSays {
  const { welcome, hello, batch, outcomes, release, cancelChunks, starting, go, codeRequest, code, log } = wire
  const { offer, claim, returned, covered, leaving, dismissed, valuesRequest, values } = wire
  const moving = [offer, claim, returned, covered, leaving, dismissed]
  const needed = [codeRequest, code, valuesRequest, values]
  checkOne([welcome, hello, batch, outcomes, release, cancelChunks, starting, go, log, ...needed, ...moving])
  if (hello !== undefined) {
    check(hello.slots <= MAX_SLOTS, 'too many slots')
    return { type: 'hello', slots: hello.slots, leaving: hello.leaving }
  }
  if (offer !== undefined) return decodeOffer(offer)
  if (claim !== undefined) {
    const indices = distinct(someOf(claim.indices))
    const digests = checkDigests(claim.digests, indices.length)
    const submissionId = checkBirth(claim.submissionId)
    return { type: 'claim', job: checkJobId(claim.job), indices, digests, seal: checkSeal(claim.seal), submissionId }
  }
  if (returned !== undefined)
    return { type: 'returned', job: checkJobId(returned.job), indices: someOf(returned.indices) }
  if (covered !== undefined)
    return { type: 'covered', job: checkJobId(covered.job), next: checkCount(covered.next, 'an index') }
  if (leaving !== undefined) return { type: 'leaving' }
  if (dismissed !== undefined) return { type: 'dismissed' }
  if (batch !== undefined) {
    const indices = distinct(indicesOf(batch.indices))
    check(indices.length > 0, 'an empty batch')
    check(!batch.announced || !batch.alone, 'two ways to run a batch')
    return {
      type: 'batch',
      job: checkJobId(batch.job),
      sha256: hexOf(batch.sha256),
      mode: batch.alone ? 'alone' : batch.announced ? 'announced' : 'plain',
      indices,
      chunks: packOf(batch.lengths, batch.payload, indices.length),
      chunkTimeout: checkChunkTimeout(batch.chunkTimeout),
      priority: checkPriority(batch.priority),
      digests: checkDigests(batch.digests, indices.length),
      seal: checkSeal(batch.seal),
      submissionId: checkBirth(batch.submissionId),
      combine: batch.combine
    }
  }
  if (outcomes !== undefined) {
    const indices = distinct(indicesOf(outcomes.indices))
    // Sums of it are to stay exact.
    check(outcomes.busyMs >= 0 && outcomes.busyMs <= MOST_BUSY_MS, 'busyMs is out of range')
    return {
      type: 'outcomes',
      job: checkJobId(outcomes.job),
      partials: { indices, ...packOf(outcomes.lengths, outcomes.payload, indices.length) },
      failed: outcomes.failures.map(each => {
        const failure = decodeFailure(each)
        check(failure.index !== undefined, 'a failure without a chunk')
        return { index: failure.index, failure }
      }),
      busyMs: outcomes.busyMs,
      submissionId: checkBirth(outcomes.submissionId)
    }
  }
  if (release !== undefined) return { type: 'release', job: checkJobId(release.job) }
  if (cancelChunks !== undefined) {
    return { type: 'cancel-chunks', job: checkJobId(cancelChunks.job), indices: indicesOf(cancelChunks.indices) }
  }
  if (starting !== undefined)
    return { type: 'starting', job: checkJobId(starting.job), indices: someOf(starting.indices) }
  if (go !== undefined) return { type: 'go', job: checkJobId(go.job), indices: someOf(go.indices) }
  if (codeRequest !== undefined) return { type: 'code-request', sha256: hexOf(codeRequest.sha256) }
  if (code !== undefined) return { type: 'code', sha256: hexOf(code.sha256), code: code.code }
  if (valuesRequest !== undefined) {
    const ids = idsOf(valuesRequest.ids)
    check(ids.length > 0 && new Set(ids).size === ids.length, 'no values, or one twice')
    return { type: 'values-request', job: checkJobId(valuesRequest.job), ids }
  }
  if (values !== undefined) {
    const ids = idsOf(values.ids)
    const pack = packOf(values.lengths, values.payload, ids.length)
    return { type: 'values', job: checkJobId(values.job), ids, values: pack, missing: idsOf(values.missing) }
  }
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

export const workProtocol: ProtocolSpec<WorkMessage> = {
  name: 'work',
  codec,
  maxMessageBytes: MAX_MESSAGE_BYTES,
  needs: 'join'
}
