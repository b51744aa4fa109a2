import { describe, expect, it } from 'vitest'
import type {
  NewSchedule,
  RunState,
  ScheduleDefinition,
  ScheduleMark,
  ScheduleRecord
} from '../../src/journal/schedule-record.ts'
import type { ScheduleEvent } from '../../src/schedules/core/events.ts'
import { definitionKey, dueJob, markKey, runJob, scheduleOf } from '../../src/schedules/core/keys.ts'
import { REMOVED_MS } from '../../src/schedules/core/rules.ts'
import { ScheduleTable } from '../../src/schedules/core/schedule-table.ts'

/** 2026-11-28T00:00:00Z. */
const MIDNIGHT = 1_795_824_000_000
const MINUTE = 60_000

function newSchedule(more: Partial<NewSchedule> = {}): NewSchedule {
  return {
    id: 'first',
    times: { type: 'cron', cron: '60', timeZone: 'UTC' },
    missed: 'one',
    overlap: 'skip',
    catchUp: 100,
    jitter: 0,
    submission: { task: 'sum' } as NewSchedule['submission'],
    ...more
  }
}

function once(at: number): NewSchedule {
  return newSchedule({ times: { type: 'once', at } })
}

/** Drives the schedules of a leader. The expression of a schedule is its period in seconds. Jobs and entries are stored at once, unless the test says otherwise. */
class Driver {
  now = 0
  /** The wall clock, in ms after midnight. */
  wall = 0
  ahead: number | undefined = 0
  stores = true
  readonly jobs = new Map<string, RunState>()
  readonly unstored = new Set<string>()
  readonly written = new Map<string, ScheduleRecord>()
  readonly table: ScheduleTable<string>
  #log: string[] = []

  constructor(schedules = 10) {
    this.table = new ScheduleTable({
      clock: () => ({ now: MIDNIGHT + this.wall, ahead: this.ahead }),
      calendar: cron => {
        const period = Number(cron) * 1_000
        return period > 0 ? { next: after => Math.floor(after / period + 1) * period } : { problem: 'never due' }
      },
      jobState: job => this.jobs.get(job),
      isStored: job => !this.unstored.has(job),
      limits: { schedules }
    })
  }

  /** A leader that has adopted `records`. */
  static after(records: ReadonlyMap<string, ScheduleRecord>, wall: number, jobs: [string, RunState][] = []): Driver {
    const driver = new Driver()
    driver.wall = wall
    for (const [key, record] of records) driver.do({ type: 'adopted', key, record })
    for (const [job, state] of jobs) {
      driver.jobs.set(job, state)
      if (state === 'running') driver.do({ type: 'job', job, state })
    }
    return driver.do({ type: 'ready' })
  }

  add(more: Partial<NewSchedule> = {}, name = 's'): this {
    return this.do({ type: 'put', name, schedule: newSchedule(more), token: 'add' })
  }

  do(event: ScheduleEvent<string>): this {
    for (const effect of this.table.handle(event, this.now)) {
      switch (effect.type) {
        case 'write':
          this.written.set(effect.key, effect.record)
          if (this.stores) this.do({ type: 'written', key: effect.key })
          break
        case 'forget':
          this.written.delete(effect.key)
          this.#log.push(`forget ${effect.key}`)
          break
        case 'fire':
          this.#log.push(`fire ${effect.job}`)
          if (this.stores) this.accept(effect.job)
          break
        case 'await':
          this.#log.push(`await ${effect.job}`)
          if (!this.unstored.has(effect.job))
            this.do({ type: 'job', job: effect.job, state: this.jobs.get(effect.job)! })
          break
        case 'answer':
          this.#log.push(`${effect.token}: ${effect.answer.type}`)
          break
        case 'report':
          this.#log.push(
            effect.report.type === 'skipped' ? `skip ${effect.report.count} ${effect.report.why}` : effect.report.type
          )
          break
      }
    }
    return this
  }

  accept(job: string): this {
    this.jobs.set(job, 'running')
    return this.do({ type: 'job', job, state: 'running' })
  }

  end(job: string): this {
    this.jobs.set(job, 'completed')
    return this.do({ type: 'job', job, state: 'completed' })
  }

  /** Sets the clocks to `wall` ms after midnight. */
  at(wall: number): this {
    this.now += Math.max(0, wall - this.wall)
    this.wall = wall
    return this.do({ type: 'timer', name: 'look' })
  }

  /** Returns what has happened since the last call. */
  log(): string[] {
    const log = this.#log
    this.#log = []
    return log
  }

  mark(name = 's'): ScheduleMark {
    return this.written.get(markKey(name)) as ScheduleMark
  }
}

