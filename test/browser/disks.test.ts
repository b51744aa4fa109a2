import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENDLESS, Served } from '../http/served.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'

needs('chromium').describe('disks on the dashboard', () => {
  const cluster = `browser-disks-${process.pid}`
  let folder: string
  let browser: HeadlessBrowser
  let served: Served

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    served = await Served.start({ cluster, dataDir: folder })
    await served.leads()
  })

  afterAll(async () => {
    await browser?.stop()
    await served?.stop()
    await rm(folder, { recursive: true })
  })

  it('the dashboard shows which members have a data folder, and on how many disks a job is that must be on some', async () => {
    const dashboard = await browser.open(served.http.url)
    await expect.poll(() => dashboard.$('#members thead').textContent()).toContain('Disk')
    expect(await dashboard.member(served.peer.id).textContent()).toContain('yes')
    for (const [id, durable] of Object.entries({ must: 1, free: 0 }))
      await served.submit({ source: ENDLESS, options: { id, durable } })
    await expect.poll(() => dashboard.job('must').textContent()).toContain('disks 1 of 1')
    await dashboard.job('free').waitFor()
    expect(await dashboard.job('free').textContent()).not.toContain('disks')
    expect(dashboard.complaints).toEqual([])
    await dashboard.close()
  })
})
