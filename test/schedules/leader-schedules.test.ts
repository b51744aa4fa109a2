import pDefer from 'p-defer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_LIMITS, type Limits } from '../../src/common/limits.ts'
import { silent } from '../../src/common/logger.ts'
import type { DueJobs, DueRefusal } from '../../src/jobs/leader/due-jobs.ts'
import type { Submission } from '../../src/jobs/protocol/submit-messages.ts'
import type { NoRoom } from '../../src/journal/journal-room.ts'
import type { NewSchedule, RunState, ScheduleRecord } from '../../src/journal/schedule-record.ts'
import { loadCalendars } from '../../src/schedules/calendar.ts'
import { LeaderSchedules } from '../../src/schedules/leader-schedules.ts'
import type { ScheduleReply, ScheduleRequest } from '../../src/schedules/messages.ts'

const START = Date.UTC(2026, 10, 28, 3)
const SHA = '00'.repeat(32)

/** The jobs and the journal of a leadership that replicates at once. */
class FakeJobs {
  readonly epoch = 1
  readonly entries = new Map<string, ScheduleRecord>()
  readonly submitted: { job: string; submission: Submission }[] = []
  readonly states = new Map<string, RunState>()
  readonly cancelledJobs: string[] = []
  room: NoRoom | undefined
  refusal: DueRefusal | undefined
  taken = 0
  /** Whether entries are replicated. */
  replicates = true
  disks = 1
  /** On how many disks each entry must be. */
  readonly durable = new Map<string, number>()
  readonly later = {
    held: () => {},
    cancelled: (job: string): void => void this.cancelledJobs.push(job),
    sendAway: (job: string): void => void this.sentAway.push(job)
  }
  readonly sentAway: string[] = []
  /** The requests that wait until an adopted schedule is stored. */
  readonly waiting: (() => void)[] = []
  #unstored: string | undefined

  write(key: string, record: ScheduleRecord, durable: number, done: () => void): void {
    this.entries.set(key, record)
    this.durable.set(key, durable)
    if (this.replicates) setImmediate(done)
  }

  /** An adopted entry is not stored by enough peers, until the returned function is called. */
  unstored(key: string): () => void {
    this.#unstored = key
    return () => {
      this.#unstored = undefined
      for (const run of this.waiting.splice(0)) run()
    }
  }

  forget(key: string): void {
    this.entries.delete(key)
  }

  take(bytes: number): NoRoom | undefined {
    if (this.room === undefined) this.taken += bytes
    return this.room
  }

  submit(job: string, submission: Submission): DueRefusal | undefined {
    if (this.refusal === undefined) this.submitted.push({ job, submission })
    return this.refusal
  }

  stateOf = (job: string): RunState | undefined => this.states.get(job)
  isStored = (key: string): boolean => key !== this.#unstored
  whenStored(key: string, run: () => void): void {
    if (this.isStored(key)) setImmediate(run)
    else this.waiting.push(run)
  }

  isTaken = (): boolean => false
  cancel(job: string, _submission: Submission, done: () => void): void {
    this.states.set(job, 'cancelled')
    setImmediate(done)
  }
}

let jobs: FakeJobs
let leading: LeaderSchedules
let ahead: number | undefined
let lasts: boolean
let load: typeof loadCalendars
let logged: { level: string; fields: object; text: string }[]

const log = (level: string) => (fields: object, text?: string) => void logged.push({ level, fields, text: text ?? '' })

function lead(limits: Partial<Limits> = {}): LeaderSchedules {
  return new LeaderSchedules({
    jobs: jobs as unknown as DueJobs,
    limits: { ...DEFAULT_LIMITS, ...limits },
    logger: { ...silent, info: log('info'), warn: log('warn'), error: log('error') },
    loadCalendars: () => load(),
    wall: Date.now,
    clockOffset: () => ahead,
    lasts: () => lasts,
    onStop: () => {}
  })
}

beforeEach(async () => {
  await loadCalendars()
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  jobs = new FakeJobs()
  ahead = undefined
  lasts = true
  load = loadCalendars
  logged = []
  leading = lead()
})

afterEach(() => {
  leading.stop()
  vi.useRealTimers()
})

function scheduled(change: Partial<NewSchedule> = {}, bytes = 10): NewSchedule {
  const submission: Submission = {
    ...{ task: 'due', sha256: SHA, code: new Uint8Array(bytes), input: new Uint8Array(), inputSha256: SHA },
    ...{
      retries: 0,
      speculate: true,
      requires: {},
      chunkTimeout: undefined,
      priority: 0,
      detach: false,
      durable: 0,
      keep: 0
    },
    partials: false
  }
  const times = { type: 'cron', cron: '* * * * * *', timeZone: 'UTC' } as const
  return { id: 's', times, missed: 'one', overlap: 'allow', catchUp: 100, jitter: 0, submission, ...change }
}

