import type { RunState } from '../../journal/schedule-record.ts'
import { dueJob } from './keys.ts'
import type { Outbox } from './outbox.ts'
import type { ScheduleRules } from './rules.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { Schedule } from './schedule.ts'
import type { ScheduleClock } from './types.ts'

/** The time after which a refused job is submitted again, in ms. */
const RETRY_MS = 1_000

/** Starts the jobs of due times: for each schedule one after the other, each when the mark of the one before is stored. */
export class Firing<Token> {
  readonly #rules: ScheduleRules
  readonly #outbox: Outbox<Token>
  readonly #running: RunningJobs
  readonly #jobState: (job: string) => RunState | undefined

  constructor(
    rules: ScheduleRules,
    outbox: Outbox<Token>,
    running: RunningJobs,
    jobState: (job: string) => RunState | undefined
  ) {
    this.#rules = rules
    this.#outbox = outbox
    this.#running = running
    this.#jobState = jobState
  }

  /** Starts the next job of a schedule, if its time has come. */
  next(schedule: Schedule<Token>, { now, ahead }: ScheduleClock, monotonic: number) {
    const rules = this.#rules
    const { name, starting, isPaused, isOnce } = schedule
    if ((isPaused && !rules.firesWhilePaused) || !rules.mayFire(ahead)) return
    if (starting !== undefined) {
      if (starting.retryAt === undefined || starting.retryAt > monotonic) return
      schedule.starting = undefined
    }
    if (!this.#mayGoOn(schedule)) return
    const hasJob = (due: number): boolean => rules.hasJob(this.#jobState(dueJob(name, due)))
    for (const skipped of schedule.decide(now, hasJob)) this.#outbox.report({ type: 'skipped', name, ...skipped })
    for (let due = schedule.head(); due !== undefined && this.#mayGoOn(schedule); due = schedule.head()) {
      const job = isOnce ? name : dueJob(name, due)
      if (rules.hasJob(this.#jobState(job))) return this.await(schedule, due, job)
      if (this.#mayStart(schedule)) return this.#fire(schedule, due, job)
      if (schedule.definition.overlap !== 'skip') return
      this.#skip(schedule, due, 'overlap')
    }
  }

  /** The job of a due time was refused. Unless this is final, it is submitted again. */
  refused(schedule: Schedule<Token>, reason: string, isFinal: boolean, monotonic: number): void {
    const { name, isPaused } = schedule
    const starting = schedule.starting!
    if (isFinal || schedule.refusal === undefined)
      this.#outbox.report({ type: 'refused', name, job: starting.job, reason, isFinal })
    const isAgain = !isFinal && !isPaused
    schedule.starting = isAgain ? { ...starting, retryAt: monotonic + RETRY_MS } : undefined
    schedule.refusal = isAgain ? reason : undefined
    if (isFinal && !schedule.isOnce) this.#skip(schedule, starting.due, 'refused')
  }

  /** Waits until enough peers store the job that an earlier leader has started. */
  await(schedule: Schedule<Token>, due: number, job: string): void {
    schedule.starting = { due, job, retryAt: undefined }
    this.#outbox.push({ type: 'await', job })
  }

  #mayGoOn({ moves, storedMoves }: Schedule<Token>): boolean {
    return this.#rules.mayGoOn(moves, storedMoves)
  }

  #mayStart({ name, definition, isOnce }: Schedule<Token>): boolean {
    if (isOnce || definition.overlap === 'allow') return true
    return this.#rules.mayOverlap(this.#running.count(name))
  }

  #fire(schedule: Schedule<Token>, due: number, job: string): void {
    const { name, definition } = schedule
    schedule.starting = { due, job, retryAt: undefined }
    this.#outbox.push({ type: 'fire', name, job, due, definition })
  }

  #skip(schedule: Schedule<Token>, due: number, why: 'overlap' | 'refused'): void {
    schedule.skip(due)
    this.#outbox.report({ type: 'skipped', name: schedule.name, count: 1, atLeast: false, last: due, why })
  }
}
