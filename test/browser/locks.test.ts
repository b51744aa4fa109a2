import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import type { Reader } from '../http/events.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import { holdLock } from './hold-lock.ts'
import { startServed, urlOf } from './served-cluster.ts'

needs('chromium').describe('locks on the dashboard', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let serving: PeerProcess
  const sessions: Reader[] = []

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    cluster = await startServed(2)
    serving = cluster.byRank().at(-1)!
  })

  afterAll(async () => {
    for (const session of sessions) session.close()
    await browser?.stop()
    await cluster?.stop()
  })

  async function hold(name: string, owner: string): Promise<Reader> {
    const session = await holdLock(serving, name, owner)
    sessions.push(session)
    return session
  }

  it('the page shows who holds each lock, since when and with which token, and who waits; and nothing without locks', async () => {
    const dashboard = await browser.open(urlOf(serving))
    const panel = dashboard.page.getByRole('region', { name: /^Locks/ })
    const row = dashboard.$('#locks tr[data-lock="nightly"]')
    expect(await panel.count()).toBe(0)
    const report = await hold('nightly', 'the <b>report</b>')
    const [{ token }] = report.of('held') as [{ token: number }]
    const first = await hold('nightly', 'first in line')
    await hold('nightly', 'second in line')
    const cells = (): Promise<string[]> => row.locator('th, td').allInnerTexts()
    await expect
      .poll(cells)
      .toEqual([
        'nightly',
        'the <b>report</b>',
        expect.stringMatching(/^\d\d:\d\d:\d\d$/),
        `${token}`,
        'first in line\nsecond in line',
        '1'
      ])
    expect(await panel.getByRole('heading').textContent()).toBe('Locks 1 lock · 2 waiting')
    report.close()
    await first.until(() => expect(first.of('held')).toHaveLength(1))
    await expect.poll(async () => (await cells())[1]).toBe('first in line')
    for (const session of sessions) session.close()
    await expect.poll(() => panel.count(), { timeout: 30_000 }).toBe(0)
    expect([dashboard.strayRequests(), dashboard.complaints]).toEqual([[], []])
    await dashboard.close()
  })
})
