/** Encodes and decodes the records of schedules in the journal. */
import { decodeSubmission, encodeSubmission, type Submission } from '../jobs/protocol/submit-messages.ts'
import { check, checkCount, checkJobId, checkText, checkTime, oneOf } from '../jobs/protocol/wire-parts.ts'
import type {
  JournalEntry,
  Submit,
  JournalScheduleMark as WireMark,
  ScheduleRun as WireRun,
  ScheduleTerms as WireTerms
} from '../wire/jobs.gen.ts'
import {
  MISSED,
  type NewSchedule,
  OVERLAPS,
  type RunState,
  type ScheduleMark,
  type ScheduleRecord,
  type ScheduleRun,
  type ScheduleTimes
} from './schedule-record.ts'

/** The most due times that may wait, and the longest jitter, in ms. */
export const MOST_CATCH_UP = 1_000
export const MOST_JITTER = 24 * 3_600_000
/** The longest texts of a schedule. */
export const LONGEST_CRON = 200
export const LONGEST_TIME_ZONE = 100
const LONGEST_ID = 64

const RUN_STATES: readonly RunState[] = ['running', 'completed', 'failed', 'cancelled']

/** A schedule without the submission of its jobs. */
export type ScheduleTerms = Omit<NewSchedule, 'submission'>

type WireSchedule = Pick<JournalEntry, 'schedule' | 'removedSchedule' | 'mark' | 'submission'>

export function encodeTerms({ id, times, missed, overlap, catchUp, jitter }: ScheduleTerms): WireTerms {
  const when = times.type === 'once' ? { at: times.at, timeZone: '' } : { cron: times.cron, timeZone: times.timeZone }
  return { id, ...when, missed, overlap, catchUp, jitter }
}

export function decodeTerms(wire: WireTerms | undefined): ScheduleTerms {
  check(wire !== undefined, 'a schedule without its terms')
  const { catchUp, jitter } = wire
  check(catchUp >= 1 && catchUp <= MOST_CATCH_UP, 'a number of due times is out of range')
  check(jitter <= MOST_JITTER, 'a jitter is out of range')
  return {
    id: checkId(wire.id),
    times: decodeTimes(wire),
    missed: oneOf(wire.missed, MISSED, 'way to treat missed due times'),
    overlap: oneOf(wire.overlap, OVERLAPS, 'way to treat overlaps'),
    catchUp,
    jitter
  }
}

function decodeTimes({ at, cron, timeZone }: WireTerms): ScheduleTimes {
  check((at === undefined) !== (cron === undefined), 'a schedule has a cron expression or one time')
  if (at !== undefined) return { type: 'once', at: checkTime(at) }
  checkText(timeZone, LONGEST_TIME_ZONE, 'a time zone')
  return { type: 'cron', cron: checkText(cron!, LONGEST_CRON, 'a cron expression'), timeZone }
}

/** Decodes the submission of the jobs of a schedule, which have no client. */
export function decodeDueSubmission(wire: Submit | undefined): Submission {
  check(wire !== undefined, 'a schedule without a job')
  const submission = decodeSubmission(wire)
  check(!submission.partials, 'a schedule whose jobs need a client')
  return submission
}

export function decodeRun({ job, due, state }: WireRun): ScheduleRun {
  return { job: checkJobId(job), due: checkTime(due), state: oneOf(state, RUN_STATES, 'state of a job') }
}

function decodeMark({ id, firedThrough, isPaused, skipped, last }: WireMark): ScheduleMark {
  return {
    kind: 'mark',
    id: checkId(id),
    firedThrough: checkTime(firedThrough),
    isPaused,
    skipped: checkCount(skipped, 'a count'),
    last: last && decodeRun(last)
  }
}

export function encodeSchedule(record: ScheduleRecord): WireSchedule {
  switch (record.kind) {
    case 'definition':
      return {
        schedule: { terms: encodeTerms(record), addedAt: record.addedAt },
        submission: encodeSubmission(record.submission)
      }
    case 'removed':
      return { removedSchedule: { id: record.id, removedAt: record.removedAt } }
    case 'mark': {
      const { kind: _, last, ...mark } = record
      return { mark: { ...mark, ...(last && { last }) } }
    }
  }
}

/** Returns the record of a schedule. Returns `undefined` if the entry has none. */
export function decodeSchedule({
  schedule,
  removedSchedule,
  mark,
  submission
}: WireSchedule): ScheduleRecord | undefined {
  const records = [schedule, removedSchedule, mark].filter(each => each !== undefined)
  if (records.length === 0) return undefined
  check(records.length === 1, 'an entry of a schedule must say one thing')
  check(
    (submission !== undefined) === (schedule !== undefined),
    'code and input belong to the definition of a schedule'
  )
  if (mark !== undefined) return decodeMark(mark)
  if (removedSchedule !== undefined)
    return { kind: 'removed', id: checkId(removedSchedule.id), removedAt: checkTime(removedSchedule.removedAt) }
  const { terms, addedAt } = schedule!
  return {
    kind: 'definition',
    ...decodeTerms(terms),
    submission: decodeDueSubmission(submission),
    addedAt: checkTime(addedAt)
  }
}

/** Checks the id that tells a schedule from others of its name. */
function checkId(id: string): string {
  return checkText(id, LONGEST_ID, 'the id of a schedule')
}
