import type { NewSchedule, RunState, ScheduleDefinition, ScheduleRecord } from '../../journal/schedule-record.ts'
import type { Core } from '../../lib/core.ts'
import { AskedRuns } from './asked-runs.ts'
import { describeAhead, medianOf } from './clock.ts'
import type { ScheduleEffect, ScheduleEvent } from './events.ts'
import { Firing } from './firing.ts'
import { definitionKey, markKey, nameOf, runJob, scheduleOf } from './keys.ts'
import { Outbox } from './outbox.ts'
import { RemovedSchedules } from './removed-schedules.ts'
import { type ScheduleRules, scheduleRules } from './rules.ts'
import { RunningJobs } from './running-jobs.ts'
import { Schedule } from './schedule.ts'
import type { Calendar, ScheduleClock, ScheduleState, ScheduleTableInit } from './types.ts'

/** The timer after which the due times are looked at. */
const LOOK = 'look'
/** The longest time between two looks at the wall clock, which may be set, in ms. */
const LOOK_MS = 1_000

type Event<Token, Type> = Extract<ScheduleEvent<Token>, { type: Type }>
type Request<Token> = Event<Token, 'put' | 'remove' | 'pause' | 'resume' | 'run'>

/**
 * The schedules of one leadership. For each due time the job is accepted first, then the mark is written, and only then the next due time starts its
 * job. So at most one due time of each schedule has a job and no mark when the leader changes, and the next leader gives it its mark.
 */
export class ScheduleTable<Token> implements Core<ScheduleEvent<Token>, ScheduleEffect<Token>> {
  readonly #init: ScheduleTableInit
  readonly #rules: ScheduleRules
  readonly #outbox = new Outbox<Token>()
  readonly #running = new RunningJobs()
  readonly #firing: Firing<Token>
  readonly #schedules = new Map<string, Schedule<Token>>()
  readonly #removed = new RemovedSchedules()
  /** The records of earlier leaders, until this leader is ready. */
  readonly #found = new Map<string, ScheduleRecord>()
  readonly #runs = new AskedRuns<Token>()
  #isReady = false
  #isClockRight = true
  #now = 0
  /** The wall clock at the present event. */
  #clock: ScheduleClock
  /** When the timer is due. */
  #lookAt: number | undefined

  constructor(init: ScheduleTableInit) {
    this.#init = init
    this.#clock = init.clock()
    this.#rules = init.rules ?? scheduleRules
    this.#firing = new Firing(this.#rules, this.#outbox, this.#running, job => init.jobState(job))
  }

  /** The number of schedules. */
  get size(): number {
    return this.#schedules.size
  }

