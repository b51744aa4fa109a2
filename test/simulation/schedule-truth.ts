/** The invariants of simulated schedules, checked against what the world knows and no leader does. */
import type { ScheduleDefinition, ScheduleMark } from '../../src/journal/schedule-record.ts'
import type { ScheduleEffect } from '../../src/schedules/core/events.ts'
import { dueJob, markKey, scheduleOf } from '../../src/schedules/core/keys.ts'
import { CLOCK_MS, scheduleRules } from '../../src/schedules/core/rules.ts'
import type { Calendar, ScheduleReport } from '../../src/schedules/core/types.ts'
import type { ScheduleProcess, Token } from './schedule-process.ts'

/** How wrong a leader's measurement of its clock may be, in ms. */
export const NOISE_MS = 200
/** The rules of these worlds, whose outages are shorter than real ones. */
export const WORLD_ON_TIME_MS = 2_000
export const WORLD_GRACE_MS = 4_000

export type Fire = Extract<ScheduleEffect<Token>, { type: 'fire' }>

interface Pause {
  from: number
  until: number
  steps: number
  /** When a client asked to resume. */
  at: number
}

/** What the clients of one schedule know. */
export interface KnownSchedule {
  id: string
  /** When it runs once. */
  at: number
  /** A client has learned that it is removed, and has not asked to add it again. */
  isRemoved: boolean
  /** The time by the members' clocks at which a client learned that it is paused, until it asks to resume it. */
  pausedAt: number | undefined
  /** The last pause, from the request to resume on: no due time in between may have a job. */
  resuming: Pause | undefined
  /** The last pause, if all clocks were right when it ended. */
  pause: Pause | undefined
  /** Whether a client has asked to run it now. */
  isAsked: boolean
  /** Whether each of its due times must have a job or be counted as skipped. */
  isCounted: boolean
  /** Whether its job was refused for good. */
  isRefused: boolean
}

/** What one leader has done for one schedule. */
interface Led {
  /** The id of the schedule. */
  id: string
  due: number
  isAgain: boolean
}

export interface World {
  hasVoters: boolean
  calendar(cron: string): Calendar
  /** How far the clock of a peer is ahead of the median of all clocks that it reaches, in ms. */
  ahead(peer: string): number | undefined
  wall(peer: string): number
  /** How often all clocks were set. */
  steps(): number
  newestEpoch(): number
}

export class ScheduleTruth {
  readonly schedules = new Map<string, KnownSchedule>()
  readonly #world: World
  /** The start of each job that enough peers have stored. */
  readonly #accepted = new Map<string, number>()
  /** How many jobs of each schedule were found later than their due times were skipped. */
  readonly #found = new Map<string, number>()
  /** The schedules whose mark was set back. */
  readonly #reset = new Set<string>()
  readonly #led = new Map<string, Led>()
  readonly #ready = new Map<number, { wall: number; at: number; fired: Set<string> }>()

  constructor(world: World) {
    this.#world = world
  }

  has(job: string): boolean {
    return this.#accepted.has(job)
  }

  onReady(process: ScheduleProcess): void {
    const wall = this.#world.wall(process.init.host.id)
    const { ahead } = process.init.clock()
    const isRight = ahead === undefined || Math.abs(ahead) <= CLOCK_MS - NOISE_MS
    if (isRight) this.#ready.set(process.epoch!, { wall, at: process.init.host.now(), fired: new Set() })
  }