const due = (minutes: number): string => dueJob('s', MIDNIGHT + minutes * MINUTE)

function ready(): Driver {
  return new Driver().do({ type: 'ready' })
}

describe('the ids of jobs', () => {
  it('have the name of the schedule and the due time', () => {
    expect(due(1)).toBe('s@2026-11-28T00:01:00Z')
    expect(scheduleOf(due(1))).toBe('s')
  })

  it('differ between a due time and a run at the same time', () => {
    expect(runJob('s', MIDNIGHT)).toBe('s@2026-11-28T00:00:00.000Z')
    expect(scheduleOf(runJob('s', MIDNIGHT))).toBe('s')
  })

  it('of other jobs belong to no schedule', () => {
    for (const job of ['s', 's@', '@2026-11-28T00:01:00Z', 's@2026-11-28', 's@2026-11-28T00:01:00'])
      expect(scheduleOf(job)).toBeUndefined()
  })
})

describe('a due time', () => {
  it('starts its job once, and the mark follows', () => {
    const driver = ready()
      .add()
      .at(MINUTE - 1)
    expect(driver.log()).toEqual(['add: done'])
    driver.at(MINUTE).at(MINUTE + 1)
    expect(driver.log()).toEqual([`fire ${due(1)}`])
    expect(driver.mark()).toMatchObject({ firedThrough: MIDNIGHT + MINUTE, last: { job: due(1), state: 'running' } })
  })

  it('waits until the definition is stored', () => {
    const driver = ready()
    driver.stores = false
    driver.add().at(MINUTE)
    expect(driver.log()).toEqual([])
    driver.do({ type: 'written', key: definitionKey('s') })
    expect(driver.log()).toEqual(['add: done', `fire ${due(1)}`])
  })

  it('waits for the mark of the one before it', () => {
    const driver = ready().add({ overlap: 'allow' })
    driver.stores = false
    driver
      .at(MINUTE)
      .at(2 * MINUTE)
      .accept(due(1))
      .at(2 * MINUTE + 1)
    driver.log()
    driver.do({ type: 'written', key: markKey('s') })
    expect(driver.log()).toEqual([`fire ${due(2)}`])
  })

  it('that has a job of an earlier leader only gets its mark', () => {
    const { written } = ready().add({ missed: 'all', overlap: 'allow' })
    const driver = Driver.after(written, 2 * MINUTE, [[due(1), 'completed']])
    expect(driver.log()).toEqual([`await ${due(1)}`, `fire ${due(2)}`])
    expect(driver.mark().firedThrough).toBe(MIDNIGHT + 2 * MINUTE)
  })

  it('that has a job of an earlier leader gets its mark when enough peers store the job', () => {
    const { written } = ready().add()
    const driver = new Driver()
    driver.unstored.add(due(1))
    driver.jobs.set(due(1), 'running')
    driver.wall = MINUTE
    for (const [key, record] of written) driver.do({ type: 'adopted', key, record })
    driver.do({ type: 'ready' }).do({ type: 'job', job: due(1), state: 'running' })
    expect(driver.mark()).toBeUndefined()
    driver.unstored.clear()
    driver.do({ type: 'job', job: due(1), state: 'running' })
    expect(driver.mark().firedThrough).toBe(MIDNIGHT + MINUTE)
  })

  it('starts its job later by its jitter, which is the same at each leader', () => {
    const { written } = ready().add({ jitter: 30_000 })
    const startOf = (): number => {
      const driver = Driver.after(written, MINUTE)
      while (driver.log().length === 0) driver.at(driver.wall + 100)
      return driver.wall
    }
    expect(startOf()).toBe(startOf())
    expect(startOf()).toBeGreaterThan(MINUTE)
    expect(startOf()).toBeLessThan(MINUTE + 30_000)
  })
})

