/** The schedules of one leadership of this peer: connects their core to the journal, the jobs, the channels and the clock. */
import type { Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import type { DueJobs, DueRefusal, Durability, LedSchedules } from '../jobs/leader/due-jobs.ts'
import { type DiskShortage, diskShortage } from '../jobs/leader/refusals.ts'
import { bytesOfSubmission, type SubmissionContent, sameContent } from '../jobs/protocol/submit-messages.ts'
import type { NewSchedule, RunState, ScheduleRecord } from '../journal/schedule-record.ts'
import type { TimerEvent } from '../lib/core.ts'
import { CoreTimers } from '../lib/core-timers.ts'
import type { Calendars } from './calendar.ts'
import type { ScheduleEffect, ScheduleEvent } from './core/events.ts'
import { definitionKey, nameOf } from './core/keys.ts'
import { ScheduleTable } from './core/schedule-table.ts'
import type { ScheduleAnswer } from './core/types.ts'
import { SCHEDULES_A_MESSAGE, type ScheduleReply, type ScheduleRequest } from './messages.ts'
import { StoredSchedules } from './stored-schedules.ts'
import { tellSchedules } from './tell-schedules.ts'

/** A request that this leader has not answered. */
interface Asked {
  type: ScheduleRequest['type']
  answer(reply: ScheduleReply): void
}

/** `undefined`: this leader itself asks. */
type Token = Asked | undefined
type Event = ScheduleEvent<Token>
type Change = Exclude<ScheduleRequest, { type: 'list' }>

export interface LeaderSchedulesInit {
  jobs: DueJobs
  limits: Limits
  logger: Logger
  /** Loads what computes due times. Called when there is a schedule. */
  loadCalendars(): Promise<Calendars>
  /** The wall clock, in ms since the Unix epoch. */
  wall(): number
  /** See {@link Membership.clockOffset}. */
  clockOffset(): number | undefined
  /** Whether this peer still leads. Another leader may have changed the schedules otherwise. */
  lasts(): boolean
  onStop(): void
}

export class LeaderSchedules implements LedSchedules {
  readonly #init: LeaderSchedulesInit
  readonly #table: ScheduleTable<Token>
  readonly #stored = new StoredSchedules()
  readonly #timers = new CoreTimers(event => this.#onTimer(event))
  /** The events that arrived while the effects of an earlier event were carried out, or while the calendars are loaded. */
  readonly #events: Event[] = []
  /** The requests that this leader has not answered, and those among them that came before it knew all schedules. */
  readonly #asked = new Set<Asked>()
  #early: (() => void)[] = []
  #earlyBytes = 0
  #calendars: Calendars | undefined
  #isBusy = false
  #isReady = false
  #isStopped = false

  constructor(init: LeaderSchedulesInit) {
    const { jobs, limits, wall, clockOffset } = init
    this.#init = init
    this.#table = new ScheduleTable({
      clock: () => ({ now: wall(), ahead: clockOffset() }),
      calendar: (cron, timeZone) => this.#calendars!(cron, timeZone),
      jobState: job => jobs.stateOf(job),
      isStored: job => jobs.isStored(job),
      limits
    })
  }

  // --- The leader

  adopted(key: string, record: ScheduleRecord): void {
    this.#stored.note(key, record)
    this.#handle({ type: 'adopted', key, record })
  }

  ready(): void {
    this.#handle({ type: 'ready' })
  }

  onJob(job: string, state: RunState): void {
    this.#handle({ type: 'job', job, state })
  }

  onRefused(job: string, refusal: DueRefusal): void {
    this.#handle({ type: 'refused', job, ...refusal })
  }

  whenHeld(job: string, run: (durability: Durability) => void, signal: AbortSignal): void {
    const { jobs } = this.#init
    const key = definitionKey(job)
    jobs.whenStored(key, () => run(jobs.held(key)), signal)
  }

  onHeld(key: string, durability: Durability): void {
    const name = nameOf(key)
    if (name !== undefined && key === definitionKey(name)) this.#init.jobs.later.held(name, durability)
  }

  onNotDurable(key: string, disks: number): void {
    const name = nameOf(key) ?? ''
    const stored = this.#stored.get(name)
    if (stored === undefined || key !== definitionKey(name)) return
    this.#stored.drop(name)
    const refusal = diskShortage(stored.definition.submission.durable, disks)
    this.#handle({ type: 'not-durable', name, refusal })
    // A client that waits for this job has not been told that it is accepted, and is refused when it asks again.
    this.#init.jobs.later.sendAway(name)
  }

  laterJob(job: string): SubmissionContent | undefined {
    return this.#stored.later(job)?.submission
  }

  cancel(name: string): void {
    this.#handle({ type: 'remove', name, token: undefined })
  }

  /** Sends the clients to the next leader. */
  stop(): void {
    this.#isStopped = true
    this.#timers.stop()
    for (const { answer } of this.#asked) answer({ type: 'not-leader' })
    this.#asked.clear()
    this.#early = []
    this.#init.onStop()
  }

  // --- Requests

  /** Handles a request of a client. Answers as soon as this leader knows all schedules, and enough peers know the change. */
  onRequest(request: ScheduleRequest, answer: (reply: ScheduleReply) => Promise<void>): void | Promise<void> {
    if (this.#isReady) return this.#onRequest(request, answer)
    const { waitingRequests, jobBytes } = this.#init.limits
    const bytes = request.type === 'add' ? bytesOfSubmission(request.schedule.submission) : 0
    const isFull = this.#early.length >= waitingRequests || this.#earlyBytes + bytes > jobBytes
    if (isFull) return answer({ type: 'not-leader' })
    this.#earlyBytes += bytes
    this.#early.push(this.#deferred(request, answer))
    return undefined
  }

  /** Returns what handles a request later. If this leader stops first, the client asks the next one. */
  #deferred(request: ScheduleRequest, answer: (reply: ScheduleReply) => Promise<void>): () => void {
    const asked: Asked = { type: request.type, answer }
    this.#asked.add(asked)
    return () => {
      this.#asked.delete(asked)
      void this.#onRequest(request, answer)
    }
  }

  #onRequest(request: ScheduleRequest, says: (reply: ScheduleReply) => Promise<void>): void | Promise<void> {
    const answer = (reply: ScheduleReply): Promise<void> =>
      says(this.#init.lasts() || !mayBeWrong(reply) ? reply : { type: 'not-leader' })
    // The list is awaited, so that a client that does not read its answers cannot ask for more lists.
    if (request.type === 'list') return answer(this.#list(request.after))
    const refusal = request.type === 'add' ? this.#refusalOf(request) : undefined
    if (refusal !== undefined) return answer(refusal)
    const joined = this.#joined(request)
    if (this.#isBeingStored(joined)) {
      this.#init.jobs.whenStored(definitionKey(request.name), this.#deferred(request, says))
      return undefined
    }
    const asked: Asked = { type: request.type, answer }
    this.#asked.add(asked)
    this.#handle(eventOf(joined, asked))
    return undefined
  }

  /** Whether the schedule is known, but not by enough peers: an earlier leader may have died before they stored it. */
  #isBeingStored(request: Change): boolean {
    if (request.type !== 'add' || this.#init.jobs.isStored(definitionKey(request.name))) return false
    return this.#stored.get(request.name)?.definition.id === request.schedule.id
  }

  /** A job that starts later has one id: who submits it again joins it. */
  #joined(request: Change): Change {
    const known = request.type === 'add' ? this.#stored.later(request.name) : undefined
    if (request.type !== 'add' || known === undefined) return request
    const { times, submission } = request.schedule
    if (times.type !== 'once' || !sameContent(known.submission, submission)) return request
    return { ...request, schedule: { ...request.schedule, id: known.id } }
  }

  /** Returns why the schedule is not taken. A schedule that this leader knows already has its room. */
  #refusalOf({ name, schedule }: Extract<Change, { type: 'add' }>): ScheduleReply | undefined {
    if (this.#stored.get(name) !== undefined) return undefined
    const { jobs, limits } = this.#init
    const { times, submission } = schedule
    const bytes = bytesOfSubmission(submission)
    if (times.type === 'once' && jobs.stateOf(name) !== undefined)
      return jobs.isTaken(name, submission) ? { type: 'exists' } : { type: 'done', state: undefined }
    if (this.#stored.size >= limits.schedules) return noRoom(`the cluster has ${limits.schedules} schedules, the most`)
    const total = this.#stored.bytes + bytes
    if (total > limits.jobBytes)
      return noRoom(`code and input of all schedules would have ${total} of at most ${limits.jobBytes} bytes`)
    const shortage = this.#shortageOf(schedule)
    if (shortage !== undefined) return { type: 'refused', notAdmitted: false, noRoom: false, ...shortage }
    const full = jobs.take(bytes)
    return full && noRoom(full.reason)
  }

  #shortageOf(schedule: NewSchedule | undefined): DiskShortage | undefined {
    const { disks } = this.#init.jobs
    const { durable } = schedule?.submission ?? { durable: 0 }
    return durable > disks ? diskShortage(durable, disks) : undefined
  }

  #list(after: string): ScheduleReply {
    const states = this.#table.states().filter(({ name }) => name > after)
    const schedules = states.slice(0, SCHEDULES_A_MESSAGE)
    // The marks of such a schedule wait for disks, and no job starts before they are stored.
    for (const state of schedules) state.problem ??= this.#shortageOf(this.#stored.get(state.name)?.definition)?.reason
    return { type: 'schedules', schedules, more: states.length > schedules.length }
  }

  // --- The core

  /** After a pause of this process, the messages that have arrived are read first. */
  #onTimer(event: TimerEvent): void {
    setImmediate(() => setImmediate(() => this.#handle(event)))
  }

  #handle(event: Event): void {
    this.#events.push(event)
    if (!this.#isBusy) this.#handleAll()
  }

  #handleAll(): void {
    this.#isBusy = true
    try {
      for (let next = this.#events[0]; next !== undefined; next = this.#events[0]) {
        if (this.#isStopped) return
        if (this.#calendars === undefined && needsCalendar(next)) {
          void this.#load()
          return
        }
        this.#events.shift()
        for (const effect of this.#table.handle(next, performance.now())) this.#do(effect)
        if (next.type === 'ready') this.#onReady()
      }
      this.#isBusy = false
    } catch (error) {
      this.#isBusy = false
      throw error
    }
  }

  /** The table has all schedules of earlier leaders only now: it may have waited for the calendars. */
  #onReady(): void {
    this.#isReady = true
    for (const run of this.#early) run()
    this.#early = []
  }

  async #load(): Promise<void> {
    const unloaded = (error: Error): Calendars => {
      return () => ({ problem: `the leader cannot compute due times: ${error.message}` })
    }
    this.#calendars = await this.#init.loadCalendars().catch(unloaded)
    this.#handleAll()
  }

  #do(effect: ScheduleEffect<Token>): void {
    const { jobs, logger } = this.#init
    if (this.#isStopped) return
    switch (effect.type) {
      case 'write':
        this.#write(effect.key, effect.record)
        break
      case 'forget':
        jobs.forget(effect.key)
        break
      case 'fire': {
        const submission = { ...effect.definition.submission, detach: true, scheduledFor: effect.due }
        const isKnown = jobs.stateOf(effect.job) !== undefined
        const refusal = jobs.submit(effect.job, submission)
        if (refusal !== undefined) this.onRefused(effect.job, refusal)
        else if (isKnown) this.#await(effect.job)
        break
      }
      case 'await':
        this.#await(effect.job)
        break
      case 'answer':
        if (effect.token !== undefined) this.#answer(effect.token, effect.answer)
        break
      case 'report':
        tellSchedules(logger, effect.report)
        break
      case 'timer':
        this.#timers.set(effect)
        break
    }
  }

  /** Tells the core of a job that this leader did not submit. */
  #await(job: string): void {
    const { jobs } = this.#init
    jobs.whenStored(job, () => {
      const state = jobs.stateOf(job)
      if (state === undefined) this.onRefused(job, { reason: 'its earlier job was refused', isFinal: false })
      else this.onJob(job, state)
    })
  }

  #write(key: string, record: ScheduleRecord): void {
    const { jobs } = this.#init
    const name = nameOf(key)!
    const later = record.kind === 'removed' ? this.#stored.later(name) : undefined
    this.#stored.note(key, record)
    // The end of a schedule, whose definition is not known any more, does not wait for disks that are gone.
    const durable = this.#stored.get(name)?.definition.submission.durable ?? 0
    if (later === undefined || jobs.stateOf(name) !== undefined) {
      jobs.write(key, record, durable, () => this.#handle({ type: 'written', key }))
      return
    }
    // A job that never starts has ended before its schedule is removed, so that the next leader does not deny it.
    jobs.cancel(name, later.submission, () => {
      jobs.write(key, record, durable, () => {
        jobs.later.cancelled(name)
        this.#handle({ type: 'written', key })
      })
    })
  }

  #answer(asked: Asked, answer: ScheduleAnswer): void {
    if (!this.#asked.delete(asked)) return
    asked.answer(replyOf(asked.type, answer))
  }
}

