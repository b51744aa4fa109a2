/** What whoever submits a job and the leader say to each other (protocol "submit"). */
import { RECORD_LIMITS } from '../../membership/record-limits.ts'
import type { Codec, PeerIdString, ProtocolSpec } from '../../network/types.ts'
import type { TaskFailure } from '../../tasks/execute/failure.ts'
import { checkedPack, type IndexedPack, type Pack } from '../../tasks/values/pack.ts'
import type { Progress, Submit } from '../../wire/jobs.gen.ts'
import { SubmitMessage as Wire } from '../../wire/jobs.gen.ts'
import type { JobTerms, SchedulerStats } from '../scheduler/types.ts'
import type { JobProgress, JobState, TaskLogLine } from '../shared/types.ts'
import { packNumbers, unpackNumbers } from './varints.ts'
import {
  bytesOf,
  check,
  checkChunkTimeout,
  checkCount,
  checkJobId,
  checkKeep,
  checkOne,
  checkPeerId,
  checkPriority,
  checkTags,
  checkText,
  decodeFailure,
  decodeLine,
  decodeStats,
  decodeWith,
  encodeFailure,
  encodeLine,
  encodeStats,
  hexOf,
  MAX_CHUNKS_A_MESSAGE,
  MAX_LINES_A_MESSAGE,
  MAX_MESSAGE_BYTES,
  oneOf,
  STATS_LIMITS,
  unshared
} from './wire-parts.ts'

/** A job as it is handed to the leader. */
export interface Submission extends JobTerms {
  /** The task's name, for status and logs. */
  task: string
  sha256: string
  code: Uint8Array
  input: Uint8Array
  /** Of the input: tells two submissions under one id apart. */
  inputSha256: string
  /** The longest that a chunk may run, in ms; undefined: as long as it likes. */
  chunkTimeout: number | undefined
  /** The job goes on though no client waits for it. */
  detach: boolean
  /** For how long the outcome is kept, in ms. */
  keep: number
  /** Whoever submits it reads the partials. */
  partials: boolean
  /** Its chunks are items that whoever submits it has, and its result is its partials: these come in order, or as they are computed. */
  stream?: StreamOrder | undefined
}

export type StreamOrder = 'ordered' | 'unordered'

/** What tells two jobs apart that were submitted under one id. */
export type SubmissionContent = Pick<Submission, 'sha256' | 'inputSha256'>

export function sameContent(a: SubmissionContent, b: SubmissionContent): boolean {
  return a.sha256 === b.sha256 && a.inputSha256 === b.inputSha256
}

/** How a job ended. */
export type JobOutcome =
  | { type: 'completed'; result: Uint8Array; stats: SchedulerStats }
  | { type: 'failed'; failure: TaskFailure; stats: SchedulerStats }
  | { type: 'cancelled'; stats: SchedulerStats }

/** With what a client begins: it brings a job, or waits for one that the leader has. */
export type Hello = { type: 'submit'; submission: Submission } | { type: 'watch' }

/** There is no room for the job now. */
export interface Busy {
  reason: string
  /** When to submit it again, in ms. */
  ms: number
  /** As many may be submitted then; 0: one, or as many as jobs of this client have ended meanwhile. */
  places: number
}

/**
 * `seen`: how many chunks the client knows to have been folded under earlier leaders. `got`: it reads the partials, and needs none before this
 * one (any more).
 */
export type ToLeaderSays =
  | (Hello & { seen: number; got: number })
  | { type: 'got'; next: number }
  /** Of a stream: what was wanted. `done`: there are no more. */
  | { type: 'items'; first: number; items: Pack; done: boolean }
  | { type: 'cancel' }
  | { type: 'leave' }