describe('missed due times', () => {
  const firedBy = (missed: NewSchedule['missed'], wall: number, more: Partial<NewSchedule> = {}): string[] =>
    Driver.after(ready().add({ missed, overlap: 'allow', ...more }).written, wall).log()

  it('start the job of the newest', () => {
    expect(firedBy('one', 5 * MINUTE + 30_000)).toEqual(['skip 4 missed', `fire ${due(5)}`])
  })

  it('start no job, unless the newest is at most a minute late', () => {
    const hour = { times: { type: 'cron', cron: '3600', timeZone: 'UTC' } as const }
    expect(firedBy('skip', 61 * MINUTE + 1, hour)).toEqual(['skip 1 missed'])
    expect(firedBy('skip', 61 * MINUTE, hour)).toEqual([`fire ${due(60)}`])
  })

  it('start all jobs in order', () => {
    expect(firedBy('all', 3 * MINUTE)).toEqual([1, 2, 3].map(minutes => `fire ${due(minutes)}`))
  })

  it('start the newest jobs up to the bound', () => {
    expect(firedBy('all', 5 * MINUTE, { catchUp: 2 })).toEqual(['skip 3 catch-up', `fire ${due(4)}`, `fire ${due(5)}`])
  })

  it('of years are skipped at once', () => {
    const second = { times: { type: 'cron', cron: '1', timeZone: 'UTC' } as const, catchUp: 2 }
    const driver = Driver.after(
      ready().add({ missed: 'all', overlap: 'allow', ...second }).written,
      3 * 365 * 24 * 60 * MINUTE
    )
    const jobs = driver.log().filter(line => line.startsWith('fire'))
    expect(jobs).toEqual([-1_000, 0].map(ms => `fire ${dueJob('s', MIDNIGHT + driver.wall + ms)}`))
  })

  it('are counted in the mark that covers them', () => {
    const driver = Driver.after(ready().add().written, 5 * MINUTE + 30_000)
    expect(driver.mark()).toMatchObject({ skipped: 4, firedThrough: MIDNIGHT + 5 * MINUTE })
  })

  it('that are a few seconds late are on time', () => {
    expect(firedBy('skip', 5_000, { times: { type: 'cron', cron: '1', timeZone: 'UTC' } })).toHaveLength(5)
  })
})

describe('a due time while the last job runs', () => {
  const second = (overlap: NewSchedule['overlap'], more: Partial<NewSchedule> = {}): Driver => {
    const driver = ready()
      .add({ overlap, ...more })
      .at(MINUTE)
    driver.log()
    return driver.at(2 * MINUTE)
  }

  it('is skipped', () => {
    const driver = second('skip')
    expect(driver.log()).toEqual(['skip 1 overlap'])
    expect(driver.mark()).toMatchObject({ skipped: 1, firedThrough: MIDNIGHT + 2 * MINUTE })
  })

  it('waits for its end', () => {
    const driver = second('queue')
    expect(driver.log()).toEqual([])
    driver.end(due(1))
    expect(driver.log()).toEqual([`fire ${due(2)}`])
  })

  it('is skipped if too many wait already', () => {
    const driver = second('queue', { catchUp: 1 }).at(3 * MINUTE)
    expect(driver.log()).toEqual(['skip 1 catch-up'])
    driver.end(due(1))
    expect(driver.log()).toEqual([`fire ${due(3)}`])
  })

  it('starts its job as well', () => {
    expect(second('allow').log()).toEqual([`fire ${due(2)}`])
  })

  it('waits for a job of an earlier leader', () => {
    const { written } = ready().add({ overlap: 'queue' }).at(MINUTE)
    const driver = Driver.after(written, 2 * MINUTE, [[due(1), 'running']])
    expect(driver.log()).toEqual([])
    driver.end(due(1))
    expect(driver.log()).toEqual([`fire ${due(2)}`])
  })
})

describe('a wrong clock', () => {
  it('fires nothing, and says so once', () => {
    const driver = ready().add()
    driver.log()
    driver.ahead = 5_001
    driver.at(MINUTE).at(MINUTE + 1)
    expect(driver.log()).toEqual(['clock'])
    expect(driver.table.states()[0]?.problem).toBe(
      'the clock of the leader is 5.0 s ahead of the clocks of the members'
    )
    driver.ahead = 5_000
    driver.at(MINUTE + 2)
    expect(driver.log()).toEqual(['clock-right', `fire ${due(1)}`])
  })

  it('that is set back fires no due time again', () => {
    const driver = ready().add().at(MINUTE).at(30_000)
    driver.end(due(1))
    driver.log()
    driver.at(MINUTE)
    expect(driver.log().filter(line => line.startsWith('fire'))).toEqual([])
  })

  it('that was far ahead leaves a mark that is set to the time of the members', () => {
    const { written } = ready()
      .add()
      .at(60 * MINUTE)
    const driver = Driver.after(written, MINUTE + 30_000)
    expect(driver.log()).toEqual(['reset'])
    driver.at(2 * MINUTE)
    expect(driver.log()).toEqual([`fire ${due(2)}`])
  })

  it('does not count in the time from which a new schedule counts', () => {
    const driver = ready()
    driver.ahead = 3_000
    driver.add()
    expect(driver.written.get(definitionKey('s'))).toMatchObject({ addedAt: MIDNIGHT - 3_000 })
  })

  it('that goes forward misses the due times in between', () => {
    const driver = ready()
      .add({ overlap: 'allow' })
      .at(10 * MINUTE)
    expect(driver.log()).toEqual(['add: done', 'skip 9 missed', `fire ${due(10)}`])
  })
})

