import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScheduleInfo } from '../../src/api/schedule-types.ts'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import { startServed, tokenOf, urlOf } from './served-cluster.ts'

needs('chromium').describe('schedules on the dashboard', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let serving: PeerProcess

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    cluster = await startServed(2)
    serving = cluster.byRank().at(-1)!
  })

  afterAll(async () => {
    await browser?.stop()
    await cluster?.stop()
  })

  async function schedule(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await cluster.run(['schedule', ...args])
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }

  it('the page shows next and last runs, runs a schedule now and pauses it with the token, and shows nothing without schedules', async () => {
    const dashboard = await browser.open(urlOf(serving))
    const panel = dashboard.page.getByRole('region', { name: /^Schedules/ })
    const row = dashboard.$('#schedules tr[data-schedule="yearly"]')
    const cells = (): Promise<string[]> => row.locator('th, td').allInnerTexts()
    const button = (name: string) => row.getByRole('button', { name })
    const said = dashboard.$('[data-schedule-said]')
    expect(await panel.count()).toBe(0)

    const task = join(cluster.home, 'hello.ts')
    await writeFile(task, "export default { name: '<b>hello</b>', split: () => [1], run: (n: number) => n }")
    await schedule('add', 'yearly', '0 3 1 1 *', task, '--time-zone', 'UTC')
    const next = `${new Date().getUTCFullYear() + 1}-01-01 03:00:00`
    await expect
      .poll(cells)
      .toEqual([
        'yearly <b>hello</b>',
        '0 3 1 1 * UTC',
        next,
        '–',
        '–',
        '0',
        expect.stringMatching(/^Run now\s*Pause$/)
      ])
    expect(await panel.getByRole('heading').textContent()).toBe('Schedules 1 schedule · 0 paused')

    await button('Run now: yearly').click()
    expect(await said.textContent()).toMatch(/needs the token of this peer/)
    expect(await dashboard.page.evaluate(() => document.activeElement?.id)).toBe('token')
    await dashboard.enterToken(await tokenOf(serving))
    await button('Run now: yearly').click()
    await expect.poll(() => said.textContent()).toMatch(/^Job yearly@\S+ is accepted\.$/)
    await expect.poll(async () => (await cells()).slice(3, 5)).toEqual([expect.stringMatching(/^\d{4}-/), 'completed'])

    await button('Pause yearly').click()
    await expect.poll(() => row.getAttribute('data-state')).toBe('paused')
    expect((await cells())[2]).toBe('paused')
    const [listed] = JSON.parse(await schedule('list', '--json')) as ScheduleInfo[]
    expect(listed).toMatchObject({ name: 'yearly', state: 'paused', next: null, last: { state: 'completed' } })
    await button('Resume yearly').click()
    await expect.poll(async () => (await cells())[2]).toBe(next)

    await schedule('remove', 'yearly')
    await expect.poll(() => panel.count()).toBe(0)
    expect([dashboard.strayRequests(), dashboard.complaints]).toEqual([[], []])
    await dashboard.close()
  })

  it('the page shows a job of a later time without buttons, and says what went wrong', async () => {
    const dashboard = await browser.open(urlOf(serving))
    const task = join(cluster.home, 'later.ts')
    await writeFile(task, 'export default { split: () => [1], run: (n: number) => n }')
    const { stdout } = await cluster.run(['run', task, '--in', '24h'])
    const id = stdout.trim()
    const once = dashboard.$(`#schedules tr[data-schedule="${id}"]`)
    await once.waitFor()
    expect(await once.locator('td').first().textContent()).toMatch(/^once/)
    expect(await once.getByRole('button').count()).toBe(0)

    await schedule('add', 'gone', '0 3 1 1 *', task)
    const gone = dashboard.$('#schedules tr[data-schedule="gone"]')
    await gone.waitFor()
    await dashboard.enterToken(await tokenOf(serving))
    await dashboard.page.route('**/api/schedules', route => route.abort())
    await schedule('remove', 'gone')
    await gone.getByRole('button', { name: 'Pause gone' }).click()
    await expect.poll(() => dashboard.$('[data-schedule-said]').textContent()).toMatch(/no schedule gone/)
    await schedule('remove', id)
    await dashboard.close()
  })
})
