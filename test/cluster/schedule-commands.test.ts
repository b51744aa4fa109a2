import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandResult, ProcessCluster } from './processes.ts'

const SOON = { timeout: 60_000, interval: 200 }
const YEARLY = '0 3 1 1 *'

describe('the command `schedule`', () => {
  let cluster: ProcessCluster
  let task: string
  let lines: string

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
    task = join(cluster.home, 'record.ts')
    lines = join(cluster.home, 'lines')
    // Each chunk writes a line with the due time that `split` was given.
    await writeFile(
      task,
      `import { appendFileSync } from 'node:fs'
import { twice } from './twice.ts'
export default {
  name: 'record',
  split: (input: string, { scheduledFor }: { scheduledFor?: Date }) => [\`\${input} \${scheduledFor?.toISOString()}\`],
  run: (line: string) => { appendFileSync(${JSON.stringify(lines)}, line + '\\n'); return twice(line.length) }
}`
    )
    await writeFile(join(cluster.home, 'twice.ts'), 'export const twice = (n: number): number => 2 * n')
  })

  afterAll(() => cluster.stop())

  const run = (...args: string[]): Promise<CommandResult> => cluster.run(args)
  async function done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args)
    expect([args, code, stderr]).toEqual([args, 0, ''])
    return stdout.trim()
  }
  const written = async (): Promise<string[]> =>
    (await readFile(lines, 'utf8').catch(() => '')).split('\n').slice(0, -1)

  it('a schedule of every second runs its task after its command has ended, until it is paused; and its job has a result', async () => {
    const added = await done(
      'schedule',
      'add',
      'pulse',
      '* * * * * *',
      task,
      '--input',
      '"pulse"',
      '--time-zone',
      'UTC'
    )
    expect(added).toMatch(/^schedule pulse runs next at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC\)$/)
    await expect.poll(async () => (await written()).length, SOON).toBeGreaterThan(2)
    expect(await done('schedule', 'pause', 'pulse')).toBe('schedule pulse is paused')
    const all = await written()
    expect(all.every(line => /^pulse \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/.test(line))).toBe(true)
    expect(new Set(all).size).toBe(all.length)

    const [listed] = JSON.parse(await done('schedule', 'list', '--json'))
    expect(listed).toMatchObject({ name: 'pulse', cron: '* * * * * *', task: 'record', state: 'paused', next: null })
    expect(listed.last).toMatchObject({ job: expect.stringMatching(/^pulse@/), state: 'completed' })
    expect(JSON.parse(await done('result', listed.last.job))).toEqual([60])
    expect(await done('schedule', 'list')).toMatch(/^NAME .*\npulse +\* \* \* \* \* \* +UTC +paused /)
    expect(await done('schedule', 'resume', 'pulse')).toMatch(/^schedule pulse runs next at /)
    expect(await done('schedule', 'remove', 'pulse')).toBe('schedule pulse is removed')
    expect(await done('schedule', 'list')).toBe('no schedules')
  })

  it('`schedule run` prints the id of a job that `result` finds, also while the schedule is paused', async () => {
    await done('schedule', 'add', 'yearly', YEARLY, task, '--input', '"now"', '--retries', '2', '--keep', '1h')
    await done('schedule', 'pause', 'yearly')
    const id = await done('schedule', 'run', 'yearly')
    expect(id).toMatch(/^yearly@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(JSON.parse(await done('result', id))).toEqual([56])
    await done('schedule', 'remove', 'yearly')
  })

  it('`run --in` prints the id of its job at once, and the job runs once at its time', async () => {
    const before = Date.now()
    const { jobId, state } = JSON.parse(await done('run', task, '--input', '"later"', '--in', '4s', '--json'))
    expect(state).toBe('accepted')
    const [listed] = JSON.parse(await done('schedule', 'list', '--json'))
    expect(listed).toMatchObject({ name: jobId, cron: null, next: listed.at })
    expect(listed.at).toBeGreaterThanOrEqual(before + 4_000)
    expect(JSON.parse(await done('result', jobId))).toEqual([60])
    expect(Date.now()).toBeGreaterThanOrEqual(listed.at)
    expect((await written()).filter(line => line.startsWith('later '))).toEqual([
      `later ${new Date(listed.at).toISOString()}`
    ])
  })

  it('`cancel` ends a job that is not due yet', async () => {
    const { code, stdout, stderr } = await run('run', task, '--input', '"never"', '--at', '2999-11-28T03:00Z')
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^held by .*\n$/)])
    const id = stdout.trim()
    expect(await done('schedule', 'list')).toContain(`${id}  once`)
    expect(await done('cancel', id)).toBe(`job ${id} is cancelled`)
    expect(await done('schedule', 'list')).toBe('no schedules')
  })

  it('a name that exists, and a name that no schedule has, end with a message', async () => {
    await done('schedule', 'add', 'yearly', YEARLY, task)
    const twice = await run('schedule', 'add', 'yearly', YEARLY, task)
    expect([twice.code, twice.stdout, twice.stderr]).toEqual([2, '', expect.stringContaining('yearly')])
    await done('schedule', 'remove', 'yearly')
    for (const action of ['remove', 'pause', 'resume', 'run']) {
      const { code, stdout, stderr } = await run('schedule', action, 'yearly')
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain('no schedule yearly')
      expect(stderr).toContain('schedule list')
    }
  })
})
