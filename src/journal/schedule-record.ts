/** The records of schedules in the journal. Each schedule has a definition, which is large and seldom written, and a small mark. */
import type { JobOutcome, Submission } from '../jobs/protocol/submit-messages.ts'

/** What happens with due times that passed while no leader could start their jobs. */
export const MISSED = ['skip', 'one', 'all'] as const
export type Missed = (typeof MISSED)[number]

/** What happens at a due time while an earlier job of the schedule has not ended. */
export const OVERLAPS = ['skip', 'queue', 'allow'] as const
export type Overlap = (typeof OVERLAPS)[number]

/** When a schedule is due. */
export type ScheduleTimes =
  | { type: 'cron'; cron: string /** The name of an IANA time zone. */; timeZone: string }
  /** Once, at this time in ms since the Unix epoch. The name of the schedule is the id of its job. */
  | { type: 'once'; at: number }

/** The names of schedules. With an `@` and a time, a name is the id of a job. A job that starts once has any id. */
export const SCHEDULE_NAME = /^[A-Za-z0-9._-]{1,100}$/

/** A schedule as a client adds it. */
export interface NewSchedule {
  /** Tells this schedule from others of the same name, so that a client can repeat its request. */
  id: string
  times: ScheduleTimes
  missed: Missed
  overlap: Overlap
  /** The most due times that wait for their jobs. The newest are kept. */
  catchUp: number
  /** The longest time by which a job starts after its due time, in ms. */
  jitter: number
  /** The job of each due time. */
  submission: Submission
}

export interface ScheduleDefinition extends NewSchedule {
  kind: 'definition'
  /** The due times after this time count, in ms since the Unix epoch. */
  addedAt: number
}

/** Stands in place of a definition, so that an old copy of the journal does not bring a removed schedule back. */
export interface RemovedSchedule {
  kind: 'removed'
  /** The {@link NewSchedule.id} of the removed schedule. */
  id: string
  /** In ms since the Unix epoch. */
  removedAt: number
}

/** The state of the job of a due time: `running` from its acceptance on, then its end. */
export type RunState = 'running' | JobOutcome['type']

/** The newest run of a schedule. */
export interface ScheduleRun {
  job: string
  /** The due time, or the time at which a client started the job, in ms since the Unix epoch. */
  due: number
  state: RunState
}

/** The progress of a schedule. */
export interface ScheduleMark {
  kind: 'mark'
  /** The {@link NewSchedule.id} of the schedule. A mark of another id does not count. */
  id: string
  /** Each due time up to this one has a job or was skipped. In ms since the Unix epoch. */
  firedThrough: number
  isPaused: boolean
  /** The number of due times that were skipped. */
  skipped: number
  last: ScheduleRun | undefined
}

export type ScheduleRecord = ScheduleDefinition | RemovedSchedule | ScheduleMark
