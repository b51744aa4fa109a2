/** The limits, checks and common parts of the messages of the jobs protocols. */
import { peerIdFromString } from '@libp2p/peer-id'
import { InvalidMessageError, type TaskFunction } from '../../common/errors.ts'
import { RECORD_LIMITS } from '../../membership/record-limits.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'
import { checkedPack, type Pack } from '../../tasks/values/pack.ts'
import type {
  PeerChunks,
  Failure as WireFailure,
  LogLine as WireLogLine,
  Stats as WireStats
} from '../../wire/jobs.gen.ts'
import type { SchedulerStats } from '../scheduler/index.ts'
import type { TaskLogLine } from '../shared/types.ts'
import { DEFAULT_KEEP_MS, LONGEST_KEEP_MS, MOST_DURABLE } from './keep.ts'
import { MOST_PAYLOAD_MB } from './payload-limit.ts'
import { packNumbers, unpackNumbers } from './varints.ts'

/** The largest message of the protocols that carry payloads (code, input, chunks, partials, results). */
export const MAX_MESSAGE_BYTES = 512 * 2 ** 20
/** The largest single payload. */
export const MAX_PAYLOAD_BYTES = MOST_PAYLOAD_MB * 2 ** 20
/** The largest message of a protocol that carries no payloads. */
export const MAX_SMALL_MESSAGE_BYTES = 4 * 2 ** 20
/** The most chunks in one message. */
export const MAX_CHUNKS_A_MESSAGE = 16_384
export const MAX_LINES_A_MESSAGE = 1_024
/** The largest number of characters in one line of a task's output. The peer that prints a longer line cuts the rest off. */
export const MAX_LINE = 16 * 1_024

/** The largest chunk timeout, in ms: the limit of a Node.js timer. */
const LONGEST_CHUNK_TIMEOUT = 2 ** 31 - 1

/** Priorities are integers from -MOST_PRIORITY to MOST_PRIORITY. */
const MOST_PRIORITY = 100

/** The latest time that a `Date` can hold, in ms since the Unix epoch. */
const LATEST = 8.64e15
const MAX_SUBMISSION_ID = 200
const MAX_STACK = 64 * 1_024
const MAX_PEERS = 10_000
const JOB_ID = /^[A-Za-z0-9._:@-]{1,128}$/
const FUNCTIONS: readonly TaskFunction[] = [
  'split',
  'start',
  'run',
  'combine',
  'initial',
  'reduce',
  'next',
  'until',
  'finish',
  'load'
]

export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvalidMessageError(what)
}

export function checkCount(value: number, what: string): number {
  check(Number.isSafeInteger(value) && value >= 0, `${what} is out of range`)
  return value
}

/** Checks a time in ms since the Unix epoch: a `Date` can hold it. */
export function checkTime(time: number): number {
  check(checkCount(time, 'a time') <= LATEST, 'a time is out of range')
  return time
}

export function isJobId(id: string): boolean {
  return JOB_ID.test(id)
}

export function checkJobId(id: string): string {
  check(isJobId(id), 'not a job id')
  return id
}

/** Checks the id that distinguishes jobs with the same job id. */
export function checkSubmissionId(submissionId: string): string {
  return checkText(submissionId, MAX_SUBMISSION_ID, 'a submissionId')
}

/** Checks a job's priority. */
export function checkPriority(priority: number): number {
  check(Math.abs(priority) <= MOST_PRIORITY, 'a priority is out of range')
  return priority
}

/** Checks a chunk timeout, in ms. */
export function checkChunkTimeout(ms: number | undefined): number | undefined {
  if (ms !== undefined) check(ms >= 1 && ms <= LONGEST_CHUNK_TIMEOUT, 'a chunk timeout is out of range')
  return ms
}

/** Checks how long an outcome is kept, in ms. */
export function checkKeep(ms: number | undefined): number {
  if (ms === undefined) return DEFAULT_KEEP_MS
  check(ms <= LONGEST_KEEP_MS, 'an outcome is to be kept for too long')
  return ms
}

/** Checks on how many disks a job must be. */
export function checkDurable(disks: number): number {
  check(disks <= MOST_DURABLE, 'a job that must be on too many disks')
  return disks
}

/** Checks tags against the limits of a member's tags. */
export function checkTags(tags: ReadonlyMap<string, string>): Record<string, string> {
  check(tags.size <= RECORD_LIMITS.tags, `more than ${RECORD_LIMITS.tags} tags`)
  for (const [key, value] of tags) {
    check(key.length > 0, 'a tag without a name')
    checkText(key, RECORD_LIMITS.tagKeyLength, 'the name of a tag')
    checkText(value, RECORD_LIMITS.tagValueLength, 'the value of a tag')
  }
  return Object.fromEntries(tags)
}

export function checkText(text: string, most: number, what: string): string {
  check(text.length <= most, `${what} is longer than ${most} characters`)
  return text
}

/**
 * Checks that a PeerId has its canonical spelling. Texts are compared, so another spelling would count as a different
 * peer.
 */
