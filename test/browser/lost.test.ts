import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import type { Dashboard } from './dashboard.ts'
import { sameAsStatus } from './same-as-status.ts'
import { startServed, urlOf } from './served-cluster.ts'

needs('chromium').describe('a dashboard that has lost its peer', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let serving: PeerProcess
  let dashboard: Dashboard

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    cluster = await startServed(3)
    serving = cluster.byRank().at(-1)!
    dashboard = await browser.open(urlOf(serving))
  })

  afterAll(async () => {
    await browser?.stop()
    await cluster?.stop()
  })

  const connected = (): Promise<string | null> => dashboard.$('body').getAttribute('data-connected')

  async function isLost(): Promise<void> {
    const lost = dashboard.$('#lost')
    await lost.waitFor({ state: 'visible' })
    expect(await lost.getAttribute('role')).toBe('alert')
    // The alert shows the time of the loss.
    expect(await lost.textContent()).toMatch(/\d\d:\d\d/)
    expect(await connected()).toBe('false')
    // The last data stays visible but faded.
    expect(Object.keys((await dashboard.picture()).members)).not.toEqual([])
    const faded = await dashboard.$('#members').evaluate(table => {
      let opacity = 1
      for (let at: Element | null = table; at !== null; at = at.parentElement)
        opacity *= Number(getComputedStyle(at).opacity)
      const filters = [table, ...document.querySelectorAll('main')].map(at => getComputedStyle(at).filter)
      return opacity < 1 || filters.some(filter => filter !== 'none')
    })
    expect(faded).toBe(true)
  }

  async function isBack(): Promise<void> {
    await expect.poll(connected).toBe('true')
    await sameAsStatus(cluster, dashboard)
    await dashboard.$('#lost').waitFor({ state: 'hidden' })
  }

  it('the alert is hidden while the dashboard is connected', async () => {
    expect(await dashboard.$('#lost').isVisible()).toBe(false)
    expect(await connected()).toBe('true')
  })

  it('the dashboard shows an alert while its peer is paused, and continues when the peer runs again', async () => {
    serving.child.kill('SIGSTOP')
    await isLost()
    serving.child.kill('SIGCONT')
    await isBack()
  })

  it('the dashboard shows an alert when its peer is killed, and connects to a new peer at the same address', async () => {
    const { port } = new URL(urlOf(serving))
    await serving.end('SIGKILL')
    await isLost()
    const again = cluster.join(['--http', `127.0.0.1:${port}`])
    await again.ready()
    await isBack()
    expect((await dashboard.picture()).members[again.id]).toBe('alive')
    expect(dashboard.strayRequests()).toEqual([])
    // The browser logs each request that reaches no peer, or a peer that has not joined yet.
    expect(dashboard.complaints.filter(text => !/net::ERR_|status of 503/.test(text))).toEqual([])
  })
})
