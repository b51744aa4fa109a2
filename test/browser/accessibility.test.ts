import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import type { Reader } from '../http/events.ts'
import { needs } from '../needs.ts'
import { HeadlessBrowser } from './browser.ts'
import type { Dashboard, DashboardInit } from './dashboard.ts'
import { holdLock } from './hold-lock.ts'
import { type GatedJob, startGated, startServed, tokenOf, urlOf } from './served-cluster.ts'

const PHONE = { width: 320, height: 640 }
/** The elements that the keyboard must reach. */
const REACHABLE = 'a[href], button, input, select, summary, textarea, [tabindex="0"]'

needs('chromium').describe('the dashboard', () => {
  let browser: HeadlessBrowser
  let cluster: ProcessCluster
  let serving: PeerProcess
  let job: GatedJob
  let axeSource: string
  let dashboard: Dashboard | undefined
  let locks: Reader[] = []

  beforeAll(async () => {
    axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    browser = await HeadlessBrowser.start()
    cluster = await startServed(3)
    serving = cluster.byRank().at(-1)!
    locks = [await holdLock(serving, 'nightly', 'the report'), await holdLock(serving, 'nightly', 'x'.repeat(200))]
    for (const name of ['yearly', 'x'.repeat(100)]) {
      const { stderr } = await cluster.run(['schedule', 'add', name, '0 3 1 1 *', 'test/browser/tasks/gated.ts'])
      expect(stderr).toBe('')
    }
    job = await startGated(cluster, { n: 60, open: 20, ms: 20 })
    // Kills one member, so that the page also shows a dead member.
    await cluster.byRank()[1]!.end('SIGKILL')
    await serving.until('the death', () => [...serving.states().values()].includes('dead'))
  })

  afterEach(async () => {
    await dashboard?.close()
    dashboard = undefined
  })

  afterAll(async () => {
    for (const lock of locks) lock.close()
    await browser?.stop()
    await cluster?.stop()
  })

  /** Opens a dashboard that shows a job and its chunk map. */
  async function open(init: DashboardInit): Promise<Dashboard> {
    dashboard = await browser.open(urlOf(serving), init)
    await dashboard.job(job.id).waitFor()
    await dashboard.$('#locks').waitFor()
    await dashboard.$('#schedules').waitFor()
    await dashboard.showChunks(job.id)
    await expect.poll(async () => Object.keys(await dashboard!.chunksDone())).not.toEqual([])
    return dashboard
  }

  /** Returns the serious and critical violations that axe finds, each with its element. */
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
  ] as Array<[string, DashboardInit]>)(
    'the dashboard has no serious accessibility violation %s, even with its dialog open',
    async (_, init) => {
      const shown = await open(init)
      expect(await barriers(shown)).toEqual([])
      await openDialog(shown)
      expect(await barriers(shown)).toEqual([])
    }
  )

  it.each(['light', 'dark'] as const)(
    'a dashboard that has lost its peer has no serious accessibility violation in the %s colour scheme',
    async scheme => {
      const shown = await open({ scheme })
      serving.child.kill('SIGSTOP')
      try {
        await shown.$('#lost').waitFor({ state: 'visible' })
        expect(await barriers(shown)).toEqual([])
      } finally {
        serving.child.kill('SIGCONT')
      }
      await shown.$('#lost').waitFor({ state: 'hidden' })
    }
  )

  it('the dashboard is never wider than a narrow phone, even while a dialog is open', async () => {
    const shown = await open(PHONE)
    const width = (): Promise<number> => shown.page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBeLessThanOrEqual(PHONE.width)
    await openDialog(shown)
    expect(await width()).toBeLessThanOrEqual(PHONE.width)
    const { x, width: wide } = (await shown.$('dialog[open]').boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + wide).toBeLessThanOrEqual(PHONE.width)
  })

  it('the dashboard follows the colour scheme of the system', async () => {
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

  it('a user can operate the dashboard with the keyboard alone', async () => {
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

    // Tab reaches each element in page order, and each element shows when it has the focus.
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
    // At the beginning, the button that opened the chunk map had the focus.
    const first = reached.indexOf('0')
    expect([...reached.slice(first), ...reached.slice(0, first)]).toEqual(marked)

    // The keyboard enters the token, and opens and closes the dialog that cancels a job.
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

    // When the chunk map closes, its button has the focus again, and Enter opens the map again.
    const map = shown.job(job.id).getByRole('button', { name: /chunk/i })
    await page.getByRole('button', { name: 'Close the chunk map' }).press('Enter')
    await expect.poll(() => map.evaluate(button => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('#chunks') !== null)).toBe(true)
  })
})