  /** All schedules, in the order of their names. Empty until this leader is ready. */
  states(): ScheduleState[] {
    const schedules = [...this.#schedules.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return schedules.map(schedule => this.#stateOf(schedule))
  }

  handle(event: ScheduleEvent<Token>, now: number): ScheduleEffect<Token>[] {
    this.#now = now
    const before = this.#clock.now
    this.#clock = this.#init.clock()
    if (this.#clock.now < before) for (const schedule of this.#schedules.values()) schedule.dropWaiting()
    this.#step(event)
    this.#setTimer()
    return this.#outbox.take()
  }

  #step(event: ScheduleEvent<Token>) {
    switch (event.type) {
      case 'ready':
        return this.#onReady()
      case 'adopted':
        return this.#onAdopted(event.key, event.record)
      case 'job':
        return this.#onJob(event.job, event.state)
      case 'refused':
        return this.#onRefused(event)
      case 'written':
        return this.#onWritten(event.key)
      case 'not-durable':
        return this.#onNotDurable(event)
      case 'timer':
        this.#lookAt = undefined
        return this.#look()
      case 'put':
      case 'remove':
      case 'pause':
      case 'resume':
      case 'run':
        return this.#onRequest(event)
    }
  }

  // --- Earlier leaders

  #onAdopted(key: string, record: ScheduleRecord): void {
    this.#found.set(key, record)
    if (this.#isReady) this.#adopt(nameOf(key)!)
  }

  #onReady(): void {
    this.#isReady = true
    for (const name of new Set([...this.#found.keys()].map(key => nameOf(key)!))) this.#adopt(name)
    this.#look()
  }

  #adopt(name: string): void {
    const [record, mark] = [this.#found.get(definitionKey(name)), this.#found.get(markKey(name))]
    this.#found.delete(definitionKey(name))
    this.#found.delete(markKey(name))
    const isNew = !this.#schedules.has(name)
    if (record?.kind === 'removed' && isNew) this.#removed.add(name, record)
    if (record?.kind === 'definition' && isNew && !this.#removed.has(name, record.id))
      this.#add(name, record).isStored = true
    const schedule = this.#schedules.get(name)
    if (schedule === undefined) {
      if (mark !== undefined) this.#outbox.push({ type: 'forget', key: markKey(name) })
      return
    }
    if (mark?.kind === 'mark' && this.#rules.belongs(mark.id, schedule.definition.id)) {
      if (isNew || mark.firedThrough > schedule.firedThrough) schedule.adopt(mark)
    }
    this.#followJobs(schedule)
  }

  /** Learns what became of the jobs of earlier leaders. */
  #followJobs(schedule: Schedule<Token>): void {
    const { name, definition, last, isOnce } = schedule
    if (isOnce && this.#rules.hasJob(this.#init.jobState(name))) this.#firing.await(schedule, definition.addedAt, name)
    const state = last === undefined ? undefined : this.#init.jobState(last.job)
    if (state === undefined || state === last!.state) return
    schedule.last = { ...last!, state }
    schedule.isChanged = true
  }

  #add(name: string, definition: ScheduleDefinition): Schedule<Token> {
    const schedule = new Schedule<Token>(name, definition, this.#calendarOf(definition), this.#rules)
    if (schedule.problem !== undefined) this.#outbox.report({ type: 'no-calendar', name, problem: schedule.problem })
    this.#schedules.set(name, schedule)
    return schedule
  }

  #calendarOf({ times }: NewSchedule): Calendar | { problem: string } {
    return times.type === 'cron' ? this.#init.calendar(times.cron, times.timeZone) : { next: () => undefined }
  }

  // --- Requests

  #onRequest(event: Request<Token>) {
    const { name, token } = event
    if (event.type === 'put') return this.#onPut(event)
    const schedule = this.#schedules.get(name)
    if (schedule === undefined) return this.#outbox.answer(token, { type: 'unknown' })
    if (event.type === 'remove') {
      schedule.removers.push(token)
      return this.#end(schedule)
    }
    if (schedule.isEnding) return this.#outbox.answer(token, { type: 'unknown' })
    switch (event.type) {
      case 'pause':
        return this.#pause(schedule, token)
      case 'resume':
        return this.#resume(schedule, token)
      case 'run':
        return this.#run(schedule, event.time, token)
    }
  }

  #onPut({ name, schedule: added, token }: Event<Token, 'put'>): void {
    const known = this.#schedules.get(name)
    if (known !== undefined) {
      if (known.definition.id !== added.id || known.isEnding) this.#outbox.answer(token, { type: 'exists' })
      else if (known.isStored) this.#outbox.answer(token, { type: 'done', state: this.#stateOf(known) })
      else known.adders.push(token)
      return
    }
    if (this.#removed.has(name, added.id)) {
      this.#outbox.answer(token, { type: 'done', state: undefined })
      return
    }
    const reason = this.#refusalOf(added)
    if (reason !== undefined) {
      this.#outbox.answer(token, { type: 'refused', reason })
      return
    }
    this.#removed.delete(name)
    const definition: ScheduleDefinition = { ...added, kind: 'definition', addedAt: this.#median }
    this.#add(name, definition).adders.push(token)
    this.#outbox.write(definitionKey(name), definition)
  }

  #refusalOf(added: NewSchedule): string | undefined {
    const { schedules: most } = this.#init.limits
    if (this.#schedules.size >= most) return `the cluster has ${most} schedules, which is the most (schedules)`
    const calendar = this.#calendarOf(added)
    return 'problem' in calendar ? calendar.problem : undefined
  }

  #pause(schedule: Schedule<Token>, token: Token): void {
    schedule.isPaused = true
    schedule.dropWaiting()
    schedule.refusal = undefined
    this.#ask(schedule, token)
  }

  #resume(schedule: Schedule<Token>, token: Token): void {
    if (schedule.isPaused && !schedule.isOnce)
      schedule.moveTo(this.#rules.resumesFrom(schedule.firedThrough, this.#median))
    schedule.isPaused = false
    this.#ask(schedule, token)
  }

  /** Answers as soon as the mark is stored. */
  #ask(schedule: Schedule<Token>, token: Token): void {
    schedule.markAskers.push(token)
    schedule.isChanged = true
    this.#advance(schedule)
  }