export function checkPeerId(id: string): PeerIdString {
  checkText(id, RECORD_LIMITS.peerIdLength, 'a PeerId')
  let canonical: string
  try {
    canonical = peerIdFromString(id).toString()
  } catch (cause) {
    throw new InvalidMessageError('not a PeerId', { cause })
  }
  check(canonical === id, 'a PeerId in another spelling')
  return id
}

export function oneOf<T extends string>(value: string, allowed: readonly T[], what: string): T {
  check((allowed as readonly string[]).includes(value), `unknown ${what}`)
  return value as T
}

/** Decodes, and turns any error of protons into an InvalidMessageError. */
export function decodeWith<T>(decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    throw new InvalidMessageError('not a message of this protocol', { cause })
  }
}

/** Checks that exactly one of the optional fields is set. */
export function checkOne(fields: readonly unknown[]): void {
  check(fields.filter(field => field !== undefined).length === 1, 'a message must say one thing')
}

export function hexOf(sha256: Uint8Array): string {
  check(sha256.byteLength === 32, 'a SHA-256 has 32 bytes')
  return Buffer.from(sha256).toString('hex')
}

export function bytesOf(sha256: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(sha256, 'hex')
}

/** Narrows the type for protons, which requires unshared memory. This is safe because payloads are never in shared memory. */
export function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}

/** Encodes the lengths as varints, and concatenates the values. */
export function encodePack({ lengths, bytes }: Pack): {
  lengths: Uint8Array<ArrayBuffer>
  payload: Uint8Array<ArrayBuffer>
} {
  return { lengths: packNumbers(lengths), payload: unshared(bytes) }
}

/** Decodes values without copying `payload`. `count` is the expected number of values. */
export function decodePack({ lengths, payload }: { lengths: Uint8Array; payload: Uint8Array }, count?: number): Pack {
  const sizes = unpackNumbers(lengths, MAX_CHUNKS_A_MESSAGE)
  check(count === undefined || sizes.length === count, 'not as many lengths as indices')
  return checkedPack(sizes, payload)
}

export function encodeFailure(failure: TaskFailure): WireFailure {
  return {
    function: failure.function,
    index: failure.index,
    name: failure.name.slice(0, 1_000),
    message: failure.message.slice(0, MAX_STACK),
    stack: failure.stack.slice(0, MAX_STACK)
  }
}

export function decodeFailure(wire: WireFailure | undefined): TaskFailure {
  check(wire !== undefined, 'no failure')
  return {
    function: oneOf(wire.function, FUNCTIONS, 'function'),
    index: wire.index === undefined ? undefined : checkCount(wire.index, 'an index'),
    name: checkText(wire.name, 1_000, 'a name'),
    message: checkText(wire.message, MAX_STACK, 'a message'),
    stack: checkText(wire.stack, MAX_STACK, 'a stack')
  }
}

/** A line in the message of a worker. The leader adds the peer. */
export type WorkerLogLine = Omit<TaskLogLine, 'peer'>

export function encodeLine(line: WorkerLogLine & { peer?: PeerIdString }): WireLogLine {
  return {
    function: line.function,
    index: line.index,
    stderr: line.stream === 'stderr',
    line: line.line.slice(0, MAX_LINE),
    peer: line.peer ?? ''
  }
}

export function decodeLine(wire: WireLogLine): WorkerLogLine {
  return {
    function: oneOf(wire.function, FUNCTIONS, 'function'),
    index: wire.index === undefined ? undefined : checkCount(wire.index, 'an index'),
    stream: wire.stderr ? 'stderr' : 'stdout',
    line: checkText(wire.line, MAX_LINE, 'a line')
  }
}

export function encodeStats(stats: SchedulerStats): WireStats {
  return { ...stats, perPeer: encodePeerChunks(Object.entries(stats.perPeer)) }
}

export function decodeStats(wire: WireStats | undefined): SchedulerStats {
  check(wire !== undefined, 'no stats')
  return {
    chunks: checkCount(wire.chunks, 'chunks'),
    retries: checkCount(wire.retries, 'retries'),
    speculated: checkCount(wire.speculated, 'speculated'),
    recomputed: checkCount(wire.recomputed, 'recomputed'),
    perPeer: decodePeerChunks(wire.perPeer)
  }
}

export function encodePeerChunks(counts: Iterable<[PeerIdString, number]>): PeerChunks[] {
  return [...counts].slice(0, MAX_PEERS).map(([peer, chunks]) => ({ peer, chunks }))
}

export function decodePeerChunks(wire: readonly PeerChunks[]): Record<PeerIdString, number> {
  check(wire.length <= MAX_PEERS, 'too many peers')
  return Object.fromEntries(wire.map(({ peer, chunks }) => [checkPeerId(peer), checkCount(chunks, 'chunks')]))
}

/** Limits for protons. Protons refuses longer lists during decoding. */
export const STATS_LIMITS = { perPeer: MAX_PEERS }
export { MAX_PEERS }
