/**
 * Measures the cost of the HTTP API and the libp2p metrics: the loss in the rate of no-op chunks, and the processor time that readers of the API cost.
 *
 *     npm run bench -- http [ROW]… [--quick]
 *
 * ROW is one of rate, events and scrape; the default is all rows. With `--quick` each row has fewer runs, and its figures must not be quoted. The
 * benchmark runs only on Linux, because processor times come from /proc.
 *
 * Two clusters run at the same time and are measured alternately. Each has a leader and two workers; only one cluster has the option `--http`.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../src/api/types.ts'
import type { PeerProcess, ProcessCluster } from '../test/cluster/processes.ts'
import { Reader } from '../test/http/events.ts'
import { endOnSignals } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { resultOf, taskFile, withTrio } from './throughput/trio.ts'

const wanted = new WantedRows(['rate', 'events', 'scrape'])
const rows = new MeasuredRows(wanted)
const few = (runs: number): number => (wanted.quick ? Math.ceil(runs / 4) : runs)
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const READERS = 20

/** Returns the processor time of a process so far, in ms. */
function cpuMs({ child }: PeerProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
}

function urlOf(peer: PeerProcess): string {
  const ready = peer.events.find(({ event }) => event === 'ready') as { http?: string } | undefined
  if (ready?.http === undefined) throw new Error('this peer has no HTTP API')
  return ready.http
}

/** Resolves to the share of a core that a peer uses during `ms` milliseconds, in percent. */
async function shareOf(peer: PeerProcess, ms: number): Promise<number> {
  const [before, began] = [cpuMs(peer), performance.now()]
  await delay(ms)
  return ((cpuMs(peer) - before) / (performance.now() - began)) * 100
}

async function measure(plain: Client, watched: Client, cluster: ProcessCluster): Promise<void> {
  const [leader, worker] = cluster.peers as [PeerProcess, PeerProcess]
  await rows.measure('rate', async () => {
    const n = wanted.quick ? 300_000 : 1_000_000
    const rates: [number[], number[]] = [[], []]
    for (const client of [plain, watched]) await resultOf(client, taskFile('no-op'), { n })
    for (let run = 0; run < few(9); run++) {
      for (const [side, client] of [plain, watched].entries()) {
        const began = performance.now()
        await resultOf(client, taskFile('no-op'), { n })
        rates[side]!.push((n / (performance.now() - began)) * 1_000)
      }
    }
    const [without, with_] = rates.map(median) as [number, number]
    const text = `${with_.toFixed(0)} a second, without ${without.toFixed(0)} (${((with_ / without - 1) * 100).toFixed(1)} %)`
    rows.add('chunks that do nothing, with `--http` on all peers', '', text, rates[0].length)
  })
  await rows.measure('events', async () => {
    const job = resultOf(watched, taskFile('no-op'), { n: 100_000 })
    await job
    const idle = await shareOf(worker, few(20) * 1_000)
    const readers = Array.from({ length: READERS }, () => new Reader(urlOf(worker)))
    for (const reader of readers) while (reader.events.length === 0) await delay(20)
    const busy = await shareOf(worker, few(20) * 1_000)
    for (const reader of readers) reader.close()
    rows.add(
      `a peer with ${READERS} readers of /api/events`,
      '',
      `${busy.toFixed(1)} % of a core, without ${idle.toFixed(1)} %`,
      1
    )
  })
  await rows.measure('scrape', async () => {
    const url = `${urlOf(leader)}/metrics`
    const times: number[] = []
    for (let run = 0; run < few(200); run++) {
      const began = performance.now()
      await (await fetch(url)).text()
      times.push(performance.now() - began)
    }
    rows.add('time to answer /metrics', '', `${median(times).toFixed(1)} ms`, times.length)
  })
}

endOnSignals()
await withTrio(async plain => {
  await withTrio(async (watched, cluster) => await measure(plain, watched, cluster), { P2P_WORKER_HTTP: '0' })
})
tell('done')
rows.print()
