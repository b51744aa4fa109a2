/** What the core of schedules needs, and what it tells. */
import type { NewSchedule, RunState, ScheduleRun } from '../../journal/schedule-record.ts'
import type { ScheduleRules } from './rules.ts'

/** The due times of a cron expression in a time zone. */
export interface Calendar {
  /** Returns the first due time after `after`, or `undefined` if there is none. Both in ms since the Unix epoch. */
  next(after: number): number | undefined
}

/** The wall clock of the leader. */
export interface ScheduleClock {
  /** In ms since the Unix epoch. */
  now: number
  /** How far this clock is ahead of the median of the members' clocks, in ms. Undefined if the leader knows no other clock. */
  ahead: number | undefined
}

export interface ScheduleTableInit {
  clock(): ScheduleClock
  /** Returns the due times of an expression, or why it has none. Called once for each definition. */
  calendar(cron: string, timeZone: string): Calendar | { problem: string }
  /** The state of a job that this leader knows: a running one, an ended one, or one whose outcome is dropped. */
  jobState(job: string): RunState | undefined
  /** Whether enough peers store the newest entry of the job. A mark may be written only then: it outlives a job that is stored here only. */
  isStored(job: string): boolean
  limits: { schedules: number }
  rules?: ScheduleRules | undefined
}

/** A schedule without its code and input. */
export interface ScheduleState extends Omit<NewSchedule, 'submission'> {
  name: string
  /** The name of the task. */
  task: string
  isPaused: boolean
  /** The next due time, in ms since the Unix epoch. Undefined while the schedule is paused. */
  next: number | undefined
  last: ScheduleRun | undefined
  /** The number of due times that were skipped. */
  skipped: number
  /** Why due times do not start their jobs now. */
  problem: string | undefined
}

/** Why a request is refused. */
export interface Refusal {
  reason: string
  /** Set if the schedule or its job must be on `durable` disks, and there are only `disks`. */
  notDurable?: { disks: number; durable: number } | undefined
}

export type ScheduleAnswer =
  /** The change is stored. `state`: undefined for a removed schedule. */
  | { type: 'done'; state: ScheduleState | undefined }
  /** The job that a client asked for is accepted. */
  | { type: 'run'; job: string }
  /** There is another schedule of this name. */
  | { type: 'exists' }
  | { type: 'unknown' }
  | ({ type: 'refused' } & Refusal)

/** Why a due time is skipped: no leader was there, an earlier job had not ended, too many due times waited, or its job was refused. */
export type SkipReason = 'missed' | 'overlap' | 'catch-up' | 'refused'

/** What a leader should log. */
export type ScheduleReport =
  /** No due time starts a job while the clock is wrong. `ahead`: in ms. */
  | { type: 'clock'; ahead: number }
  | { type: 'clock-right' }
  /** The mark was ahead of the members' clocks, by `ahead` ms. It is set to the time of these clocks. */
  | { type: 'reset'; name: string; ahead: number }
  /** Due times were skipped, the last of them at `last`. `atLeast`: there were too many to count. */
  | {
      type: 'skipped'
      name: string
      count: number
      atLeast: boolean
      last: number
      why: SkipReason
    }
  /** The job was refused. `isFinal`: the due time is skipped. Otherwise the leader tries again. */
  | { type: 'refused'; name: string; job: string; reason: string; isFinal: boolean }
  /** The due times of a schedule in the journal cannot be computed. */
  | { type: 'no-calendar'; name: string; problem: string }