describe('a paused schedule', () => {
  it('fires nothing, and due times of the pause have no jobs', () => {
    const driver = ready()
      .add({ missed: 'all' })
      .do({ type: 'pause', name: 's', token: 'pause' })
      .at(2 * MINUTE)
    driver.do({ type: 'resume', name: 's', token: 'resume' }).at(2 * MINUTE + 1)
    expect(driver.log()).toEqual(['add: done', 'pause: done', 'resume: done'])
    driver.at(3 * MINUTE)
    expect(driver.log()).toEqual([`fire ${due(3)}`])
  })

  it('is paused at the next leader', () => {
    const { written } = ready().add().do({ type: 'pause', name: 's', token: 'pause' })
    const driver = Driver.after(written, 2 * MINUTE)
    expect(driver.log()).toEqual([])
    expect(driver.table.states()[0]).toMatchObject({ isPaused: true, next: undefined })
  })

  it('does not try a refused job again', () => {
    const driver = ready().add()
    driver.stores = false
    driver.at(MINUTE).do({ type: 'refused', job: due(1), reason: 'full', isFinal: false })
    driver.do({ type: 'pause', name: 's', token: 'pause' })
    driver.log()
    expect(driver.at(MINUTE + 10_000).log()).toEqual([])
  })

  it('starts a job that a client asks for', () => {
    const driver = ready().add().do({ type: 'pause', name: 's', token: 'pause' })
    driver.log()
    driver.do({ type: 'run', name: 's', time: MIDNIGHT + 5, token: 'run' })
    expect(driver.log()).toEqual([`fire ${runJob('s', MIDNIGHT + 5)}`, 'run: run'])
  })
})

describe('a refused job', () => {
  it('is submitted again, and the schedule says why it waits', () => {
    const driver = ready().add()
    driver.stores = false
    driver.at(MINUTE).do({ type: 'refused', job: due(1), reason: 'full', isFinal: false })
    expect(driver.table.states()[0]?.problem).toBe('full')
    expect(driver.at(MINUTE + 999).log()).toEqual(['add: done', `fire ${due(1)}`, 'refused'])
    expect(driver.at(MINUTE + 1_000).log()).toEqual([`fire ${due(1)}`])
    driver.accept(due(1))
    expect(driver.table.states()[0]?.problem).toBeUndefined()
  })

  it('for good skips its due time', () => {
    const driver = ready().add()
    driver.stores = false
    driver.at(MINUTE)
    driver.stores = true
    driver.do({ type: 'refused', job: due(1), reason: 'the id is taken', isFinal: true })
    expect(driver.log()).toEqual(['add: done', `fire ${due(1)}`, 'refused', 'skip 1 refused'])
    expect(driver.mark()).toMatchObject({ skipped: 1, firedThrough: MIDNIGHT + MINUTE })
  })
})

describe('a request', () => {
  it('to add a schedule again with the same id is answered again, and with another id refused', () => {
    const driver = ready().add().add().add({ id: 'second' })
    expect(driver.log()).toEqual(['add: done', 'add: done', 'add: exists'])
  })

  it('to add more schedules than the limit is refused', () => {
    const driver = new Driver(1).do({ type: 'ready' }).add().add({}, 'other')
    expect(driver.log()).toEqual(['add: done', 'add: refused'])
  })

  it('to add an expression that is never due is refused', () => {
    expect(
      ready()
        .add({ times: { type: 'cron', cron: '0', timeZone: 'UTC' } })
        .log()
    ).toEqual(['add: refused'])
  })

  it('for a schedule that does not exist is answered so', () => {
    const driver = ready()
    for (const type of ['remove', 'pause', 'resume'] as const) driver.do({ type, name: 's', token: type })
    driver.do({ type: 'run', name: 's', time: 1, token: 'run' })
    expect(driver.log()).toEqual(['remove: unknown', 'pause: unknown', 'resume: unknown', 'run: unknown'])
  })

  it('to run now starts one job, however often it is repeated, and leaves the mark', () => {
    const driver = ready().add()
    for (let i = 0; i < 2; i++) driver.do({ type: 'run', name: 's', time: MIDNIGHT + 5, token: 'run' })
    const job = runJob('s', MIDNIGHT + 5)
    expect(driver.log()).toEqual(['add: done', `fire ${job}`, 'run: run', `await ${job}`, 'run: run'])
    expect(driver.mark()).toMatchObject({ firedThrough: MIDNIGHT, last: { job } })
  })
})

