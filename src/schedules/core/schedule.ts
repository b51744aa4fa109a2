import type {
  RemovedSchedule,
  RunState,
  ScheduleDefinition,
  ScheduleMark,
  ScheduleRun
} from '../../journal/schedule-record.ts'
import { backlogOf } from './backlog.ts'
import type { ScheduleRules } from './rules.ts'
import type { Calendar, Refusal, ScheduleState, SkipReason } from './types.ts'

/** A due time that waits for its job, or the last of `skips` due times in sequence that are skipped. */
interface Waiting {
  due: number
  /** 0: the due time starts a job. */
  skips: number
}

/** The due time whose job is being submitted. */
export interface Starting {
  readonly due: number
  readonly job: string
  /** When the job is submitted again, after a refusal, by the leader's monotonic clock. */
  retryAt: number | undefined
}

/** Due times that are skipped, the last of them at `last`. */
export interface Skipped {
  count: number
  atLeast: boolean
  last: number
  why: SkipReason
}

const NEVER = Number.POSITIVE_INFINITY

/** One schedule: which of its due times have come, and which of its changes are written to the journal. */
export class Schedule<Token> {
  readonly name: string
  readonly definition: ScheduleDefinition
  readonly #calendar: Calendar | { problem: string }
  readonly #rules: ScheduleRules
  firedThrough: number
  isPaused = false
  skipped = 0
  last: ScheduleRun | undefined
  starting: Starting | undefined
  /** Why the last submission was refused. */
  refusal: string | undefined
  /** Whether the journal stores the definition. */
  isStored = false
  /** Why the journal does not store the definition. The schedule ends. */
  notStored: Refusal | undefined
  /** Whether the schedule ends as soon as its entries are written. */
  isEnding = false
  /** The entry in place of the definition, while it is being written. */
  end: RemovedSchedule | undefined
  /** The requests that the definition answers, those that the end answers, and those that the next mark answers. */
  adders: Token[] = []
  removers: Token[] = []
  markAskers: Token[] = []
  /** The mark that is being written: the number of the newest move that it contains, and the requests that it answers. */
  writing: { moves: number; askers: Token[] } | undefined
  /** Whether the mark has changed since its present write began. */
  isChanged = false
  /** How often `firedThrough` has changed, and how many of these changes are stored. */
  moves = 0
  storedMoves = 0
  /** The due times up to this one are in `#waiting`, or have a job, or were skipped. */
  #decided: number
  #waiting: Waiting[] = []
  /** The next due time, and when its job starts. Undefined if unknown. */
  #next: { due: number | undefined; at: number } | undefined

  constructor(
    name: string,
    definition: ScheduleDefinition,
    calendar: Calendar | { problem: string },
    rules: ScheduleRules
  ) {
    this.name = name
    this.definition = definition
    this.#calendar = calendar
    this.#rules = rules
    this.firedThrough = definition.addedAt
    this.#decided = definition.addedAt
  }

  get isOnce(): boolean {
    return this.definition.times.type === 'once'
  }

  /** Why the due times cannot be computed. */
  get problem(): string | undefined {
    return 'problem' in this.#calendar ? this.#calendar.problem : undefined
  }

  /** Takes over a mark of an earlier leader. */
  adopt({ firedThrough, isPaused, skipped, last }: ScheduleMark): void {
    Object.assign(this, { isPaused, skipped, last })
    this.#reach(firedThrough)
  }

  mark(): ScheduleMark {
    const { firedThrough, isPaused, skipped, last } = this
    return { kind: 'mark', id: this.definition.id, firedThrough, isPaused, skipped, last }
  }

  state(problem: string | undefined): ScheduleState {
    const { id, times, missed, overlap, catchUp, jitter, submission } = this.definition
    const { name, isPaused, last, skipped } = this
    const terms = { id, times, missed, overlap, catchUp, jitter }
    const next = isPaused ? undefined : (this.#waiting[0]?.due ?? this.#plan().due)
    return { ...terms, name, task: submission.task, isPaused, next, last, skipped, problem }
  }

  /** When the schedule must be looked at again, by the wall clock. */
  get nextAt(): number {
    return this.isPaused ? NEVER : this.#plan().at
  }

  /** Forgets the due times that wait, and continues after `through`. */
  moveTo(through: number): void {
    this.#reach(through)
    this.isChanged = true
    this.moves += 1
  }

  /** Forgets the due times that wait, also for room, until `decide` finds them again. */
  dropWaiting(): void {
    if (this.starting?.retryAt !== undefined) this.starting = undefined
    this.#reach(this.firedThrough)
  }

  #reach(through: number): void {
    this.firedThrough = through
    this.#decided = through
    this.#waiting = []
    this.#next = undefined
  }

