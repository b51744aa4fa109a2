/** The events and effects of the schedules of a leader. `Token` identifies a request. Requests come after `ready`. */
import type { NewSchedule, RunState, ScheduleDefinition, ScheduleRecord } from '../../journal/schedule-record.ts'
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { Refusal, ScheduleAnswer, ScheduleReport } from './types.ts'

export type ScheduleEvent<Token> =
  /** The journal has an entry of an earlier leader. */
  | { type: 'adopted'; key: string; record: ScheduleRecord }
  /** This leader knows all schedules and jobs of earlier leaders. */
  | { type: 'ready' }
  /** The request to add a schedule. The caller has checked the name. */
  | { type: 'put'; name: string; schedule: NewSchedule; token: Token }
  | { type: 'remove' | 'pause' | 'resume'; name: string; token: Token }
  /** The request to start a job of the schedule now. A request with the same `time` is the same request. In ms since the Unix epoch. */
  | { type: 'run'; name: string; time: number; token: Token }
  /** Enough peers store the newest entry with this key. */
  | { type: 'written'; key: string }
  /** There are too few disks for the new definition of this schedule. */
  | { type: 'not-durable'; name: string; refusal: Refusal }
  /**
   * The state of a job with an id of a schedule ({@link scheduleOf}) or of one that runs once has changed, or enough peers store the job of a `fire` or
   * `await` effect now. Before `ready`: it is a running job of an earlier leader.
   */
  | { type: 'job'; job: string; state: RunState }
  /** A job from a `fire` effect was refused. `isFinal`: trying again is of no use. */
  | ({ type: 'refused'; job: string; isFinal: boolean } & Refusal)
  | TimerEvent

export type ScheduleEffect<Token> =
  /** Write an entry, and report it with `written`. Until then, or until `not-durable`, the core writes no other entry with this key. */
  | { type: 'write'; key: string; record: ScheduleRecord }
  | { type: 'forget'; key: string }
  /** Submit the job, and report it with `job` or `refused`. `due`: the due time that the job is told, in ms since the Unix epoch. */
  | { type: 'fire'; name: string; job: string; due: number; definition: ScheduleDefinition }
  /** Report the job of an earlier leader with `job` when enough peers store its newest entry. */
  | { type: 'await'; job: string }
  | { type: 'answer'; token: Token; answer: ScheduleAnswer }
  | { type: 'report'; report: ScheduleReport }
  | TimerEffect