describe('a removed schedule', () => {
  it('fires nothing, here and at the next leader, and its name is free', () => {
    const driver = ready().add().do({ type: 'remove', name: 's', token: 'remove' })
    expect(driver.log()).toEqual(['add: done', 'forget mark/s', 'remove: done'])
    expect(Driver.after(driver.written, MINUTE).log()).toEqual([])
    driver.add({ id: 'second' }).at(MINUTE)
    expect(driver.log()).toEqual(['add: done', `fire ${due(1)}`])
  })

  it('does not come back with an old entry', () => {
    const driver = ready().add()
    const definition = driver.written.get(definitionKey('s')) as ScheduleDefinition
    driver.do({ type: 'remove', name: 's', token: 'remove' })
    driver.do({ type: 'adopted', key: definitionKey('s'), record: definition })
    expect(driver.table.size).toBe(0)
  })

  it('is remembered for a day', () => {
    const driver = ready().add().do({ type: 'remove', name: 's', token: 'remove' })
    driver.log()
    expect(driver.at(REMOVED_MS - 1).log()).toEqual([])
    expect(driver.at(REMOVED_MS).log()).toEqual(['forget schedule/s'])
  })

  it('leaves no mark to a new schedule of the name', () => {
    const driver = ready().add().do({ type: 'pause', name: 's', token: 'pause' })
    const old = driver.mark()
    driver.do({ type: 'remove', name: 's', token: 'remove' }).add({ id: 'second' })
    const records = new Map([...driver.written, [markKey('s'), old]])
    expect(Driver.after(records, MINUTE).log()).toEqual([`fire ${due(1)}`])
  })

  it('is removed after its definition is stored, and each client gets its answer', () => {
    const driver = ready()
    driver.stores = false
    driver.add().do({ type: 'remove', name: 's', token: 'remove' })
    driver.do({ type: 'written', key: definitionKey('s') })
    expect(driver.log()).toEqual(['add: done'])
    driver.do({ type: 'written', key: definitionKey('s') })
    expect(driver.log()).toEqual(['forget mark/s', 'remove: done'])
  })

  it('is removed although its mark is not stored, and the client that waits for the mark learns that', () => {
    const driver = ready().add()
    driver.stores = false
    driver.do({ type: 'pause', name: 's', token: 'pause' }).do({ type: 'remove', name: 's', token: 'remove' })
    driver.do({ type: 'written', key: definitionKey('s') })
    expect(driver.log()).toEqual(['add: done', 'forget mark/s', 'remove: done', 'pause: unknown'])
  })
})

describe('a job at a later time', () => {
  const put = (driver: Driver): Driver =>
    driver.do({ type: 'put', name: 'job', schedule: once(MIDNIGHT + MINUTE), token: 'add' })

  it('starts once, and its schedule ends', () => {
    const driver = put(ready()).at(MINUTE)
    expect(driver.log()).toEqual(['add: done', 'fire job', 'forget mark/job'])
    expect(driver.table.size).toBe(0)
    expect(put(driver).log()).toEqual(['add: done'])
    expect(driver.at(2 * MINUTE).log()).toEqual([])
  })

  it('starts as soon as there is a leader', () => {
    const { written } = put(ready())
    expect(Driver.after(written, 60 * MINUTE).log()).toEqual(['fire job', 'forget mark/job'])
  })

  it('that an earlier leader has started does not start again', () => {
    const { written } = put(ready())
    expect(Driver.after(written, MINUTE, [['job', 'completed']]).log()).toEqual(['await job', 'forget mark/job'])
  })
})

it('the state of a schedule has its next due time, its last job and the outcome of that', () => {
  const driver = ready().add().at(MINUTE).end(due(1))
  expect(driver.table.states()).toMatchObject([
    {
      name: 's',
      task: 'sum',
      next: MIDNIGHT + 2 * MINUTE,
      last: { job: due(1), due: MIDNIGHT + MINUTE, state: 'completed' }
    }
  ])
  expect(driver.mark().last?.state).toBe('completed')
})

it('the next leader learns the outcome of the last job', () => {
  const { written } = ready().add().at(MINUTE)
  const driver = Driver.after(written, MINUTE + 1, [[due(1), 'failed']])
  expect(driver.table.states()[0]?.last?.state).toBe('failed')
  expect(driver.mark().last?.state).toBe('failed')
})