  #run(schedule: Schedule<Token>, time: number, token: Token): void {
    const { name, definition, isOnce, starting } = schedule
    const job = isOnce ? name : runJob(name, time)
    if (!this.#runs.ask(job, time, token)) return
    const due = definition.times.type === 'once' ? definition.times.at : time
    if (this.#init.jobState(job) !== undefined) this.#outbox.push({ type: 'await', job })
    else if (starting?.job !== job || starting.retryAt !== undefined)
      this.#outbox.push({ type: 'fire', name, job, due, definition })
  }

  // --- Jobs

  #onJob(job: string, state: RunState): void {
    this.#running.set(job, state)
    if (this.#init.isStored(job)) this.#onStored(job, state)
    const schedule = this.#schedules.get(scheduleOf(job) ?? '')
    if (schedule === undefined) return
    const { last } = schedule
    if (last?.job === job && last.state !== state) {
      schedule.last = { ...last, state }
      schedule.isChanged = true
    }
    this.#advance(schedule)
  }

  #onStored(job: string, state: RunState): void {
    const run = this.#runs.take(job)
    this.#outbox.answerAll(run?.askers, { type: 'run', job })
    const once = this.#once(job)
    if (once !== undefined) this.#end(once)
    const schedule = this.#schedules.get(scheduleOf(job) ?? '')
    if (schedule === undefined) return
    if (schedule.starting?.job === job) schedule.started(job, schedule.starting.due, state)
    else if (run !== undefined) {
      schedule.last = { job, due: run.time, state }
      schedule.isChanged = true
    }
  }

