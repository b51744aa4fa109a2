/** Chromium without a window, as the system has it (Debian: `chromium`), with a home of its own that goes with it. */
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
      // Its caches and settings are in its home, and what it keeps besides in the folder for temporary files.
      const env = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, XDG_RUNTIME_DIR: home, LANG: 'C.UTF-8' }
      return new HeadlessBrowser(await chromium.launch({ executablePath: chromiumPath(), args: ARGS, env }), home)
    } catch (error) {
      await rm(home, { recursive: true, force: true })
      throw error
    }
  }

  /** A page of its own, which shares nothing with others: a dashboard at `url`, which has had its first status. */
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

  /** Ends all its processes, and takes its home away. */
  async stop(): Promise<void> {
    await this.#browser.close()
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  /** Its home: all its processes have it in their environment. */
  get home(): string {
    return this.#home
  }
}