/** Asks the leader. The answers that have come are in the list. */
function ask(request: ScheduleRequest): ScheduleReply[] {
  const replies: ScheduleReply[] = []
  void leading.onRequest(request, async reply => void replies.push(reply))
  return replies
}

/** Lets what has been queued run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    vi.advanceTimersByTime(100)
    await settle()
  }
}

async function add(name: string, schedule = scheduled()): Promise<ScheduleReply[]> {
  const replies = ask({ type: 'add', name, schedule })
  await settle()
  return replies
}

test('a due time submits a detached job that knows the due time, and the mark follows when the job is accepted', async () => {
  leading.ready()
  expect(await add('tick')).toMatchObject([{ type: 'done', state: { name: 'tick', next: START + 1_000 } }])
  await pass(1_100)
  const id = 'tick@2026-11-28T03:00:01Z'
  expect(jobs.submitted).toMatchObject([{ job: id, submission: { detach: true, scheduledFor: START + 1_000 } }])
  expect(jobs.entries.get('mark/tick')).toBeUndefined()
  await pass(2_000)
  expect(jobs.submitted).toHaveLength(1)
  jobs.states.set(id, 'running')
  leading.onJob(id, 'running')
  await settle()
  expect(jobs.entries.get('mark/tick')).toMatchObject({
    firedThrough: START + 1_000,
    last: { job: id, due: START + 1_000 }
  })
})

test('a request waits until the leader knows the schedules of earlier leaders', async () => {
  const [list, addition] = [ask({ type: 'list', after: '' }), ask({ type: 'add', name: 'tick', schedule: scheduled() })]
  await settle()
  expect([list, addition]).toEqual([[], []])
  leading.ready()
  await settle()
  expect(addition).toMatchObject([{ type: 'done' }])
  expect(list).toMatchObject([{ type: 'schedules', more: false }])
})

test('the next leader lists a schedule that it has adopted, also to a client that asks while the calendars are loaded', async () => {
  const loading = pDefer<void>()
  load = () => loading.promise.then(loadCalendars)
  const definition: ScheduleRecord = { kind: 'definition', ...scheduled(), addedAt: START }
  leading.adopted('schedule/tick', definition)
  const lists = [ask({ type: 'list', after: '' })]
  leading.ready()
  lists.push(ask({ type: 'list', after: '' }))
  await settle()
  expect(lists).toEqual([[], []])
  loading.resolve()
  await settle()
  expect(lists).toMatchObject(lists.map(() => [{ type: 'schedules', schedules: [{ name: 'tick' }] }]))
})

test('a leader that stops sends the clients that wait to the next leader', async () => {
  const early = ask({ type: 'list', after: '' })
  leading.ready()
  jobs.replicates = false
  const waiting = ask({ type: 'add', name: 'tick', schedule: scheduled() })
  await settle()
  expect(early).toMatchObject([{ type: 'schedules' }])
  expect(waiting).toEqual([])
  leading.stop()
  expect(waiting).toEqual([{ type: 'not-leader' }])
})

test('requests beyond the limit of those that wait for the leader are sent away', async () => {
  leading = lead({ waitingRequests: 1 })
  ask({ type: 'list', after: '' })
  const second = ask({ type: 'list', after: '' })
  await settle()
  expect(second).toEqual([{ type: 'not-leader' }])
})

test('a repeated addition is answered, and takes its room once', async () => {
  leading.ready()
  for (let times = 0; times < 2; times++) expect(await add('tick')).toMatchObject([{ type: 'done' }])
  expect(jobs.taken).toBe(10)
  expect(await add('tick', scheduled({ id: 'other' }))).toEqual([{ type: 'exists' }])
  expect(jobs.taken).toBe(10)
})

test('a schedule is refused while the data folder has no room for it', async () => {
  leading.ready()
  jobs.room = { reason: 'the disk is full', isBrief: false }
  expect(await add('tick')).toEqual([{ type: 'refused', reason: 'the disk is full', notAdmitted: false, noRoom: true }])
  expect(jobs.entries.size).toBe(0)
})

test('a schedule is refused if the code and inputs of all schedules would be too large', async () => {
  leading = lead({ jobBytes: 2_500 })
  leading.ready()
  for (const name of ['a', 'b']) expect(await add(name, scheduled({}, 1_000))).toMatchObject([{ type: 'done' }])
  expect(await add('c', scheduled({}, 1_000))).toMatchObject([{ type: 'refused', noRoom: true }])
  ask({ type: 'remove', name: 'a' })
  await settle()
  expect(await add('c', scheduled({}, 1_000))).toMatchObject([{ type: 'done' }])
})

function durable(times?: NewSchedule['times']): NewSchedule {
  const schedule = scheduled(times && { times })
  return { ...schedule, submission: { ...schedule.submission, durable: 2 } }
}

const SHORTAGE = { type: 'refused', noRoom: false, notDurable: { disks: 1, durable: 2 } } as const

test.each<[string, NewSchedule]>([
  ['a schedule', durable()],
  ['a job that starts later', durable({ type: 'once', at: START + 5_000 })]
])('%s is refused while there are fewer disks than it asks for', async (_what, schedule) => {
  leading.ready()
  const [reply] = await add('night', schedule)
  expect(reply).toMatchObject({ ...SHORTAGE, reason: expect.stringContaining('must be on 2 disks') })
  expect([jobs.entries.size, jobs.taken]).toEqual([0, 0])
  jobs.disks = 2
  expect(await add('night', schedule)).toMatchObject([{ type: 'done' }])
})

test('the definition and the marks of a schedule are on as many disks as it asks for, and its end waits for none', async () => {
  jobs.disks = 2
  leading.ready()
  await add('night', durable())
  ask({ type: 'pause', name: 'night' })
  await settle()
  expect([...jobs.durable]).toEqual([
    ['schedule/night', 2],
    ['mark/night', 2]
  ])
  ask({ type: 'remove', name: 'night' })
  await settle()
  expect(jobs.durable.get('schedule/night')).toBe(0)
})

test('a schedule whose disks are lost before they hold it is refused, and leaves nothing but its end', async () => {
  jobs.disks = 2
  jobs.replicates = false
  leading.ready()
  const replies = await add('later', durable({ type: 'once', at: START + 5_000 }))
  jobs.replicates = true
  leading.onNotDurable('mark/later', 1)
  expect(leading.laterJob('later')).toBeDefined()
  leading.onNotDurable('schedule/later', 1)
  expect(replies).toEqual([])
  expect(leading.laterJob('later')).toBeUndefined()
  await settle()
  expect(replies).toMatchObject([SHORTAGE])
  expect(jobs.entries.get('schedule/later')?.kind).toBe('removed')
  // No job with this id was cancelled, so that the id stays free.
  expect([jobs.states.size, jobs.sentAway]).toEqual([0, ['later']])
  expect(await add('later', { ...durable(), id: 't' })).toMatchObject([{ type: 'done' }])
})

test('a repeated addition to the next leader is answered when enough peers store the schedule', async () => {
  const stored = jobs.unstored('schedule/tick')
  leading.adopted('schedule/tick', { kind: 'definition', ...scheduled(), addedAt: START })
  leading.ready()
  const replies = await add('tick')
  expect(replies).toEqual([])
  expect(await add('tick', scheduled({ id: 'other' }))).toEqual([{ type: 'exists' }])
  stored()
  await settle()
  expect(replies).toMatchObject([{ type: 'done' }])
})

test('a job out of turn is refused while there are fewer disks than its schedule asks for', async () => {
  leading.ready()
  await add('tick')
  jobs.refusal = { reason: 'full', isFinal: false, notDurable: { disks: 1, durable: 2 } }
  const run = ask({ type: 'run', name: 'tick', time: START })
  await settle()
  expect(run).toMatchObject([{ type: 'refused', notDurable: { disks: 1, durable: 2 } }])
})

test('a leader whose clock differs from the clocks of the members starts no job, and says so', async () => {
  leading.ready()
  await add('tick', scheduled({ missed: 'all' }))
  ahead = -6_000
  await pass(3_100)
  expect(jobs.submitted).toEqual([])
  expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { event: 'schedule', aheadMs: -6_000 } }
  ])
  const [list] = ask({ type: 'list', after: '' })
  expect(list).toMatchObject({ schedules: [{ problem: expect.stringContaining('6.0 s behind') }] })
  ahead = 10
  await pass(1_100)
  expect(jobs.submitted).toMatchObject([{ job: 'tick@2026-11-28T03:00:01Z' }])
})

test('a job that the leader does not take now waits, the schedule says why, and it starts when there is room', async () => {
  leading.ready()
  await add('tick')
  jobs.refusal = { reason: '256 of 256 jobs are under way', isFinal: false }
  await pass(1_100)
  const [list] = ask({ type: 'list', after: '' })
  expect(list).toMatchObject({ schedules: [{ problem: '256 of 256 jobs are under way', skipped: 0 }] })
  expect(logged.filter(({ text }) => text.includes('refused'))).toHaveLength(1)
  jobs.refusal = undefined
  await pass(1_500)
  expect(jobs.submitted[0]).toMatchObject({ job: 'tick@2026-11-28T03:00:01Z' })
})

test('a job out of turn that the leader does not take is refused', async () => {
  leading.ready()
  await add('tick')
  jobs.refusal = { reason: 'full', isFinal: false }
  const run = ask({ type: 'run', name: 'tick', time: START })
  await settle()
  expect(run).toEqual([{ type: 'refused', reason: 'full', notAdmitted: false, noRoom: true }])
})

test('the next leader goes on from the mark, and a due time whose job it knows only gets its mark', async () => {
  const definition: ScheduleRecord = { kind: 'definition', ...scheduled({ missed: 'all' }), addedAt: START - 10_000 }
  leading.adopted('schedule/tick', definition)
  const mark = {
    kind: 'mark',
    id: 's',
    firedThrough: START - 2_000,
    isPaused: false,
    skipped: 0,
    last: undefined
  } as const
  leading.adopted('mark/tick', mark)
  jobs.states.set('tick@2026-11-28T02:59:59Z', 'completed')
  leading.ready()
  await settle()
  expect(jobs.submitted).toMatchObject([{ job: 'tick@2026-11-28T03:00:00Z' }])
  expect(jobs.entries.get('mark/tick')).toMatchObject({ firedThrough: START - 1_000, last: { state: 'completed' } })
})

test('a job that starts later has its id until it has started or was removed, and then it is cancelled before its schedule is removed', async () => {
  leading.ready()
  const later = scheduled({ times: { type: 'once', at: START + 5_000 } })
  await add('later', later)
  expect(leading.laterJob('later')).toBe(later.submission)
  expect(leading.laterJob('other')).toBeUndefined()
  leading.cancel('later')
  expect(jobs.states.get('later')).toBe('cancelled')
  expect(jobs.entries.get('schedule/later')?.kind).toBe('definition')
  await settle()
  expect(jobs.cancelledJobs).toEqual(['later'])
  expect(jobs.entries.get('schedule/later')?.kind).toBe('removed')
  expect(leading.laterJob('later')).toBeUndefined()
  await add('next', { ...later, id: 't' })
  await pass(5_100)
  expect(jobs.submitted).toMatchObject([{ job: 'next', submission: { scheduledFor: START + 5_000 } }])
  jobs.states.set('next', 'running')
  leading.onJob('next', 'running')
  await settle()
  expect(leading.laterJob('next')).toBeUndefined()
  expect(jobs.cancelledJobs).toEqual(['later'])
})

test('the same job that starts later is added once, whatever the id and the time of the second request', async () => {
  leading.ready()
  const times = { type: 'once', at: START + 5_000 } as const
  expect(await add('later', scheduled({ times }))).toMatchObject([{ type: 'done' }])
  const again = scheduled({ id: 't', times: { ...times, at: START + 9_000 } })
  expect(await add('later', again)).toMatchObject([{ type: 'done', state: { next: START + 5_000 } }])
  const submission = { ...again.submission, inputSha256: '11'.repeat(32) }
  expect(await add('later', { ...again, submission })).toEqual([{ type: 'exists' }])
  expect(await add('later', scheduled({ id: 'u' }))).toEqual([{ type: 'exists' }])
})

test('a leader whose lease is over denies nothing and lists nothing, but still confirms what is stored', async () => {
  leading.ready()
  await add('tick')
  lasts = false
  const other = scheduled({ id: 'other' })
  const asked = [
    ask({ type: 'add', name: 'tick', schedule: other }),
    ask({ type: 'run', name: 'none', time: START }),
    ask({ type: 'list', after: '' }),
    await add('bad', scheduled({ times: { type: 'cron', cron: 'x', timeZone: 'UTC' } }))
  ]
  await settle()
  expect(asked).toEqual(asked.map(() => [{ type: 'not-leader' }]))
  const paused = ask({ type: 'pause', name: 'tick' })
  await settle()
  expect(paused).toMatchObject([{ type: 'done', state: { isPaused: true } }])
})

test('a leader that cannot load what computes due times refuses schedules and says why, and goes on', async () => {
  load = () => Promise.reject(new Error('no such module'))
  const definition: ScheduleRecord = { kind: 'definition', ...scheduled(), addedAt: START }
  leading.adopted('schedule/old', definition)
  leading.ready()
  const reason = 'the leader cannot compute due times: no such module'
  expect(await add('tick')).toEqual([{ type: 'refused', reason, notAdmitted: false, noRoom: false }])
  const times = { type: 'once', at: START + 1_000 } as const
  expect(await add('once', scheduled({ times }))).toMatchObject([{ type: 'done' }])
  const [list] = ask({ type: 'list', after: '' })
  expect(list).toMatchObject({ schedules: [{ name: 'old', problem: reason }, { name: 'once' }] })
})