export type FromLeaderSays =
  /**
   * `folded`: the chunks that earlier leaders have folded, which are not computed again. With the progress of a job that was under
   * way already.
   */
  | { type: 'accepted'; folded: number; progress?: JobProgress | undefined }
  /** There is no such job to watch; `end`: how it ended, its outcome is not kept any more. */
  | { type: 'unknown'; end: JobOutcome['type'] | undefined }
  | { type: 'progress'; progress: JobProgress }
  | { type: 'log'; lines: TaskLogLine[] }
  /**
   * `notAdmitted`: not because of this job, but because the allow list does not let this client have any. `end`: this very job is over, and
   * its outcome is not kept any more.
   */
  | { type: 'refused'; reason: string; notAdmitted?: boolean; end?: JobOutcome['type'] | undefined }
  | ({ type: 'busy' } & Busy)
  /** For whoever reads them, before they are folded. */
  | { type: 'partials'; first: number; partials: Pack }
  /** Of a stream: the items from `first` on, `most` of them. */
  | { type: 'wants'; first: number; most: number }
  /** Of a stream whose reader does not mind the order: as they come. */
  | { type: 'outputs'; outputs: IndexedPack }
  | JobOutcome

export type SubmitMessage = { job: string } & (
  | ToLeaderSays
  | { type: 'not-leader'; leader: PeerIdString | undefined }
  | ({ epoch: number } & FromLeaderSays)
)

export function isToLeader(message: SubmitMessage): message is { job: string } & ToLeaderSays {
  return ['submit', 'watch', 'got', 'items', 'cancel', 'leave'].includes(message.type)
}

const STATES: readonly JobState[] = ['accepted', 'running', 'completed', 'failed', 'cancelled']
export const MAX_TASK_NAME = 1_000
/** How a job may have ended, as far as a client is told. */
const OUTCOMES: readonly JobOutcome['type'][] = ['completed', 'failed', 'cancelled']
const MAX_REASON = 10_000
/** The most retries that a chunk may be given. */
const MAX_RETRIES = 1_000_000
const STREAMS: readonly StreamOrder[] = ['ordered', 'unordered']

export function encodeSubmission(submission: Submission, { seen, got } = { seen: 0, got: 0 }): Submit {
  const { task, sha256, code, input, inputSha256, requires, ...terms } = submission
  return {
    seen,
    got,
    task: task.slice(0, MAX_TASK_NAME),
    sha256: bytesOf(sha256),
    code: unshared(code),
    input: unshared(input),
    inputSha256: bytesOf(inputSha256),
    requires: new Map(Object.entries(requires)),
    ...terms
  }
}

export function decodeSubmission(wire: Submit): Submission {
  check(wire.retries <= MAX_RETRIES, 'too many retries')
  const stream = wire.stream === undefined ? undefined : oneOf(wire.stream, STREAMS, 'order of a stream')
  check(stream === undefined || wire.partials, 'a stream whose partials nobody reads')
  return {
    task: checkText(wire.task, MAX_TASK_NAME, "a task's name"),
    sha256: hexOf(wire.sha256),
    code: wire.code,
    input: wire.input,
    inputSha256: hexOf(wire.inputSha256),
    retries: wire.retries,
    speculate: wire.speculate,
    requires: checkTags(wire.requires),
    chunkTimeout: checkChunkTimeout(wire.chunkTimeout),
    priority: checkPriority(wire.priority),
    detach: wire.detach,
    keep: checkKeep(wire.keep),
    partials: wire.partials,
    stream
  }
}

/** An outcome on the wire: one of them is set. */
export type WireOutcome = Pick<Wire, 'completed' | 'failed' | 'cancelled'>

export function encodeOutcome(outcome: JobOutcome): WireOutcome {
  const stats = encodeStats(outcome.stats)
  switch (outcome.type) {
    case 'completed':
      return { completed: { result: unshared(outcome.result), stats } }
    case 'failed':
      return { failed: { failure: encodeFailure(outcome.failure), stats } }
    case 'cancelled':
      return { cancelled: { stats } }
  }
}