  onAccepted(process: ScheduleProcess, job: string, start: number): void {
    const name = scheduleOf(job) ?? ''
    const mark = process.written(markKey(name))
    // A leader that was cut off has submitted this job, and its due time was skipped before the job was found.
    if (!this.has(job) && mark?.kind === 'mark' && mark.firedThrough >= Date.parse(job.slice(name.length + 1)))
      this.#found.set(name, (this.#found.get(name) ?? 0) + 1)
    const known = this.#accepted.get(job)
    if (this.#world.hasVoters && known !== undefined && known !== start) throw new Error(`${job} is two jobs`)
    this.#accepted.set(job, start)
  }

  onRefused(process: ScheduleProcess, { name }: Fire, isFinal: boolean): void {
    const led = this.#led.get(`${process.epoch} ${name}`)
    if (led !== undefined) led.isAgain = true
    const known = this.schedules.get(name)
    if (isFinal && known !== undefined) known.isRefused = true
  }

  onReport(process: ScheduleProcess, report: ScheduleReport): void {
    if (report.type === 'reset') {
      this.#led.delete(`${process.epoch} ${report.name}`)
      this.#uncount(report.name)
      this.#reset.add(report.name)
    }
    if (report.type !== 'skipped') return
    if (report.atLeast) this.#uncount(report.name)
    if (report.why === 'catch-up') this.#onCatchUp(process, report.name, report.last)
  }

  onFire(process: ScheduleProcess, fire: Fire): void {
    const { name, job, due, definition } = fire
    const known = this.schedules.get(name)
    if (this.#world.hasVoters && process.epoch === this.#world.newestEpoch() && known?.isRemoved)
      throw new Error(`${job} fires although ${name} is removed`)
    if (definition.times.type === 'once') {
      if (known?.isAsked !== true) this.#checkClock(process, job, definition.times.at)
    } else if (due % 1_000 === 0) this.#onDue(process, fire)
  }

  #onDue(process: ScheduleProcess, { name, job, due, definition }: Fire): void {
    if (process.jobState(job) !== undefined) throw new Error(`${job} fires again`)
    if (due <= definition.addedAt && !this.#reset.has(name))
      throw new Error(`${job} fires for a time before ${name} was added`)
    this.#checkClock(process, job, this.#startOf(name, definition, due))
    if (definition.overlap !== 'allow' && process.runningOf(name).length > 0) throw new Error(`${job} overlaps`)
    this.#checkOrder(process, definition.id, name, job, due)
    this.#checkPause(process, name, job, due)
    this.#checkMissed(process, name, job, due, definition)
  }

  #checkClock(process: ScheduleProcess, job: string, at: number): void {
    const { id } = process.init.host
    const ahead = this.#world.ahead(id)
    if (ahead !== undefined && Math.abs(ahead) > CLOCK_MS + NOISE_MS)
      throw new Error(`${job} fires by a clock that is ${ahead.toFixed(0)} ms ahead`)
    if (this.#world.wall(id) < at) throw new Error(`${job} fires too early`)
  }

  #checkOrder(process: ScheduleProcess, id: string, name: string, job: string, due: number): void {
    const key = `${process.epoch} ${name}`
    const led = this.#led.get(key)
    this.#led.set(key, { id, due, isAgain: false })
    if (led === undefined || led.id !== id || (led.due === due && led.isAgain)) return
    if (due <= led.due) throw new Error(`${job} fires out of order`)
    const mark = process.stored(markKey(name)) as ScheduleMark | undefined
    if (mark === undefined || mark.firedThrough < led.due)
      throw new Error(`${job} fires before the mark of ${dueJob(name, led.due)} is stored`)
  }

  #checkPause(process: ScheduleProcess, name: string, job: string, due: number): void {
    const known = this.schedules.get(name)
    if (!this.#world.hasVoters || process.epoch !== this.#world.newestEpoch() || known === undefined) return
    if (known.pausedAt !== undefined) throw new Error(`${job} fires although ${name} is paused`)
    const { pause } = known
    // A mark that was set back may lie in the pause.
    if (this.#reset.has(name)) return
    if (pause?.steps === this.#world.steps() && due > pause.from && due < pause.until)
      throw new Error(`${job} fires for a time at which ${name} was paused`)
  }

  /** Checks the first due time that a new leader fires. Those that it finds are decided when it becomes ready, or later. */
  #checkMissed(process: ScheduleProcess, name: string, job: string, due: number, definition: ScheduleDefinition): void {
    const ready = this.#ready.get(process.epoch!)
    if (ready === undefined || ready.fired.has(name)) return
    ready.fired.add(name)
    const { host } = process.init
    const set = this.#world.wall(host.id) - ready.wall - (host.now() - ready.at)
    if (Math.abs(set) > 1) return
    const late = ready.wall - this.#startOf(name, definition, due)
    if (definition.missed === 'all' || late <= WORLD_ON_TIME_MS) return
    if (definition.missed === 'skip' && late > WORLD_GRACE_MS) throw new Error(`${job} fires too late`)
    const next = this.#calendar(definition).next(due)!
    if (this.#startOf(name, definition, next) <= ready.wall)
      throw new Error(`${job} fires although a newer due time was missed`)
  }

  /** Checks that a bound on due times that wait skips the oldest ones. */
  #onCatchUp(process: ScheduleProcess, name: string, last: number): void {
    const definition = process.table!.states().find(state => state.name === name)!
    const next = this.#world.calendar(definition.times.type === 'cron' ? definition.times.cron : '').next(last)!
    if (next > this.#world.wall(process.init.host.id))
      throw new Error(`${dueJob(name, last)} is the newest, and is skipped`)
  }

  /** Checks that each due time up to the mark has a job, or was skipped. */
  checkCounts(name: string, definition: ScheduleDefinition, { firedThrough, skipped }: ScheduleMark): void {
    const calendar = this.#calendar(definition)
    let missing = 0
    let first: string | undefined
    for (let due = calendar.next(definition.addedAt)!; due <= firedThrough; due = calendar.next(due)!) {
      const job = dueJob(name, due)
      if (this.has(job)) continue
      missing++
      first ??= job
    }
    if (missing > skipped)
      throw new Error(`${missing} due times have no job, the first is ${first}; skipped: ${skipped}`)
    if (missing + (this.#found.get(name) ?? 0) < skipped)
      throw new Error(`${name} counts ${skipped} due times as skipped, and ${missing} are`)
  }

  #uncount(name: string): void {
    const known = this.schedules.get(name)
    if (known !== undefined) known.isCounted = false
  }

  #calendar({ times }: ScheduleDefinition): Calendar {
    return this.#world.calendar(times.type === 'cron' ? times.cron : '')
  }

  #startOf(name: string, definition: ScheduleDefinition, due: number): number {
    const { jitter } = definition
    return due + scheduleRules.delay(name, due, Math.min(jitter, this.#calendar(definition).next(due)! - due))
  }
}
