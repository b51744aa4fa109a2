/** Runs the system's Chromium (Debian: `chromium`) without a window, with a temporary home folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { chromiumPath } from '../tools.ts'
import { Dashboard, type DashboardInit } from './dashboard.ts'

const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']

export class HeadlessBrowser {
  readonly #browser: Browser
  readonly #home: string

  private constructor(browser: Browser, home: string) {
    this.#browser = browser
    this.#home = home
  }

  static async start(): Promise<HeadlessBrowser> {
    const home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    try {
      // Chromium writes only to these folders, so `stop` removes all its files.
      const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home, LANG: 'C.UTF-8' }
      return new HeadlessBrowser(await chromium.launch({ executablePath: chromiumPath(), args: ARGS, env }), home)
    } catch (error) {
      await rm(home, { recursive: true, force: true })
      throw error
    }
  }

  /** Opens the dashboard at `url` in its own browser context, and waits for its first status. */
  async open(url: string, init: DashboardInit = {}): Promise<Dashboard> {
    const { scheme = 'light', width = 1_280, height = 900 } = init
    const context = await this.context({ colorScheme: scheme, viewport: { width, height } })
    try {
      return await Dashboard.open(await context.newPage(), url)
    } catch (error) {
      await context.close()
      throw error
    }
  }

  async context(options: BrowserContextOptions): ReturnType<Browser['newContext']> {
    return await this.#browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  }

  /** Ends all processes of the browser and removes its home folder. */
  async stop(): Promise<void> {
    await this.#browser.close()
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  /** The home folder. The environment of all processes of the browser contains this folder. */
  get home(): string {
    return this.#home
  }
}
