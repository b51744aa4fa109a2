/** The types of schedules as users hold them. */
import type { JobEventState, SubmitOptions } from '../jobs/shared/types.ts'
import type { TaskReference } from './types.ts'

/** What happens to the due times that passed while no leader could start their jobs. See {@link ScheduleOptions.missed}. */
export type MissedPolicy = 'skip' | 'one' | 'all'

/** What happens when a due time comes while an earlier job of the schedule still runs. See {@link ScheduleOptions.overlap}. */
export type OverlapPolicy = 'skip' | 'queue' | 'allow'

/** The options of {@link Schedules.add}. The other options hold for each job of the schedule, as {@link SubmitOptions} describes them. */
export interface ScheduleOptions
  extends Pick<
    SubmitOptions,
    'signal' | 'retries' | 'chunkTimeout' | 'priority' | 'requires' | 'speculate' | 'external' | 'keep' | 'durable'
  > {
  /** The IANA name of the time zone of the cron expression, e.g. `Europe/Berlin`. Default: the zone of this process. */
  timeZone?: string
  /**
   * What happens to due times that passed while no leader could start their jobs. `skip`: they have no jobs, except the newest if it is at most a
   * minute late. `one`: the newest has a job. `all`: each has a job, in order, but at most `catchUp` of them. Default `one`.
   */
  missed?: MissedPolicy
  /**
   * A due time that comes while the previous job of the schedule still runs. `skip`: it does not fire. `queue`: it fires when the previous job has
   * ended. `allow`: it fires at once. Default `queue` if `missed` is `all`, otherwise `skip`.
   */
  overlap?: OverlapPolicy
  /** The most due times that `missed: 'all'` fires and `overlap: 'queue'` lets wait, 1 to 1,000: the newest. The others are skipped. Default 100. */
  catchUp?: number
  /** Each job starts up to this much after its due time, in ms, 0 to 86,400,000. The delay of a due time is the same at each leader. Default 0. */
  jitter?: number
}

/** A job that a schedule has started. */
export interface ScheduledRun {
  /** The id of the job. */
  job: string
  /** The due time of the job, or the time at which a client asked for it ({@link Schedules.run}), in ms since the Unix epoch. */
  due: number
  /** `running` from the acceptance of the job on, then how it ended. Undefined if the leader does not know it. */
  state: JobEventState | undefined
}

/** A schedule as the leader knows it. */
export interface ScheduleInfo {
  /** The name of the schedule; for a job that was submitted with `at`, the id of the job. */
  name: string
  /** The cron expression. Undefined for a job that was submitted with `at`. */
  cron: string | undefined
  /** The due time of a job that was submitted with `at`, in ms since the Unix epoch. Undefined for a cron expression. */
  at: number | undefined
  /** The time zone of the cron expression. */
  timeZone: string
  /** See {@link ScheduleOptions.missed}. */
  missed: MissedPolicy
  /** See {@link ScheduleOptions.overlap}. */
  overlap: OverlapPolicy
  /** See {@link ScheduleOptions.catchUp}. */
  catchUp: number
  /** See {@link ScheduleOptions.jitter}, in ms. */
  jitter: number
  /** The name of the task. */
  task: string
  /** `paused`: no due time fires until the schedule is resumed. */
  state: 'active' | 'paused'
  /** The next due time, in ms since the Unix epoch. Undefined while the schedule is paused. */
  next: number | undefined
  /** The newest job of the schedule. Undefined before the first job. */
  last: ScheduledRun | undefined
  /** The number of due times that did not fire, because of `missed`, `overlap` or `catchUp`. */
  skipped: number
  /** Why nothing fires now although a due time has passed, as a sentence. Undefined if nothing is wrong. */
  problem: string | undefined
}

/**
 * The schedules of a cluster. The leader submits a job at each due time, whether or not the process that added the schedule still runs. The id of
 * the job is the name of the schedule and the due time in UTC: `nightly@2026-11-28T03:00:00Z`. A schedule survives the leader, and with data folders
 * a full stop of the cluster.
 *
 * @example
 * ```ts
 * import { connect } from 'p2p-worker'
 *
 * await using client = await connect({ key: process.env.P2P_WORKER_KEY })
 * const { next } = await client.schedules.add('nightly', '0 3 * * *', './examples/n-queens.ts', { n: 8 })
 * console.log(new Date(next ?? 0))
 * await client.schedules.remove('nightly')
 * ```
 */
export interface Schedules {
  /**
   * Adds a schedule. Resolves when enough peers hold it.
   *
   * @param name - 1 to 100 letters, digits, `.`, `_` or `-`
   * @param cron - five fields (minute, hour, day of the month, month, day of the week), or six with the second first
   * @param input - the input of each job; structured clone must be able to carry it
   *
   * @throws InvalidOptionError when the name, the cron expression, the time zone or an option is malformed, or the expression is never due;
   * ScheduleExistsError when another schedule has the name; TaskLoadError, NotCloneableError; NoRoomError when the cluster has no room for the
   * schedule; NotAdmittedError when an allow list does not let this process submit; NoClusterError when no leader answers for 10 s; StoppedError, or
   * the signal's reason
   */
  add<Input, Result>(
    name: string,
    cron: string,
    task: TaskReference<Input, Result>,
    input: Input,
    options?: ScheduleOptions
  ): Promise<ScheduleInfo>
  /**
   * Returns all schedules in the order of their names, and the jobs that were submitted with `at` and are not due yet.
   *
   * @throws NoClusterError when no leader answers for 10 s; StoppedError, or the signal's reason
   */
  list(options?: { signal?: AbortSignal }): Promise<ScheduleInfo[]>
  /**
   * Removes a schedule. Its jobs that run continue.
   *
   * @throws NoSuchScheduleError when no schedule has the name; NotAdmittedError, NoClusterError, StoppedError, or the signal's reason
   */
  remove(name: string, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Pauses a schedule: its due times pass without a job, and are not caught up.
   *
   * @throws NoSuchScheduleError when no schedule has the name; NotAdmittedError, NoClusterError, StoppedError, or the signal's reason
   */
  pause(name: string, options?: { signal?: AbortSignal }): Promise<ScheduleInfo>
  /**
   * Resumes a paused schedule, from its next due time on.
   *
   * @throws NoSuchScheduleError when no schedule has the name; NotAdmittedError, NoClusterError, StoppedError, or the signal's reason
   */
  resume(name: string, options?: { signal?: AbortSignal }): Promise<ScheduleInfo>
  /**
   * Submits a job of the schedule now, also when it is paused. The due times stay. Resolves with the id of the job, for {@link ClusterHandle.job}.
   *
   * @throws NoSuchScheduleError when no schedule has the name; NoRoomError when the leader takes no job now; NotAdmittedError, NoClusterError,
   * StoppedError, or the signal's reason
   */
  run(name: string, options?: { signal?: AbortSignal }): Promise<string>
}
