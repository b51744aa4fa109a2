/** Schedules as users hold them. */
import { randomUUID } from 'node:crypto'
import {
  IdTakenError,
  InvalidOptionError,
  NoRoomError,
  NoSuchScheduleError,
  NotAdmittedError,
  NotDurableError,
  P2pWorkerError,
  ScheduleExistsError
} from '../common/errors.ts'
import type { JobClient } from '../jobs/client/job-client.ts'
import { submissionOf } from '../jobs/client/submission.ts'
import { isJobId } from '../jobs/protocol/wire-parts.ts'
import type { Job, SubmitOptions } from '../jobs/shared/types.ts'
import { LONGEST_CRON, MOST_CATCH_UP, MOST_JITTER } from '../journal/schedule-codec.ts'
import { MISSED, type NewSchedule, OVERLAPS, SCHEDULE_NAME, type ScheduleTimes } from '../journal/schedule-record.ts'
import { loadCalendars } from '../schedules/calendar.ts'
import type { ScheduleState } from '../schedules/core/types.ts'
import type { ScheduleRequest } from '../schedules/messages.ts'
import type { ScheduleAnswered } from '../schedules/schedule-client.ts'
import type { ScheduleRequests } from '../schedules/schedules.ts'
import { checkInteger } from './options.ts'
import { type PreparedJob, prepareJob } from './prepare-job.ts'
import type { ScheduleInfo, ScheduleOptions, Schedules } from './schedule-types.ts'
import type { TaskReference } from './types.ts'

const DEFAULT_CATCH_UP = 100

/** The requests of a process about schedules. `checkOpen` throws after the process has left the cluster. */
export function schedulesOf(requests: ScheduleRequests, checkOpen: () => void): Schedules {
  const change = async (request: ScheduleRequest & { name: string }, signal?: AbortSignal): Promise<ScheduleInfo> => {
    const answer = await requests.ask(request, signal)
    if (answer.type === 'done' && answer.state !== undefined) return scheduleInfo(answer.state)
    throw errorOf(request.name, answer)
  }
  return {
    async add(name, cron, task, input, options = {}) {
      checkOpen()
      checkName(name)
      const terms = termsOf(options)
      const times = await cronTimes(cron, options.timeZone)
      const prepared = await prepareJob(task, input, { ...options, detach: true })
      return await change(
        { type: 'add', name, schedule: await scheduleOf(times, terms, prepared, options) },
        options.signal
      )
    },
    async list({ signal } = {}) {
      checkOpen()
      return (await requests.states(signal)).map(scheduleInfo)
    },
    async remove(name, { signal } = {}) {
      checkOpen()
      const answer = await requests.ask({ type: 'remove', name: checkAnyName(name) }, signal)
      // If the first answer was lost, this client itself may have removed the schedule.
      if (answer.type !== 'done' && !(answer.type === 'unknown' && answer.isRepeated)) throw errorOf(name, answer)
    },
    async pause(name, { signal } = {}) {
      checkOpen()
      return await change({ type: 'pause', name: checkAnyName(name) }, signal)
    },
    async resume(name, { signal } = {}) {
      checkOpen()
      return await change({ type: 'resume', name: checkAnyName(name) }, signal)
    },
    async run(name, { signal } = {}) {
      checkOpen()
      const answer = await requests.ask({ type: 'run', name: checkAnyName(name), time: Date.now() }, signal)
      if (answer.type === 'started') return answer.job
      throw errorOf(name, answer)
    }
  }
}

/** Submits a job that starts at `at`. Resolves when enough peers know it. */
export async function submitLater<Input, Result, Partial>(
  requests: ScheduleRequests,
  jobs: JobClient,
  {
    task,
    input,
    options,
    at
  }: { task: TaskReference<Input, Result, Partial>; input: Input; options: SubmitOptions; at: Date }
): Promise<Job<Awaited<Result>, Awaited<Partial>>> {
  const { signal, id = randomUUID(), partials = false } = options
  const times = { type: 'once', at: checkAt(at) } as const
  if (partials)
    throw new InvalidOptionError('`partials` and `at` contradict each other: a job that starts later has no reader')
  const prepared = await prepareJob(task, input, options)
  const terms = { missed: 'one', overlap: 'allow', catchUp: 1, jitter: 0 } as const
  const schedule = await scheduleOf(times, terms, prepared, options)
  const answer = await requests.ask({ type: 'add', name: id, schedule }, signal)
  if (answer.type === 'exists') throw new IdTakenError(id)
  if (answer.type !== 'done') throw errorOf(id, answer)
  const job = await jobs.attach<Awaited<Result>>(id, { signal, folder: prepared.bundle.folder })
  const cancel = (): void => void job.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  const forget = (): void => signal?.removeEventListener('abort', cancel)
  job.result().then(forget, forget)
  return job
}

