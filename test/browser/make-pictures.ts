/**
 * npm run pictures [-- --to FOLDER] [--quick]: makes pictures of the dashboard and of `top`. The pictures show a real cluster during a job, after
 * the leader was killed. `--quick` uses a smaller cluster and takes the pictures earlier. The script needs Chromium and tmux.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { Terminal } from '../terminal/terminal.ts'
import { ansiToHtml } from './ansi-html.ts'
import { HeadlessBrowser } from './browser.ts'
import type { Dashboard, DashboardInit } from './dashboard.ts'
import { withFewColours } from './few-colours.ts'
import { joinServed, urlOf } from './served-cluster.ts'

const DESK: DashboardInit = { width: 1_280, height: 1_480 }
const PICTURES: Record<string, DashboardInit> = {
  'dashboard-light': { ...DESK, scheme: 'light' },
  'dashboard-dark': { ...DESK, scheme: 'dark' },
  'dashboard-phone': { width: 390, height: 844, scheme: 'light' }
}
const TERMINAL = { columns: 100, rows: 24 }
const OVER = ['completed', 'failed', 'cancelled']
/** The interval between two checks of the page, in ms. */
const LOOK_MS = 100

const { values } = parseArgs({ options: { to: { type: 'string' }, quick: { type: 'boolean', default: false } } })
const folder = resolve(values.to ?? 'docs/pictures')
/** The number of peers. The script kills the leader when `killAt` of the 4,096 chunks are done, and takes the pictures when `showAt` are done. */
const { peers, killAt, showAt } = values.quick
  ? { peers: 3, killAt: 20, showAt: 60 }
  : { peers: 6, killAt: 1_200, showAt: 2_600 }

async function done(dashboard: Dashboard, chunks: number): Promise<void> {
  for (;;) {
    const jobs = Object.values((await dashboard.picture()).jobs)
    const running = jobs.find(({ state }) => state === 'running')
    if (running !== undefined && running.done >= chunks) return
    if (jobs.some(({ state }) => OVER.includes(state)))
      throw new Error(`the job ended before its pictures were made: ${JSON.stringify(jobs)}`)
    await delay(LOOK_MS)
  }
}

async function showTop(cluster: ProcessCluster, peer: PeerProcess): Promise<Terminal> {
  const { P2P_WORKER_KEY, P2P_WORKER_CLUSTER } = cluster.env as Record<string, string>
  const command = ['p2p-worker', 'top', '--no-mdns', '--bootstrap', peer.addresses[0]!]
  const terminal = await Terminal.start({ ...TERMINAL, env: { P2P_WORKER_KEY, P2P_WORKER_CLUSTER } as never, command })
  await terminal.waitFor('★')
  return terminal
}

async function save(name: string, png: Buffer): Promise<void> {
  const file = join(folder, `${name}.png`)
  await writeFile(file, withFewColours(png))
  console.error(`${file}: ${Math.round((await stat(file)).size / 1_000)} kB`)
}

async function make(
  browser: HeadlessBrowser,
  cluster: ProcessCluster,
  stops: Array<() => Promise<void>>
): Promise<void> {
  const [leader, next] = cluster.byRank() as [PeerProcess, PeerProcess]
  const serving = cluster.byRank().at(-1)!
  const terminal = await showTop(cluster, serving)
  stops.push(() => terminal.stop())
  const dashboards: Array<[string, Dashboard]> = []
  for (const [name, init] of Object.entries(PICTURES)) dashboards.push([name, await browser.open(urlOf(serving), init)])
  const [[, dashboard]] = dashboards as [[string, Dashboard]]

  const job = cluster.spawn(['run', 'examples/nas-ep.ts', '--input', JSON.stringify({ class: 'A' })])
  await done(dashboard, 1)
  const [jobId] = Object.keys((await dashboard.picture()).jobs) as [string]
  for (const [, dashboard] of dashboards) await dashboard.showChunks(jobId)
  await done(dashboard, killAt)
  await leader.end('SIGKILL')
  await Promise.all(cluster.live.map(peer => peer.follows(next.id)))
  await done(dashboard, showAt)
  await terminal.waitFor(screen => screen.includes(`★ ${next.id.slice(-8)}`) && screen.includes('✕ dead'))

  await mkdir(folder, { recursive: true })
  for (const [name, { page }] of dashboards) {
    await page.evaluate(() => scrollTo(0, 0))
    await save(name, await page.screenshot())
  }
  const context = await browser.context({ viewport: { width: 1_200, height: 800 } })
  const page = await context.newPage()
  await page.setContent(ansiToHtml(await terminal.coloured()))
  await save('top', await page.locator('pre').screenshot())
  job.child.kill('SIGINT')
  await job.ended
}

const stops: Array<() => Promise<void>> = []
const stopAll = async (): Promise<void> => {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().then(() => process.exit(130)))
try {
  const browser = await HeadlessBrowser.start()
  stops.push(() => browser.stop())
  const cluster = await ProcessCluster.create()
  stops.push(() => cluster.stop())
  cluster.env.P2P_WORKER_CLUSTER = 'lab'
  for (let i = 0; i < peers; i++) await joinServed(cluster)
  await cluster.settled()
  await make(browser, cluster, stops)
} finally {
  await stopAll()
}
