import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import type { Dashboard, DashboardInit } from './dashboard.ts'
import { type GatedJob, startGated, startServed, tokenOf, urlOf } from './served-cluster.ts'

const PHONE = { width: 320, height: 640 }
/** What can be reached by the keyboard, or should. */
const REACHABLE = 'a[href], button, input, select, summary, textarea, [tabindex="0"]'

needs('chromium').describe('the dashboard', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let serving: PeerProcess
  let job: GatedJob
  let axeSource: string
  let dashboard: Dashboard | undefined

  beforeAll(async () => {
    axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    browser = await HeadlessBrowser.start()
    cluster = await startServed(3)
    serving = cluster.byRank().at(-1)!
    job = await startGated(cluster, { n: 60, open: 20, ms: 20 })
    // One that is no more: its state is to be read, too.
    await cluster.byRank()[1]!.end('SIGKILL')
    await serving.until('the death', () => [...serving.states().values()].includes('dead'))
  })

  afterEach(async () => {
    await dashboard?.close()
    dashboard = undefined
  })

  afterAll(async () => {
    await browser?.stop()
    await cluster?.stop()
  })

  /** A page that shows something everywhere. */
  async function open(init: DashboardInit): Promise<Dashboard> {
    dashboard = await browser.open(urlOf(serving), init)
    await dashboard.job(job.id).waitFor()
    await dashboard.showChunks(job.id)
    await expect.poll(async () => Object.keys(await dashboard!.chunksDone())).not.toEqual([])
    return dashboard
  }

  /** What axe finds that keeps somebody away, with the elements that it finds it in. */
  async function barriers({ page }: Dashboard): Promise<string[]> {
    await page.evaluate(axeSource)
    const { violations } = await page.evaluate(async () => {
      const { axe: here } = window as unknown as { axe: typeof axe }
      return await here.run(document, { resultTypes: ['violations'] })
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
  }

  async function openDialog({ page, ...rest }: Dashboard): Promise<void> {
    await page.locator('#token').fill(await tokenOf(serving))
    await page.locator('#token').press('Enter')
    const cancel = page.locator(`#jobs tr[data-job="${job.id}"]`).getByRole('button', { name: /cancel/i })
    await cancel.click()
    await page.locator('dialog[open]').waitFor()
    expect(rest.complaints).toEqual([])
  }

  it.each([
    ['in light', { scheme: 'light' }],
    ['in dark', { scheme: 'dark' }],
    ["at a phone's width", PHONE],
    ["at a phone's width in dark", { ...PHONE, scheme: 'dark' }]
  ] as Array<[string, DashboardInit]>)('keeps nobody away, %s, with its dialog open as well', async (_, init) => {
    const shown = await open(init)
    expect(await barriers(shown)).toEqual([])
    await openDialog(shown)
    expect(await barriers(shown)).toEqual([])
  })

  it.each(['light', 'dark'] as const)('keeps nobody away when it has lost its peer, in %s', async scheme => {
    const shown = await open({ scheme })
    serving.child.kill('SIGSTOP')
    try {
      await shown.$('#lost').waitFor({ state: 'visible' })
      expect(await barriers(shown)).toEqual([])
    } finally {
      serving.child.kill('SIGCONT')
    }
    await shown.$('#lost').waitFor({ state: 'hidden' })
  })

  it('is never wider than a narrow phone, with its dialog open as well', async () => {
    const shown = await open(PHONE)
    const width = (): Promise<number> => shown.page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBeLessThanOrEqual(PHONE.width)
    await openDialog(shown)
    expect(await width()).toBeLessThanOrEqual(PHONE.width)
    const { x, width: wide } = (await shown.$('dialog[open]').boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + wide).toBeLessThanOrEqual(PHONE.width)
  })

  it('is light or dark as the system is, and follows when that changes', async () => {
    const shown = await open({ scheme: 'light' })
    const brightness = (): Promise<number> =>
      shown.page.evaluate(() => {
        const { backgroundColor } = getComputedStyle(document.body)
        const canvas = document.createElement('canvas').getContext('2d')!
        canvas.fillStyle = backgroundColor
        canvas.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
        return (red + green + blue) / 3
      })
    expect(await brightness()).toBeGreaterThan(200)
    await shown.page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(brightness).toBeLessThan(60)
  })

  it('can be used by the keyboard alone', async () => {
    const shown = await open({})
    const { page } = shown
    const marked = await page.evaluate(reachable => {
      const all = [...document.querySelectorAll<HTMLElement>(reachable)].filter(
        element => element.checkVisibility() && !element.matches(':disabled')
      )
      for (const [index, element] of all.entries()) element.dataset.reach = String(index)
      ;(document.activeElement as HTMLElement | null)?.blur()
      return all.map((_, index) => String(index))
    }, REACHABLE)
    expect(marked.length).toBeGreaterThan(2)

    // Each is reached by Tab, in the order of the page, and seen to be.
    const reached: string[] = []
    for (let press = 0; press < marked.length + 12 && reached.length < marked.length; press++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        return {
          mark: element.dataset.reach,
          isSeen: (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
        }
      })
      if (at.mark === undefined || reached.includes(at.mark)) continue
      expect(at).toMatchObject({ isSeen: true })
      reached.push(at.mark)
    }
    // It began where the map had been opened.
    const first = reached.indexOf('0')
    expect([...reached.slice(first), ...reached.slice(0, first)]).toEqual(marked)

    // The token, a job's cancel and its confirmation, without any pointer.
    await page.locator('#token').focus()
    await page.keyboard.type(await tokenOf(serving))
    await page.keyboard.press('Enter')
    const cancel = shown.job(job.id).getByRole('button', { name: /cancel/i })
    await cancel.focus()
    await page.keyboard.press('Enter')
    await shown.$('dialog[open]').waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => shown.$('dialog[open]').count()).toBe(0)
    expect(await cancel.evaluate(button => button === document.activeElement)).toBe(true)
    expect((await shown.picture()).jobs[job.id]?.state).toBe('running')

    // Who closes the map of chunks is back where they opened it; a second one opens by Enter, too.
    const map = shown.job(job.id).getByRole('button', { name: /chunk/i })
    await page.getByRole('button', { name: 'Close the chunk map' }).press('Enter')
    await expect.poll(() => map.evaluate(button => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('#chunks') !== null)).toBe(true)
  })
})