/** Undefined when none is set. */
export function decodeOutcome({ completed, failed, cancelled }: WireOutcome): JobOutcome | undefined {
  if (completed !== undefined)
    return { type: 'completed', result: completed.result, stats: decodeStats(completed.stats) }
  if (failed !== undefined)
    return { type: 'failed', failure: decodeFailure(failed.failure), stats: decodeStats(failed.stats) }
  return cancelled && { type: 'cancelled', stats: decodeStats(cancelled.stats) }
}

function decodeProgress(wire: Progress): JobProgress {
  return {
    state: oneOf(wire.state, STATES, 'state'),
    done: checkCount(wire.done, 'done'),
    total: wire.total === undefined ? undefined : checkCount(wire.total, 'total'),
    peers: wire.peers,
    retries: checkCount(wire.retries, 'retries'),
    speculated: checkCount(wire.speculated, 'speculated'),
    recomputed: checkCount(wire.recomputed, 'recomputed'),
    unserved: wire.unserved
  }
}

function toWire(message: SubmitMessage): Partial<Wire> {
  switch (message.type) {
    case 'submit':
      return { submit: encodeSubmission(message.submission, message) }
    case 'watch':
      return { watch: { seen: message.seen } }
    case 'got':
      return { got: { next: message.next } }
    case 'items': {
      const { first, items, done } = message
      return { items: { first, lengths: packNumbers(items.lengths), payload: unshared(items.bytes), done } }
    }
    case 'cancel':
      return { cancel: {} }
    case 'leave':
      return { leave: {} }
    case 'not-leader':
      return { notLeader: { leader: message.leader ?? '' } }
    case 'accepted': {
      const { epoch, folded, progress } = message
      return { epoch, accepted: { folded, ...(progress && { progress }) } }
    }
    case 'unknown':
      return { epoch: message.epoch, unknown: { end: message.end ?? '' } }
    case 'progress':
      return { epoch: message.epoch, progress: message.progress }
    case 'log':
      return { epoch: message.epoch, log: { lines: message.lines.map(encodeLine) } }
    case 'partials': {
      const { lengths, bytes } = message.partials
      const partials = { first: message.first, lengths: packNumbers(lengths), payload: unshared(bytes) }
      return { epoch: message.epoch, partials }
    }
    case 'wants':
      return { epoch: message.epoch, wants: { first: message.first, most: message.most } }
    case 'outputs': {
      const { indices, lengths, bytes } = message.outputs
      const outputs = { indices: packNumbers(indices), lengths: packNumbers(lengths), payload: unshared(bytes) }
      return { epoch: message.epoch, outputs }
    }
    case 'refused':
      return {
        epoch: message.epoch,
        refused: {
          reason: message.reason.slice(0, MAX_REASON),
          notAdmitted: message.notAdmitted === true,
          end: message.end ?? ''
        }
      }
    case 'busy': {
      const { epoch, reason, ms, places } = message
      return {
        epoch,
        refused: { reason: reason.slice(0, MAX_REASON), notAdmitted: false, end: '', busy: { ms, places } }
      }
    }
    default:
      return { epoch: message.epoch, ...encodeOutcome(message) }
  }
}

