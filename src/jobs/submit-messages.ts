/** What whoever submits a job and the leader say to each other (protocol "submit"). */
import type { Codec, PeerIdString, ProtocolSpec } from '../network/types.ts'
import type { TaskFailure } from '../tasks/failure.ts'
import { SubmitMessage as Wire } from '../wire/jobs.gen.ts'
import type { CoordinatorStats } from './coordinator-types.ts'
import type { JobProgress, JobState, TaskLogLine } from './types.ts'
import {
  bytesOf,
  check,
  checkCount,
  checkJobId,
  checkOne,
  checkPeerId,
  checkText,
  decodeFailure,
  decodeLine,
  decodeStats,
  decodeWith,
  encodeFailure,
  encodeLine,
  encodeStats,
  hexOf,
  MAX_LINES_A_MESSAGE,
  MAX_MESSAGE_BYTES,
  oneOf,
  STATS_LIMITS,
  unshared
} from './wire-parts.ts'

/** A job as it is handed to the leader. */
export interface Submission {
  /** The task's name, for status and logs. */
  task: string
  sha256: string
  code: Uint8Array
  input: Uint8Array
  /** Of the input: tells two submissions under one id apart. */
  inputSha256: string
  retries: number
}

/** What tells two jobs apart that were submitted under one id. */
export type SubmissionContent = Pick<Submission, 'sha256' | 'inputSha256'>

export function sameContent(a: SubmissionContent, b: SubmissionContent): boolean {
  return a.sha256 === b.sha256 && a.inputSha256 === b.inputSha256
}

/** How a job ended. */
export type JobOutcome =
  | { type: 'completed'; result: Uint8Array; stats: CoordinatorStats }
  | { type: 'failed'; failure: TaskFailure; stats: CoordinatorStats }
  | { type: 'cancelled'; stats: CoordinatorStats }

export type ToLeaderSays = { type: 'submit'; submission: Submission } | { type: 'cancel' } | { type: 'leave' }

export type FromLeaderSays =
  | { type: 'accepted' }
  | { type: 'progress'; progress: JobProgress }
  | { type: 'log'; lines: TaskLogLine[] }
  | { type: 'refused'; reason: string }
  | JobOutcome

export type SubmitMessage = { job: string } & (
  | ToLeaderSays
  | { type: 'not-leader'; leader: PeerIdString | undefined }
  | ({ epoch: number } & FromLeaderSays)
)

export function isToLeader(message: SubmitMessage): message is { job: string } & ToLeaderSays {
  return message.type === 'submit' || message.type === 'cancel' || message.type === 'leave'
}

const STATES: readonly JobState[] = ['accepted', 'running', 'completed', 'failed', 'cancelled']
const MAX_TASK_NAME = 1_000
const MAX_REASON = 10_000
/** The most retries that a chunk may be given. */
const MAX_RETRIES = 1_000_000

function toWire(message: SubmitMessage): Partial<Wire> {
  switch (message.type) {
    case 'submit': {
      const { task, sha256, code, input, inputSha256, retries } = message.submission
      return {
        submit: {
          task: task.slice(0, MAX_TASK_NAME),
          sha256: bytesOf(sha256),
          code: unshared(code),
          input: unshared(input),
          inputSha256: bytesOf(inputSha256),
          retries
        }
      }
    }
    case 'cancel':
      return { cancel: {} }
    case 'leave':
      return { leave: {} }
    case 'not-leader':
      return { notLeader: { leader: message.leader ?? '' } }
    case 'accepted':
      return { epoch: message.epoch, accepted: {} }
    case 'progress':
      return { epoch: message.epoch, progress: message.progress }
    case 'log':
      return { epoch: message.epoch, log: { lines: message.lines.map(encodeLine) } }
    case 'refused':
      return { epoch: message.epoch, refused: { reason: message.reason.slice(0, MAX_REASON) } }
    case 'completed':
      return {
        epoch: message.epoch,
        completed: { result: unshared(message.result), stats: encodeStats(message.stats) }
      }
    case 'failed':
      return {
        epoch: message.epoch,
        failed: { failure: encodeFailure(message.failure), stats: encodeStats(message.stats) }
      }
    case 'cancelled':
      return { epoch: message.epoch, cancelled: { stats: encodeStats(message.stats) } }
  }
}

function fromWire(wire: Wire): SubmitMessage {
  const { submit, cancel, leave, notLeader, accepted, progress, log, completed, failed, cancelled, refused } = wire
  checkOne([submit, cancel, leave, notLeader, accepted, progress, log, completed, failed, cancelled, refused])
  const job = checkJobId(wire.job)
  if (submit !== undefined) {
    check(submit.retries <= MAX_RETRIES, 'too many retries')
    const submission: Submission = {
      task: checkText(submit.task, MAX_TASK_NAME, "a task's name"),
      sha256: hexOf(submit.sha256),
      code: submit.code,
      input: submit.input,
      inputSha256: hexOf(submit.inputSha256),
      retries: submit.retries
    }
    return { job, type: 'submit', submission }
  }
  if (cancel !== undefined) return { job, type: 'cancel' }
  if (leave !== undefined) return { job, type: 'leave' }
  if (notLeader !== undefined) {
    return { job, type: 'not-leader', leader: notLeader.leader === '' ? undefined : checkPeerId(notLeader.leader) }
  }
  check(wire.epoch !== undefined, 'the leader must say its epoch')
  const epoch = checkCount(wire.epoch, 'an epoch')
  if (progress !== undefined) {
    const total = progress.total === undefined ? undefined : checkCount(progress.total, 'total')
    return {
      job,
      epoch,
      type: 'progress',
      progress: {
        state: oneOf(progress.state, STATES, 'state'),
        done: checkCount(progress.done, 'done'),
        total,
        peers: progress.peers,
        retries: checkCount(progress.retries, 'retries')
      }
    }
  }
  if (log !== undefined) {
    const lines = log.lines.map(line => ({ ...decodeLine(line), peer: checkPeerId(line.peer) }))
    return { job, epoch, type: 'log', lines }
  }
  if (completed !== undefined) {
    return { job, epoch, type: 'completed', result: completed.result, stats: decodeStats(completed.stats) }
  }
  if (failed !== undefined) {
    return { job, epoch, type: 'failed', failure: decodeFailure(failed.failure), stats: decodeStats(failed.stats) }
  }
  if (cancelled !== undefined) return { job, epoch, type: 'cancelled', stats: decodeStats(cancelled.stats) }
  if (refused !== undefined) {
    return { job, epoch, type: 'refused', reason: checkText(refused.reason, MAX_REASON, 'a reason') }
  }
  return { job, epoch, type: 'accepted' }
}

const LIMITS = {
  log: { lines: MAX_LINES_A_MESSAGE },
  completed: { stats: STATS_LIMITS },
  failed: { stats: STATS_LIMITS },
  cancelled: { stats: STATS_LIMITS }
}

const codec: Codec<SubmitMessage> = {
  encode: message => Wire.encode({ job: message.job, ...toWire(message) }),
  decode: bytes => fromWire(decodeWith(() => Wire.decode(bytes, { limits: LIMITS })))
}

export const submitProtocol: ProtocolSpec<SubmitMessage> = {
  name: 'submit',
  codec,
  maxMessageBytes: MAX_MESSAGE_BYTES
}
