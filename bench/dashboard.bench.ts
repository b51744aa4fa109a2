/**
 * Measures the cost of the dashboard, and how soon it shows changes.
 *
 *     npm run bench -- dashboard [ROW]… [--quick]
 *
 * ROW is one of load, election, paint and size; the default is all rows. With `--quick` each row has fewer runs, and its
 * figures must not be quoted. Needs Chromium and Linux.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { HeadlessBrowser } from '../test/browser/browser.ts'
import { startServed, urlOf } from '../test/browser/served-cluster.ts'
import { shareOfBrowser } from './dashboard/browser-processes.ts'
import { watchElection } from './dashboard/election.ts'
import { bundleSize, firstPaint } from './dashboard/first-paint.ts'
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { BusyCluster, PEERS } from './top/cluster.ts'
import { sharesOfCore } from './top/processor-time.ts'

const CHUNKS = 100_000
const TASK = 'test/cluster/tasks/sleep-sum.ts'
/** The time of a chunk, in ms. With this value a job takes somewhat longer than one round of measurements. */
const CHUNK_MS = 60
/** The duration of the measurement with the page, and of each measurement before and after without the page, in ms. */
const WITH_MS = 30_000
const WITHOUT_MS = 12_000
/** The time between the opening of the page and the measurement, in ms. */
const SETTLE_MS = 3_000

const wanted = new WantedRows(['load', 'election', 'paint', 'size'])
const rows = new MeasuredRows(wanted)
const runs = (count: number): number => (wanted.quick ? 1 : count)

const percents = (values: number[]): string =>
  `${median(values).toFixed(1)}% of a core (${values.map(value => value.toFixed(1)).join(', ')})`
const spread = (values: number[]): string =>
  `${median(values).toFixed(0)} ms (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`

/** Shares of a processor core that were used while the page was open, in percent. */
interface Cost {
  browser: number[]
  /** The increase at the serving peer, compared with the time without the page. */
  serving: number[]
  leader: number[]
}

/** Measures one job, first with the page alone and then with its chunk map as well. */
async function round(browser: HeadlessBrowser, cluster: BusyCluster, page: Cost, map: Cost): Promise<void> {
  const { processes, leader, attached } = cluster
  const pids = [attached.child.pid!, leader.child.pid!]
  const shares = (ms: number): Promise<number[]> => sharesOfCore(pids, () => delay(ms))
  const job = processes.spawn(['run', TASK, '--input', JSON.stringify({ n: CHUNKS, ms: CHUNK_MS })])
  await delay(SETTLE_MS)
  const before = await shares(WITHOUT_MS)
  const dashboard = await browser.open(urlOf(attached))
  const seen: Array<[Cost, number, number[]]> = []
  const look = async (cost: Cost): Promise<void> => {
    await delay(SETTLE_MS)
    let peers: number[] = []
    const share = await shareOfBrowser(browser.home, async () => {
      peers = await shares(WITH_MS)
    })
    seen.push([cost, share, peers])
  }
  try {
    const running = dashboard.$('#jobs tr[data-job][data-state="running"]')
    const id = await running.first().getAttribute('data-job')
    await look(page)
    await dashboard.showChunks(id!)
    await look(map)
    if (page.browser.length === 0) tell(`what it showed: ${JSON.stringify(await dashboard.chunksDone()).slice(0, 200)}`)
  } finally {
    await dashboard.close()
  }
  await delay(SETTLE_MS)
  const after = await shares(WITHOUT_MS)
  const isOver = job.child.exitCode !== null
  job.child.kill('SIGINT')
  await job.ended
  if (isOver) throw new Error(`the job ended before all was measured: it has to take longer\n${job.stderr}`)
  // The mean of the measurements before and after removes slow changes that the page does not cause.
  const without = before.map((share, index) => (share + after[index]!) / 2)
  for (const [cost, share, peers] of seen) {
    cost.browser.push(share)
    cost.serving.push(peers[0]! - without[0]!)
    cost.leader.push(peers[1]! - without[1]!)
  }
  tell(`browser ${page.browser.at(-1)!.toFixed(1)}%, with the map ${map.browser.at(-1)!.toFixed(1)}%`)
}

async function measureLoad(browser: HeadlessBrowser, cluster: BusyCluster): Promise<void> {
  const input = JSON.stringify({ n: 20 * PEERS, ms: CHUNK_MS })
  const { code, stderr } = await cluster.processes.run(['run', TASK, '--input', input])
  if (code !== 0) throw new Error(`the first job failed: ${stderr}`)
  const cost = (): Cost => ({ browser: [], serving: [], leader: [] })
  const [page, map] = [cost(), cost()]
  const rounds = runs(3)
  for (let i = 0; i < rounds; i++) await round(browser, cluster, page, map)
  const what = `${PEERS} peers, ${CHUNKS.toLocaleString('en')} chunks`
  for (const [name, { browser, serving, leader }] of [
    ['the page', page],
    ['the page with the chunk map', map]
  ] as const) {
    rows.add(`browser, ${name}: ${what}`, '< 10%', percents(browser), rounds)
    rows.add(`increase at the peer that serves ${name}`, '< 5%', percents(serving), rounds)
    rows.add(`increase at the leader for ${name}`, '', percents(leader), rounds)
  }
}

endOnSignals()
await using(HeadlessBrowser.start(), async browser => {
  await rows.measure('load', () =>
    using(BusyCluster.start(['--http', '127.0.0.1:0']), cluster => measureLoad(browser, cluster))
  )
  await rows.measure('election', () =>
    using(startServed(4), async cluster => {
      const seen = []
      for (let run = 0; run < runs(10); run++) seen.push(await watchElection(browser, cluster))
      const told = seen.map(({ told }) => told)
      const killed = seen.map(({ killed }) => killed)
      rows.add('from the event of a new leader until the page shows the leader', '<= 1 s', spread(told), seen.length)
      rows.add('from the kill of the leader until the page shows the next leader', '', spread(killed), seen.length)
    })
  )
  await rows.measure('paint', () =>
    using(startServed(3), async cluster => {
      const seen = []
      for (let run = 0; run < runs(5); run++) seen.push(await firstPaint(browser, urlOf(cluster.peers[0]!)))
      const phone = 'a phone (processor / 4, 150 ms, 1.6 Mbit/s)'
      rows.add(`first paint on ${phone}`, '< 1.5 s', spread(seen.map(({ paint }) => paint)), seen.length)
      rows.add(`the members are shown on ${phone}`, '', spread(seen.map(({ members }) => members)), seen.length)
    })
  )
  await rows.measure('size', () =>
    using(startServed(1), async cluster => {
      const sizes = await bundleSize(browser, urlOf(cluster.peers[0]!))
      const files = [...sizes].map(([file, size]) => `${file} ${(size / 1_000).toFixed(1)}`)
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
      rows.add('all files of the page, compressed', '< 150 kB', `${(total / 1_000).toFixed(1)} kB (${files})`, 1)
    })
  )
})
rows.print()