type Terms = Pick<NewSchedule, 'missed' | 'overlap' | 'catchUp' | 'jitter'>

async function scheduleOf(
  times: ScheduleTimes,
  terms: Terms,
  prepared: PreparedJob,
  options: SubmitOptions | ScheduleOptions
): Promise<NewSchedule> {
  const submission = await submissionOf(prepared, { ...options, detach: true })
  return { id: randomUUID(), times, ...terms, submission }
}

function termsOf(options: ScheduleOptions): Terms {
  const { missed = 'one', catchUp = DEFAULT_CATCH_UP, jitter = 0 } = options
  const { overlap = missed === 'all' ? 'queue' : 'skip' } = options
  checkOneOf(missed, MISSED, 'missed')
  checkOneOf(overlap, OVERLAPS, 'overlap')
  checkInteger(catchUp, 'catchUp', 1, MOST_CATCH_UP)
  checkInteger(jitter, 'jitter', 0, MOST_JITTER)
  return { missed, overlap, catchUp, jitter }
}

/** @throws InvalidOptionError when the expression is wrong or never due, or the time zone is unknown */
export async function cronTimes(cron: string, timeZone = ownTimeZone()): Promise<ScheduleTimes> {
  if (typeof cron !== 'string' || cron.length > LONGEST_CRON)
    throw new InvalidOptionError(`a cron expression must be a text of at most ${LONGEST_CRON} characters`)
  const calendar = (await loadCalendars())(cron, timeZone)
  if ('problem' in calendar) throw new InvalidOptionError(calendar.problem)
  return { type: 'cron', cron, timeZone }
}

function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** @throws InvalidOptionError when `at` is no time, or has passed */
function checkAt(at: Date): number {
  const time = at instanceof Date ? at.getTime() : Number.NaN
  if (Number.isNaN(time)) throw new InvalidOptionError('`at` must be a valid Date')
  if (time > Date.now()) return time
  throw new InvalidOptionError(
    `\`at\` must be in the future, not ${at.toISOString()}: submit the job without it to start it now`
  )
}

function checkOneOf(value: string, allowed: readonly string[], name: string): void {
  if (!allowed.includes(value))
    throw new InvalidOptionError(`\`${name}\` must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`)
}

/** @throws InvalidOptionError when the name cannot be the name of a schedule */
function checkName(name: string): void {
  if (typeof name === 'string' && SCHEDULE_NAME.test(name)) return
  throw new InvalidOptionError(
    `the name of a schedule must have 1 to 100 characters out of A-Z a-z 0-9 . _ -, not ${JSON.stringify(name)}`
  )
}

/** @throws NoSuchScheduleError when no schedule, and no job that starts later, can have the name */
function checkAnyName(name: string): string {
  if (typeof name === 'string' && isJobId(name)) return name
  throw new NoSuchScheduleError(String(name))
}

function errorOf(name: string, answer: ScheduleAnswered): Error {
  switch (answer.type) {
    case 'exists':
      return new ScheduleExistsError(name)
    case 'unknown':
      return new NoSuchScheduleError(name)
    case 'done':
      // Another client has removed the schedule since.
      return new NoSuchScheduleError(name)
    case 'refused': {
      const text = `the leader refused the request about the schedule ${name}: ${answer.reason}`
      if (answer.notAdmitted) return new NotAdmittedError(`${text}: its owner can add that right to the list`)
      if (answer.notDurable !== undefined) return new NotDurableError(text, answer.notDurable)
      return answer.noRoom ? new NoRoomError(text) : new InvalidOptionError(text)
    }
    default:
      return new P2pWorkerError(`the leader answered a request about the schedule ${name} with ${answer.type}`)
  }
}

function scheduleInfo({ name, times, isPaused, last, ...state }: ScheduleState): ScheduleInfo {
  const { missed, overlap, catchUp, jitter, task, next, skipped, problem } = state
  return {
    name,
    cron: times.type === 'cron' ? times.cron : undefined,
    at: times.type === 'once' ? times.at : undefined,
    timeZone: times.type === 'cron' ? times.timeZone : 'UTC',
    ...{ missed, overlap, catchUp, jitter, task },
    state: isPaused ? 'paused' : 'active',
    next,
    last: last && { ...last },
    skipped,
    problem
  }
}