  /** Decides which due times up to `now` start jobs. Returns those that are skipped. `hasJob`: whether an earlier leader has started the job of a due time. */
  decide(now: number, hasJob: (due: number) => boolean): Skipped[] {
    const plan = this.#plan()
    if (plan.due === undefined || !this.#rules.isDue(plan.at, now)) return []
    this.#next = undefined
    if (this.isOnce || hasJob(plan.due)) {
      this.#decided = this.isOnce ? NEVER : plan.due
      this.#waiting.push({ due: plan.due, skips: 0 })
      return []
    }
    const { catchUp } = this.definition
    // One more than is kept, and one more whose job may start later than now, because of the jitter.
    const backlog = backlogOf(this.#calendar as Calendar, this.#decided, Math.max(plan.due, now), catchUp + 2)
    if (backlog.dues.length > 1 && !this.#rules.isDue(this.#startOf(backlog.dues.at(-1)!), now)) {
      backlog.dues.pop()
      backlog.count -= 1
    }
    const dues = backlog.dues.slice(-catchUp)
    this.#decided = dues.at(-1)!
    const kept = this.#keptOf(dues, now)
    const skipped: Skipped[] = []
    const count = backlog.count - kept.length
    if (count > 0) {
      const last = backlog.dues.at(-kept.length - 1)!
      this.#waiting.push({ due: last, skips: count })
      const why = this.definition.missed === 'all' ? 'catch-up' : 'missed'
      skipped.push({ count, atLeast: backlog.atLeast, last, why })
    }
    for (const due of kept) this.#waiting.push({ due, skips: 0 })
    return [...skipped, ...this.#trim()]
  }

  /** Returns the next due time that starts a job. Moves the mark over those before it that are skipped. */
  head(): number | undefined {
    for (;;) {
      const [first] = this.#waiting
      if (first === undefined || first.skips === 0) return first?.due
      this.#pass(first.due)
      this.skipped += first.skips
    }
  }

  /** Skips the next due time, if it still waits. */
  skip(due: number): void {
    const [first] = this.#waiting
    if (first?.due === due) first.skips = 1
    this.head()
  }

  /** The next due time has a job. */
  started(job: string, due: number, state: RunState): void {
    this.starting = undefined
    this.refusal = undefined
    this.last = { job, due, state }
    this.#pass(due)
  }

  #pass(due: number): void {
    if (this.#waiting[0]?.due === due) this.#waiting.shift()
    this.firedThrough = Math.max(this.firedThrough, due)
    this.#decided = Math.max(this.#decided, due)
    this.isChanged = true
    this.moves += 1
  }

  #plan(): { due: number | undefined; at: number } {
    this.#next ??= this.#computePlan()
    return this.#next
  }

  #computePlan(): { due: number | undefined; at: number } {
    const { times } = this.definition
    if (times.type === 'once') {
      const due = this.#decided === NEVER ? undefined : times.at
      return { due, at: due ?? NEVER }
    }
    const due = 'problem' in this.#calendar ? undefined : this.#calendar.next(this.#decided)
    return { due, at: due === undefined ? NEVER : this.#startOf(due) }
  }

  /** When the job of a due time starts: before the next due time, so that the jobs start in order. */
  #startOf(due: number): number {
    const { jitter } = this.definition
    if (jitter === 0) return due
    const next = (this.#calendar as Calendar).next(due) ?? NEVER
    return due + this.#rules.delay(this.name, due, Math.min(jitter, next - due))
  }

  /** Returns the due times that start jobs although some of them may have been missed. */
  #keptOf(dues: number[], now: number): number[] {
    if (this.definition.missed === 'all') return dues
    const lateOf = (due: number): number => now - this.#startOf(due)
    const onTime = dues.filter(due => this.#rules.isOnTime(lateOf(due)))
    if (onTime.length > 0) return onTime
    const newest = dues.slice(-1)
    return this.definition.missed === 'one' ? newest : newest.filter(due => this.#rules.isRecent(lateOf(due)))
  }

  /** Skips the oldest due times that wait if there are too many. */
  #trim(): Skipped[] {
    const jobs = this.#waiting.filter(({ skips }) => skips === 0)
    const kept = new Set(
      this.#rules.kept(
        jobs.map(({ due }) => due),
        this.definition.catchUp
      )
    )
    const dropped = jobs.filter(({ due }) => !kept.has(due))
    for (const waiting of dropped) waiting.skips = 1
    if (dropped.length === 0) return []
    return [{ count: dropped.length, atLeast: false, last: dropped.at(-1)!.due, why: 'catch-up' }]
  }
}
