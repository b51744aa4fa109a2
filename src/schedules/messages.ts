/** The messages between clients and the leader about schedules (protocol "schedules"). */
import { oneofCodec } from '../jobs/protocol/oneof-codec.ts'
import { encodeSubmission, MAX_TASK_NAME, SUBMISSION_LIMITS } from '../jobs/protocol/submit-messages.ts'
import {
  check,
  checkCount,
  checkJobId,
  checkText,
  checkTime,
  decodeWith,
  MAX_MESSAGE_BYTES
} from '../jobs/protocol/wire-parts.ts'
import { mayHaveName } from '../journal/names.ts'
import { decodeDueSubmission, decodeRun, decodeTerms, encodeTerms } from '../journal/schedule-codec.ts'
import type { NewSchedule } from '../journal/schedule-record.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { ScheduleMessage as Wire, type ScheduleState as WireState } from '../wire/jobs.gen.ts'
import type { Refusal, ScheduleState } from './core/types.ts'

export type ScheduleRequest =
  | { type: 'add'; name: string; schedule: NewSchedule }
  | { type: 'remove'; name: string }
  | { type: 'pause'; name: string }
  | { type: 'resume'; name: string }
  /** Starts a job now. Two requests with the same `time` are one. In ms since the Unix epoch. */
  | { type: 'run'; name: string; time: number }
  /** Asks for the schedules after this one, in the order of their names. */
  | { type: 'list'; after: string }

export type ScheduleReply =
  /** The change is stored. `state`: undefined for a schedule that was removed. */
  | { type: 'done'; state: ScheduleState | undefined }
  | { type: 'started'; job: string }
  | { type: 'exists' }
  | { type: 'unknown' }
  /** `notAdmitted`: the allow list does not let the client submit. `noRoom`: the leader has no room for the schedule or the job. */
  | ({ type: 'refused'; notAdmitted: boolean; noRoom: boolean } & Refusal)
  | { type: 'schedules'; schedules: ScheduleState[]; more: boolean }
  | { type: 'not-leader' }

type Says = ScheduleRequest | ScheduleReply

/** `request`: the number of the request, which its answer repeats. */
export type ScheduleMessage = { request: number } & Says

/** The most schedules in one answer. */
export const SCHEDULES_A_MESSAGE = 100
const LONGEST_REASON = 1_000
/** In ms since the Unix epoch. The id of a job has a time with a year of four digits. */
const YEAR_10000 = Date.UTC(10_000, 0)
/** The name of a schedule, or the id of a job that starts later. */
const checkName = checkJobId
const FLAG = { encode: () => true, decode: () => ({}) }

const named = {
  encode: ({ name }: { name: string }) => ({ name }),
  decode: ({ name }: { name: string }) => ({ name: checkName(name) })
}

function encodeState(state: ScheduleState): WireState {
  const { name, task, isPaused, next, last, skipped, problem, ...terms } = state
  return {
    name,
    terms: encodeTerms(terms),
    task: task.slice(0, MAX_TASK_NAME),
    isPaused,
    skipped,
    ...(next !== undefined && { next }),
    ...(last && { last }),
    ...(problem !== undefined && { problem: problem.slice(0, LONGEST_REASON) })
  }
}

function decodeState({ name, terms, task, isPaused, next, last, skipped, problem }: WireState): ScheduleState {
  return {
    name: checkName(name),
    ...decodeTerms(terms),
    task: checkText(task, MAX_TASK_NAME, "a task's name"),
    isPaused,
    next: next === undefined ? undefined : checkTime(next),
    last: last && decodeRun(last),
    skipped: checkCount(skipped, 'a count'),
    problem: problem === undefined ? undefined : checkText(problem, LONGEST_REASON, 'a reason')
  }
}

const says = oneofCodec<Says, Omit<Wire, 'request'>>({
  add: {
    field: 'add',
    encode: ({ name, schedule: { submission, ...terms } }) => ({
      name,
      terms: encodeTerms(terms),
      submission: encodeSubmission(submission)
    }),
    decode: ({ name, terms, submission }) => {
      const schedule = { ...decodeTerms(terms), submission: decodeDueSubmission(submission) }
      check(mayHaveName(schedule.times, name), 'not the name of a schedule')
      return { name, schedule }
    }
  },
  remove: { field: 'remove', ...named },
  pause: { field: 'pause', ...named },
  resume: { field: 'resume', ...named },
  run: {
    field: 'run',
    encode: ({ name, time }) => ({ name, time }),
    decode: ({ name, time }) => {
      check(time < YEAR_10000, 'a run after the year 9999')
      return { name: checkName(name), time: checkTime(time) }
    }
  },
  list: {
    field: 'list',
    encode: ({ after }) => after,
    decode: after => ({ after: after === '' ? '' : checkName(after) })
  },
  done: {
    field: 'done',
    encode: ({ state }) => ({ ...(state && { state: encodeState(state) }) }),
    decode: ({ state }) => ({ state: state && decodeState(state) })
  },
  started: { field: 'started', encode: ({ job }) => job, decode: job => ({ job: checkJobId(job) }) },
  exists: { field: 'exists', ...FLAG },
  unknown: { field: 'unknown', ...FLAG },
  refused: {
    field: 'refused',
    encode: ({ reason, notAdmitted, noRoom, notDurable = { durable: 0 } }) => ({
      reason: reason.slice(0, LONGEST_REASON),
      notAdmitted,
      noRoom,
      ...notDurable
    }),
    decode: ({ reason, disks, durable, ...why }) => ({
      reason: checkText(reason, LONGEST_REASON, 'a reason'),
      ...why,
      notDurable: disks === undefined ? undefined : { disks, durable }
    })
  },
  schedules: {
    field: 'schedules',
    encode: ({ schedules, more }) => ({ schedules: schedules.map(encodeState), more }),
    decode: ({ schedules, more }) => ({ schedules: schedules.map(decodeState), more })
  },
  'not-leader': { field: 'notLeader', ...FLAG }
})

const LIMITS = { add: { submission: SUBMISSION_LIMITS }, schedules: { schedules: SCHEDULES_A_MESSAGE } }

const codec: Codec<ScheduleMessage> = {
  encode: ({ request, ...message }) => Wire.encode({ request, ...says.encode(message as Says) }),
  decode(bytes) {
    const { request, ...wire } = decodeWith(() => Wire.decode(bytes, { limits: LIMITS }))
    return { request, ...says.decode(wire) } as ScheduleMessage
  }
}

export const scheduleProtocol: ProtocolSpec<ScheduleMessage> = {
  name: 'schedules',
  codec,
  maxMessageBytes: MAX_MESSAGE_BYTES
}

export function isRequest(message: ScheduleMessage): message is { request: number } & ScheduleRequest {
  return ['add', 'remove', 'pause', 'resume', 'run', 'list'].includes(message.type)
}
