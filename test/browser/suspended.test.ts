import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { putSuspended } from '../api/suspended-jobs.ts'
import { Served } from '../http/served.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'

needs('chromium').describe('suspended jobs on the dashboard', () => {
  const cluster = `browser-suspended-${process.pid}`
  let folder: string
  let browser: HeadlessBrowser
  let served: Served

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    await putSuspended(folder, cluster, ['one', 'two'])
    served = await Served.start({ cluster, dataDir: folder })
    await served.leads()
  })

  afterAll(async () => {
    await browser?.stop()
    await served?.stop()
    await rm(folder, { recursive: true })
  })

  it('the dashboard resumes and cancels suspended jobs with the token', async () => {
    const dashboard = await browser.open(served.http.url)
    const title = dashboard.$('#jobs-title')
    await expect.poll(() => title.textContent()).toContain('0 running, 2 suspended, 0 finished')
    await dashboard.enterToken(served.http.token)
    for (const [id, action, state] of [
      ['one', 'resume', 'completed'],
      ['two', 'cancel', 'cancelled']
    ] as const) {
      const row = dashboard.job(id)
      expect(await row.textContent()).toContain('suspendedit may have ended already')
      await row.getByRole('button', { name: new RegExp(`^${action} job`, 'i') }).click()
      await dashboard.$(`dialog [data-confirm="${action}"]`).click()
      await expect.poll(async () => (await dashboard.picture()).jobs[id]?.state, { timeout: 20_000 }).toBe(state)
      expect(await row.getByRole('button', { name: /^(resume|cancel)/i }).count()).toBe(0)
    }
    await expect.poll(() => title.textContent()).toContain('0 running, 2 finished')
    expect(dashboard.complaints).toEqual([])
    await dashboard.close()
  })
})