  #onRefused({ job, reason, isFinal, notDurable }: Event<Token, 'refused'>): void {
    this.#outbox.answerAll(this.#runs.take(job)?.askers, { type: 'refused', reason, notDurable })
    const schedule = this.#once(job) ?? this.#schedules.get(scheduleOf(job) ?? '')
    if (schedule?.starting?.job !== job || schedule.isEnding) return
    this.#firing.refused(schedule, reason, isFinal, this.#now)
    if (isFinal && schedule.isOnce) this.#end(schedule)
    else this.#advance(schedule)
  }

  #once(job: string): Schedule<Token> | undefined {
    const schedule = this.#schedules.get(job)
    return schedule?.isOnce === true ? schedule : undefined
  }

  // --- Due times

  #look(): void {
    this.#checkClock()
    for (const schedule of [...this.#schedules.values()]) this.#advance(schedule)
    for (const name of this.#removed.forget(this.#median))
      this.#outbox.push({ type: 'forget', key: definitionKey(name) })
  }

  #checkClock(): void {
    const { ahead } = this.#clock
    const isRight = this.#rules.mayFire(ahead)
    if (this.#schedules.size === 0 || isRight === this.#isClockRight) return
    this.#isClockRight = isRight
    this.#outbox.report(isRight ? { type: 'clock-right' } : { type: 'clock', ahead: ahead! })
  }

  /** Continues with a schedule as far as possible. */
  #advance(schedule: Schedule<Token>): void {
    if (!this.#isReady || schedule.isEnding) return
    if (schedule.isStored) {
      this.#resetWrongMark(schedule)
      this.#firing.next(schedule, this.#clock, this.#now)
    }
    if (!schedule.isChanged || schedule.writing !== undefined) return
    schedule.isChanged = false
    schedule.writing = { moves: schedule.moves, askers: schedule.markAskers }
    schedule.markAskers = []
    this.#outbox.write(markKey(schedule.name), schedule.mark())
  }

  #resetWrongMark(schedule: Schedule<Token>): void {
    const { name, firedThrough, isOnce } = schedule
    if (isOnce || !this.#rules.isWrong(firedThrough, this.#median)) return
    this.#outbox.report({ type: 'reset', name, ahead: firedThrough - this.#median })
    schedule.moveTo(this.#median)
  }

  // --- The journal

  /** Ends a schedule as soon as its definition is not being written any more. A mark may wait for disks that are gone. */
  #end(schedule: Schedule<Token>): void {
    schedule.isEnding = true
    const { name, definition, isStored, notStored, end } = schedule
    if ((!isStored && notStored === undefined) || end !== undefined) return
    schedule.end = { kind: 'removed', id: definition.id, removedAt: this.#median }
    this.#outbox.write(definitionKey(name), schedule.end)
  }

  #onWritten(key: string): void {
    const schedule = this.#schedules.get(nameOf(key) ?? '')
    if (schedule === undefined) return
    if (key === markKey(schedule.name)) this.#onMarkWritten(schedule)
    else if (schedule.end === undefined) this.#onDefinitionWritten(schedule)
    else this.#onEndWritten(schedule)
    if (schedule.isEnding) this.#end(schedule)
    else this.#advance(schedule)
  }

  #onNotDurable({ name, refusal }: Event<Token, 'not-durable'>): void {
    const schedule = this.#schedules.get(name)
    if (schedule === undefined || schedule.isStored) return
    schedule.notStored = refusal
    this.#end(schedule)
  }

  #onMarkWritten(schedule: Schedule<Token>): void {
    const { writing, storedMoves } = schedule
    schedule.writing = undefined
    schedule.storedMoves = writing?.moves ?? storedMoves
    for (const token of writing?.askers ?? []) this.#answerDone(token, schedule)
  }

  #onDefinitionWritten(schedule: Schedule<Token>): void {
    schedule.isStored = true
    for (const token of schedule.adders) this.#answerDone(token, schedule)
    schedule.adders = []
  }

  #onEndWritten({ name, adders, notStored, removers, markAskers, writing, end }: Schedule<Token>): void {
    this.#schedules.delete(name)
    this.#removed.add(name, end!)
    this.#outbox.push({ type: 'forget', key: markKey(name) })
    if (notStored !== undefined) this.#outbox.answerAll(adders, { type: 'refused', ...notStored })
    this.#outbox.answerAll(removers, { type: 'done', state: undefined })
    this.#outbox.answerAll([...markAskers, ...(writing?.askers ?? [])], { type: 'unknown' })
  }

  // --- Effects

  get #median(): number {
    return medianOf(this.#clock)
  }

  /** Looks again when the next due time comes, or after a while, because the wall clock may be set. */
  #setTimer(): void {
    if (!this.#isReady || (this.#schedules.size === 0 && this.#removed.size === 0)) return
    let delay = LOOK_MS
    for (const { nextAt } of this.#schedules.values()) {
      // A due time that has come already waits for another event.
      if (nextAt > this.#clock.now) delay = Math.min(delay, nextAt - this.#clock.now)
    }
    if (this.#lookAt !== undefined && this.#lookAt <= this.#now + delay) return
    this.#lookAt = this.#now + delay
    this.#outbox.push({ type: 'timer', name: LOOK, delay })
  }

  #answerDone(token: Token, schedule: Schedule<Token>): void {
    this.#outbox.answer(token, { type: 'done', state: this.#stateOf(schedule) })
  }

  #stateOf(schedule: Schedule<Token>): ScheduleState {
    const { ahead } = this.#init.clock()
    const clock = this.#rules.mayFire(ahead) ? undefined : describeAhead(ahead!)
    return schedule.state(schedule.problem ?? clock ?? schedule.refusal)
  }
}
