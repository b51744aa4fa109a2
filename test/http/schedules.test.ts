import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ScheduleInfo } from '../../src/api/schedule-types.ts'
import { type Answer, ENDLESS, Served, SUM } from './served.ts'

const SOON = { timeout: 60_000 }
/** Once a year, so that no job runs by itself. */
const YEARLY = '0 3 1 1 *'

describe('schedules over HTTP', () => {
  let served: Served

  const add = (body: object): Promise<Answer> =>
    served.own('/api/schedules', { method: 'POST', body: JSON.stringify(body) })
  const act = (path: string, method = 'POST'): Promise<Answer> => served.own(`/api/schedules/${path}`, { method })
  const get = async (name: string): Promise<ScheduleInfo> => (await served.ask(`/api/schedules/${name}`)).json

  beforeAll(async () => {
    served = await Served.start()
    await served.leads()
  })

  afterEach(async () => {
    for (const { name } of (await served.ask('/api/schedules')).json as ScheduleInfo[]) await act(name, 'DELETE')
  })

  afterAll(() => served.stop())

  it('a schedule is added with a path or with its source, and listed without the token', async () => {
    const options = {
      timeZone: 'Europe/Berlin',
      missed: 'all',
      overlap: 'queue',
      catchUp: 5,
      jitter: 1_000,
      retries: 2
    }
    const added = await add({ name: 'yearly', cron: YEARLY, source: SUM, input: { numbers: [1, 2] }, options })
    const { retries, ...shown } = options
    expect([added.status, added.headers.location]).toEqual([201, '/api/schedules/yearly'])
    expect(added.json).toEqual({
      name: 'yearly',
      cron: YEARLY,
      at: null,
      ...shown,
      task: 'sum',
      state: 'active',
      next: expect.any(Number),
      last: null,
      skipped: 0,
      problem: null
    })
    const inBerlin = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short'
    })
    expect(inBerlin.format(added.json.next)).toMatch(/-01-01 03:00$/)
    await add({ name: 'another', cron: YEARLY, task: await served.file('sum.ts', SUM), input: { numbers: [] } })
    const { json } = await served.ask('/api/schedules')
    expect(json.map(({ name }: ScheduleInfo) => name)).toEqual(['another', 'yearly'])
    expect(json[1]).toEqual(added.json)
    expect(await get('yearly')).toEqual(added.json)
  })

  it('the leader runs the task at the due times, also after the request is over', async () => {
    await add({ name: 'pulse', cron: '* * * * * *', source: SUM, input: { numbers: [3] } })
    await expect.poll(async () => (await get('pulse')).last?.state, SOON).toBe('completed')
    const { job, due } = (await get('pulse')).last!
    expect(job).toBe(`pulse@${new Date(due).toISOString().replace('.000Z', 'Z')}`)
    expect((await served.own(`/api/jobs/${job}/result?wait=60`)).json).toBe(9)
  })

  it('a schedule is paused, resumed, run now and removed with the token', async () => {
    await add({ name: 'yearly', cron: YEARLY, source: SUM, input: { numbers: [1, 2] } })
    const paused = await act('yearly/pause')
    expect([paused.status, paused.json.state, paused.json.next]).toEqual([200, 'paused', null])
    expect(await get('yearly')).toEqual(paused.json)

    const ran = await act('yearly/run')
    const { jobId } = ran.json
    expect([ran.status, ran.json, ran.headers.location]).toEqual([
      201,
      { jobId: expect.stringMatching(/^yearly@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), state: 'accepted' },
      `/api/jobs/${jobId}`
    ])
    expect((await served.own(`/api/jobs/${jobId}/result?wait=60`)).json).toBe(5)
    await expect.poll(async () => (await get('yearly')).last, SOON).toMatchObject({ job: jobId, state: 'completed' })

    const resumed = await act('yearly/resume')
    expect([resumed.status, resumed.json.state, resumed.json.next]).toEqual([200, 'active', expect.any(Number)])
    const removed = await act('yearly', 'DELETE')
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await served.ask('/api/schedules')).json).toEqual([])
  })

  it('a name without a schedule gets 404 from each route', async () => {
    const answers = [await act('none', 'DELETE'), await served.ask('/api/schedules/none')]
    for (const action of ['pause', 'resume', 'run']) answers.push(await act(`none/${action}`))
    for (const { status, json } of answers) expect([status, json.error.name]).toEqual([404, 'NoSuchScheduleError'])
  })

  it.each<[string, object, RegExp]>([
    ['a cron expression that is wrong', { cron: '61 * * * *' }, /61 \* \* \* \*/],
    ['a cron expression that is never due', { cron: '0 0 30 2 *' }, /never/],
    ['an unknown time zone', { options: { timeZone: 'Europe/Berln' } }, /Europe\/Berln/],
    ['an unknown policy', { options: { missed: 'some' } }, /missed/],
    ['too many jobs to catch up', { options: { catchUp: 1_001 } }, /catchUp/],
    ['negative jitter', { options: { jitter: -1 } }, /jitter/],
    ['a name with a slash', { name: 'a/b' }, /name/],
    ['no name', { name: undefined }, /`name` must be a string/],
    ['no cron expression', { cron: 5 }, /`cron` must be a string/],
    ['no task', { source: undefined }, /`task`/],
    ['an unknown field', { crom: YEARLY }, /crom/],
    ['an id', { options: { id: 'x' } }, /"id"/],
    ['an option of another type', { options: { catchUp: '5' } }, /`options.catchUp` must be a number/]
  ])('%s gets 400 and a message, and adds nothing', async (_, fields, said) => {
    const { status, json } = await add({ name: 'x', cron: YEARLY, source: SUM, ...fields })
    expect([status, json.error.name]).toEqual([400, 'InvalidOptionError'])
    expect(json.error.message).toMatch(said)
    expect((await served.ask('/api/schedules')).json).toEqual([])
  })

  it('a name that exists gets 409, and the schedule stays as it was', async () => {
    await add({ name: 'yearly', cron: YEARLY, source: SUM })
    const before = await get('yearly')
    const { status, json } = await add({ name: 'yearly', cron: '* * * * * *', source: ENDLESS })
    expect([status, json.error.name]).toEqual([409, 'ScheduleExistsError'])
    expect(json.error.message).toContain('yearly')
    expect(await get('yearly')).toEqual(before)
  })

  it('a job with `at` is listed until it is due, and then runs once', async () => {
    const at = Date.now() + 1_500
    const { status, json } = await served.submit({ source: SUM, input: { numbers: [4] }, options: { id: 'later', at } })
    expect([status, json]).toEqual([201, { jobId: 'later', state: 'accepted', durability: { memory: 1, disk: 0 } }])
    expect(await get('later')).toMatchObject({ cron: null, at, next: at, last: null })
    expect((await served.own('/api/jobs/later/result?wait=60')).json).toBe(16)
    expect(Date.now()).toBeGreaterThanOrEqual(at)
    await expect.poll(async () => (await served.ask('/api/schedules')).json, SOON).toEqual([])
    const past = await served.submit({ source: SUM, options: { at: Date.now() - 60_000 } })
    expect([past.status, past.json.error.name]).toEqual([400, 'InvalidOptionError'])
  })
})
