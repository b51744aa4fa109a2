/** Measures the dashboard on a simulated phone: its size, and when it becomes visible. */
import { get } from 'node:http'
import type { HeadlessBrowser } from '../../test/browser/browser.ts'

const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
/** The factor by which the phone's processor is slower than this machine's. */
const SLOWER = 4
/** The network of the phone: the round-trip time in ms, and the rates in bytes a second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }

export interface FirstPaint {
  /** The time of the first paint, and the time when the members became visible, in ms since the navigation. */
  paint: number
  members: number
}

/** Opens the page with an empty cache, and measures this one visit. */
export async function firstPaint(browser: HeadlessBrowser, url: string): Promise<FirstPaint> {
  const context = await browser.context(PHONE)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
    await devtools.send('Network.emulateNetworkConditions', NETWORK)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator('#members tr[data-peer]').first().waitFor()
    return await page.evaluate(async () => {
      const members = performance.now()
      const paint = await new Promise<number>(resolve => {
        const observer = new PerformanceObserver(list => {
          for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
        })
        observer.observe({ type: 'paint', buffered: true })
      })
      return { paint, members }
    })
  } finally {
    await context.close()
  }
}

/** Returns the transferred size, in bytes, of each file that the browser loads. Requests to the API do not count. */
export async function bundleSize(browser: HeadlessBrowser, url: string): Promise<Map<string, number>> {
  const dashboard = await browser.open(url)
  const asked = new Set(dashboard.requests.filter(request => request.startsWith(url) && !request.includes('/api/')))
  await dashboard.close()
  const sizes = new Map<string, number>()
  for (const address of asked) sizes.set(new URL(address).pathname, await sizeOf(address))
  return sizes
}

async function sizeOf(address: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    get(address, { headers: { 'Accept-Encoding': 'br, gzip' } }, response => {
      let size = 0
      response.on('data', (data: Buffer) => {
        size += data.length
      })
      response.on('end', () => resolve(size))
      response.on('error', reject)
    }).on('error', reject)
  })
}