function fromWire(wire: Wire): SubmitMessage {
  const { submit, watch, got, items, cancel, leave, notLeader } = wire
  const { accepted, unknown, progress, log, partials, wants, outputs, completed, failed, cancelled, refused } = wire
  const ofStream = [wants, outputs]
  const fromLeader = [accepted, unknown, progress, log, partials, ...ofStream, completed, failed, cancelled, refused]
  checkOne([submit, watch, got, items, cancel, leave, notLeader, ...fromLeader])
  const job = checkJobId(wire.job)
  if (submit !== undefined) {
    const seen = checkCount(submit.seen, 'seen')
    return { job, type: 'submit', submission: decodeSubmission(submit), seen, got: checkCount(submit.got, 'got') }
  }
  if (watch !== undefined) return { job, type: 'watch', seen: checkCount(watch.seen, 'seen'), got: 0 }
  if (got !== undefined) return { job, type: 'got', next: checkCount(got.next, 'got') }
  if (items !== undefined) {
    const { first, done } = items
    return { job, type: 'items', first: checkCount(first, 'an index'), items: packOf(items), done }
  }
  if (cancel !== undefined) return { job, type: 'cancel' }
  if (leave !== undefined) return { job, type: 'leave' }
  if (notLeader !== undefined) {
    return { job, type: 'not-leader', leader: notLeader.leader === '' ? undefined : checkPeerId(notLeader.leader) }
  }
  check(wire.epoch !== undefined, 'the leader must say its epoch')
  const epoch = checkCount(wire.epoch, 'an epoch')
  if (progress !== undefined) return { job, epoch, type: 'progress', progress: decodeProgress(progress) }
  if (partials !== undefined) {
    const first = checkCount(partials.first, 'an index')
    return { job, epoch, type: 'partials', first, partials: packOf(partials) }
  }
  if (wants !== undefined) {
    check(wants.most > 0, 'no items are wanted')
    return { job, epoch, type: 'wants', first: checkCount(wants.first, 'an index'), most: wants.most }
  }
  if (outputs !== undefined) {
    const indices = Array.from(unpackNumbers(outputs.indices, MAX_CHUNKS_A_MESSAGE))
    const pack = packOf(outputs)
    check(indices.length === pack.lengths.length, 'not as many outputs as indices')
    return { job, epoch, type: 'outputs', outputs: { indices, ...pack } }
  }
  if (unknown !== undefined) {
    return { job, epoch, type: 'unknown', end: decodeEnd(unknown.end) }
  }
  if (log !== undefined) {
    const lines = log.lines.map(line => ({ ...decodeLine(line), peer: checkPeerId(line.peer) }))
    return { job, epoch, type: 'log', lines }
  }
  const outcome = decodeOutcome({ completed, failed, cancelled })
  if (outcome !== undefined) return { job, epoch, ...outcome }
  if (refused !== undefined) {
    const reason = checkText(refused.reason, MAX_REASON, 'a reason')
    if (refused.busy !== undefined) return { job, epoch, type: 'busy', reason, ...refused.busy }
    const end = decodeEnd(refused.end)
    return {
      job,
      epoch,
      type: 'refused',
      reason,
      ...(refused.notAdmitted && { notAdmitted: true }),
      ...(end && { end })
    }
  }
  const folded = checkCount(accepted?.folded ?? 0, 'folded')
  return { job, epoch, type: 'accepted', folded, progress: accepted?.progress && decodeProgress(accepted.progress) }
}

function decodeEnd(end: string): JobOutcome['type'] | undefined {
  return end === '' ? undefined : oneOf(end, OUTCOMES, 'end')
}

function packOf({ lengths, payload }: { lengths: Uint8Array; payload: Uint8Array }): Pack {
  return checkedPack(unpackNumbers(lengths, MAX_CHUNKS_A_MESSAGE), payload)
}

/** Limits for protons: of a submission, and of an outcome. */
export const SUBMISSION_LIMITS = { requires: RECORD_LIMITS.tags }
export const OUTCOME_LIMITS = {
  completed: { stats: STATS_LIMITS },
  failed: { stats: STATS_LIMITS },
  cancelled: { stats: STATS_LIMITS }
}

const LIMITS = { submit: SUBMISSION_LIMITS, log: { lines: MAX_LINES_A_MESSAGE }, ...OUTCOME_LIMITS }

const codec: Codec<SubmitMessage> = {
  encode: message => Wire.encode({ job: message.job, ...toWire(message) }),
  decode: bytes => fromWire(decodeWith(() => Wire.decode(bytes, { limits: LIMITS })))
}

export const submitProtocol: ProtocolSpec<SubmitMessage> = {
  name: 'submit',
  codec,
  maxMessageBytes: MAX_MESSAGE_BYTES
}