function eventOf(request: Change, token: Token): Event {
  switch (request.type) {
    case 'add':
      return { type: 'put', name: request.name, schedule: request.schedule, token }
    case 'run':
      return { type: 'run', name: request.name, time: request.time, token }
    default:
      return { type: request.type, name: request.name, token }
  }
}

function replyOf(asked: ScheduleRequest['type'], answer: ScheduleAnswer): ScheduleReply {
  if (answer.type === 'run') return { type: 'started', job: answer.job }
  if (answer.type !== 'refused') return answer
  // The core refuses a schedule because of its due times, and a run because the leader does not take its job.
  return { ...answer, notAdmitted: false, noRoom: asked === 'run' }
}

/** Whether a newer leader may answer otherwise. */
function mayBeWrong({ type }: ScheduleReply): boolean {
  return ['exists', 'unknown', 'refused', 'schedules'].includes(type)
}

function noRoom(reason: string): ScheduleReply {
  return { type: 'refused', reason, notAdmitted: false, noRoom: true }
}

/** Whether the core computes due times in answer to an event, for the first time. */
function needsCalendar(event: Event): boolean {
  if (event.type === 'put') return event.schedule.times.type === 'cron'
  return event.type === 'adopted' && event.key === definitionKey(nameOf(event.key)!)
}
