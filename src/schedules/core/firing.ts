import type { RunState } from '../../journal/schedule-record.ts'
import { dueJob } from './keys.ts'
import type { Outbox } from './outbox.ts'
import type { ScheduleRules } from './rules.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { Schedule } from './schedule.ts'
import type { ScheduleClock } from './types.ts'

/** The time after which a refused job is submitted again, in ms. */
const RETRY_MS = 1_000

export interface FiringInit<Token> {
  rules: ScheduleRules
  outbox: Outbox<Token>
  running: RunningJobs
  jobState(job: string): RunState | undefined
}

/** Starts the jobs of due times: for each schedule one after the other, each when the mark of the one before is stored. */
export class Firing<Token> {
  readonly #init: FiringInit<Token>

  constructor(init: FiringInit<Token>) {
    this.#init = init
  }

  /** Starts the next job of a schedule, if its time has come. Returns whether a schedule that runs once has its job already. */
  next(schedule: Schedule<Token>, { now, ahead }: ScheduleClock, monotonic: number): boolean {
    const { rules, outbox, jobState } = this.#init
    const { name, starting, isPaused, isOnce } = schedule
    if ((isPaused && !rules.firesWhilePaused) || !rules.mayFire(ahead)) return false
    if (starting !== undefined) {
      if (starting.retryAt !== undefined && starting.retryAt <= monotonic)
        this.#fire(schedule, starting.due, starting.job)
      return false
    }
    if (!this.#mayGoOn(schedule)) return false
    for (const skipped of schedule.decide(now)) outbox.report({ type: 'skipped', name, ...skipped })
    for (let due = schedule.head(); due !== undefined && this.#mayGoOn(schedule); due = schedule.head()) {
      const job = isOnce ? name : dueJob(name, due)
      const state = jobState(job)
      if (rules.hasJob(state)) {
        if (isOnce) return true
        schedule.started(job, due, state!)
      } else if (this.#mayStart(schedule)) {
        this.#fire(schedule, due, job)
        return false
      } else if (schedule.definition.overlap === 'skip') this.#skip(schedule, due, 'overlap')
      else return false
    }
    return false
  }

  /** The job of a due time was refused. Unless this is final, it is submitted again. */
  refused(schedule: Schedule<Token>, reason: string, isFinal: boolean, monotonic: number): void {
    const { name, isPaused } = schedule
    const starting = schedule.starting!
    if (isFinal || schedule.refusal === undefined)
      this.#init.outbox.report({ type: 'refused', name, job: starting.job, reason, isFinal })
    const isAgain = !isFinal && !isPaused
    schedule.starting = isAgain ? { ...starting, retryAt: monotonic + RETRY_MS } : undefined
    schedule.refusal = isAgain ? reason : undefined
    if (isFinal && !schedule.isOnce) this.#skip(schedule, starting.due, 'refused')
  }

  #mayGoOn({ moves, storedMoves }: Schedule<Token>): boolean {
    return this.#init.rules.mayGoOn(moves, storedMoves)
  }

  #mayStart({ name, definition, isOnce }: Schedule<Token>): boolean {
    if (isOnce || definition.overlap === 'allow') return true
    return this.#init.rules.mayOverlap(this.#init.running.count(name))
  }

  #fire(schedule: Schedule<Token>, due: number, job: string): void {
    const { name, definition } = schedule
    schedule.starting = { due, job, retryAt: undefined }
    this.#init.outbox.push({ type: 'fire', name, job, due, definition })
  }

  #skip(schedule: Schedule<Token>, due: number, why: 'overlap' | 'refused'): void {
    schedule.skip(due)
    this.#init.outbox.report({ type: 'skipped', name: schedule.name, count: 1, atLeast: false, last: due, why })
  }
}
