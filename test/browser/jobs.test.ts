import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import type { Dashboard } from './dashboard.ts'
import { type GatedJob, startGated, startServed, statusAt, tokenOf, urlOf } from './served-cluster.ts'

/** A number of chunks that is larger than the number of pixels of a narrow chunk map. */
const MANY = 100_000

const total = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

needs('chromium').describe('jobs on the dashboard', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let serving: PeerProcess
  let dashboard: Dashboard
  let started: GatedJob | undefined

  beforeAll(async () => {
    browser = await HeadlessBrowser.start()
    cluster = await startServed(3)
    // A follower serves the page, so that the test covers the request to the leader for the chunks.
    serving = cluster.byRank().at(-1)!
  })

  beforeEach(async () => {
    dashboard = await browser.open(urlOf(serving))
  })

  afterEach(async () => {
    // If a test has failed, its job still runs and would delay the next tests.
    await started?.open()
    expect(dashboard.strayRequests()).toEqual([])
    await dashboard.close()
  })

  afterAll(async () => {
    await browser?.stop()
    await cluster?.stop()
  })

  async function start(input: { n: number; open: number; ms?: number }): Promise<GatedJob> {
    started = await startGated(cluster, input)
    return started
  }

  /** Returns the number of different colours in the chunk map. */
  const colours = (): Promise<number> =>
    dashboard.$('#chunks canvas').evaluate((canvas: HTMLCanvasElement) => {
      // Chromium warns when a script reads a canvas without `willReadFrequently`, so the test reads a copy of the canvas.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!
      copy.drawImage(canvas, 0, 0)
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
      return new Set(new Uint32Array(data.buffer)).size
    })

  it('the chunk map shows the same number of chunks for each peer as the statistics of the job', async () => {
    const job = await start({ n: 90, open: 30, ms: 60 })
    await dashboard.showChunks(job.id)
    await expect.poll(async () => total(await dashboard.chunksDone())).toBeGreaterThan(0)
    const some = total(await dashboard.chunksDone())
    expect(some).toBeLessThan(90)
    const canvas = dashboard.$('#chunks canvas')
    await expect.poll(colours).toBeGreaterThan(2)
    await job.open()
    const { state, stats } = await job.outcome()
    expect(state).toBe('completed')
    await expect.poll(() => dashboard.chunksDone()).toEqual(stats.perPeer)
    expect(total(stats.perPeer)).toBe(90)
    await expect.poll(async () => (await dashboard.picture()).jobs[job.id]?.state).toBe('completed')
    await expect.poll(() => canvas.getAttribute('data-cells')).toBe('90')
    expect(await canvas.getAttribute('data-chunks-per-cell')).toBe('1')
    // The map of a completed job stays visible.
    expect(await dashboard.$('#chunks').isVisible()).toBe(true)
    expect(dashboard.complaints).toEqual([])
  })

  it('the button that shows a chunk map also hides the chunk map, and keeps the focus', async () => {
    const job = await start({ n: 2, open: 2 })
    await dashboard.showChunks(job.id)
    const button = dashboard.job(job.id).getByRole('button', { name: /chunk/i, pressed: true })
    await button.click()
    await dashboard.$('#chunks').waitFor({ state: 'detached' })
    await dashboard.job(job.id).getByRole('button', { name: /chunk/i, pressed: false }).waitFor()
    expect(await dashboard.page.evaluate(() => document.activeElement?.textContent)).toBe('Chunks')
    expect(dashboard.complaints).toEqual([])
  })

  it('for a large job, a cell of the chunk map shows several chunks', async () => {
    const job = await start({ n: MANY, open: MANY })
    await dashboard.showChunks(job.id)
    await dashboard.page.setViewportSize({ width: 200, height: 640 })
    const { stats } = await job.outcome()
    await expect.poll(() => dashboard.chunksDone()).toEqual(stats.perPeer)
    const { cells, chunksPerCell } = await dashboard
      .$('#chunks canvas')
      .evaluate(({ dataset }) => ({ cells: Number(dataset.cells), chunksPerCell: Number(dataset.chunksPerCell) }))
    expect(chunksPerCell).toBeGreaterThan(1)
    expect(cells).toBe(Math.ceil(MANY / chunksPerCell))
    expect(dashboard.complaints).toEqual([])
  })

  it('the dashboard cancels a job only with the right token and after the confirmation', async () => {
    const job = await start({ n: 20, open: 4 })
    const state = async (): Promise<string | undefined> =>
      (await statusAt(serving)).jobs.find(({ jobId }) => jobId === job.id)?.state
    const cancel = dashboard.job(job.id).getByRole('button', { name: /cancel/i })
    const dialog = dashboard.$('dialog[open]')
    const confirm = dialog.getByRole('button', { name: /^cancel the job/i })

    await expect.poll(state).toBe('running')
    await cancel.click()
    await dialog.waitFor()
    expect(await dialog.textContent()).toMatch(/needs the token/)
    expect(await confirm.count()).toBe(0)
    await dashboard.page.keyboard.press('Escape')
    expect(dashboard.complaints).toEqual([])

    await dashboard.enterToken('A'.repeat(43))
    await expect.poll(() => dashboard.$('[data-token-said]').textContent()).toMatch(/not the token of this peer/)
    await cancel.click()
    await confirm.click()
    await expect.poll(() => dialog.textContent()).toMatch(/not the token of this peer/)
    // The browser logs each refused request.
    expect(dashboard.complaints.filter(text => !text.includes('401'))).toEqual([])
    expect(await state()).toBe('running')
    await dashboard.page.keyboard.press('Escape')

    await dashboard.enterToken(await tokenOf(serving))
    await cancel.click()
    await dialog.waitFor()
    await dashboard.page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    expect(await state()).toBe('running')

    await cancel.click()
    await confirm.click()
    await expect.poll(async () => (await dashboard.picture()).jobs[job.id]?.state).toBe('cancelled')
    expect(await state()).toBe('cancelled')
    await dashboard.$('#log li[data-event="job"]:has-text("cancelled")').first().waitFor()
    expect(await cancel.count()).toBe(0)
    const kept = await dashboard.page.evaluate(() => ({
      local: localStorage.length,
      cookies: document.cookie,
      session: sessionStorage.length
    }))
    expect(kept).toEqual({ local: 0, cookies: '', session: 1 })
  })
})
