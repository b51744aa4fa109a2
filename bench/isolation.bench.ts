/**
 * Measures the cost of running tasks in processes under Node's permission model (`join --isolation process`) instead of in threads. Each cluster has
 * real processes on loopback: a leader that only leads and two workers of one slot.
 *
 *     npm run bench -- isolation [--quick] [ROW]…
 *
 * ROW is one of no-op, small, cold, cpu, bytes and memory. Two clusters, one with processes and one with threads, run side by side and
 * compute the same jobs alternately. Each ratio compares two consecutive jobs. The benchmark runs only on Linux, because memory figures come from /proc.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../src/api/types.ts'
import { type ProcessCluster, root } from '../test/cluster/processes.ts'
import { endOnSignals } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median, quantile } from './statistics.ts'
import { resultOf, taskFile, withTrio } from './throughput/trio.ts'

const KINDS = ['thread', 'process'] as const
type Kind = (typeof KINDS)[number]
interface Side {
  client: Client
  cluster: ProcessCluster
}
type Sides = Record<Kind, Side>
type Times = Record<Kind, number[]>

endOnSignals()
const wanted = new WantedRows(['no-op', 'small', 'cold', 'cpu', 'bytes', 'memory'])
const rows = new MeasuredRows(wanted)
const few = (count: number): number => (wanted.quick ? Math.max(2, Math.ceil(count / 10)) : count)

async function timed(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await what()
  return performance.now() - began
}

/** Measures `once` alternately on both clusters, `runs` times on each cluster. The first run on each cluster does not count. */
async function byTurns(
  sides: Sides,
  runs: number,
  once: (side: Side, run: number) => Promise<unknown>
): Promise<Times> {
  const times: Times = { thread: [], process: [] }
  for (let run = 0; run <= runs; run++) {
    for (const kind of KINDS) {
      const took = await timed(() => once(sides[kind], run))
      if (run > 0) times[kind].push(took)
    }
  }
  return times
}

const ratios = (times: Times): number[] => times.process.map((took, run) => took / times.thread[run]!)

function show(times: Times, unit: (ms: number) => string): string {
  const all = ratios(times)
  const [least, most] = [Math.min(...all), Math.max(...all)].map(ratio => ratio.toFixed(2))
  const [process, thread] = [median(times.process), median(times.thread)].map(unit)
  return `${median(all).toFixed(2)} times as long (${least} to ${most}): ${process}, in threads ${thread}`
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`

/** Writes a task whose text differs in each call, so that no peer has the task in its cache. */
async function freshTask(folder: string, name: string): Promise<string> {
  const file = join(folder, `${name}.ts`)
  const text = await readFile(taskFile('ten'), 'utf8')
  await writeFile(file, `${text.replace("name: 'ten'", `name: '${name}'`)}\n`)
  return file
}

/** Resolves to the mean private memory of a worker with its descendant processes, in MB. */
async function heldBy({ cluster }: Side): Promise<number> {
  const parents = new Map<number, number[]>()
  const { readdir } = await import('node:fs/promises')
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.split(') ')[1]?.split(' ')[1])
    if (parent > 0) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)])
  }
  const held = async (pid: number): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const own = (Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024) / 1e6
    const below = await Promise.all((parents.get(pid) ?? []).map(held))
    return own + below.reduce((sum, each) => sum + each, 0)
  }
  const workers = await Promise.all(cluster.peers.slice(1).map(({ child }) => held(child.pid!)))
  return workers.reduce((sum, each) => sum + each, 0) / workers.length
}

const folder = await mkdtemp(join(root, 'node_modules', '.p2p-worker-bench-'))
try {
  await withTrio(async (client, cluster) => {
    const thread = { client, cluster }
    await withTrio(
      async (client, cluster) => {
        const sides: Sides = { thread, process: { client, cluster } }
        await rows.measure('no-op', async () => {
          const n = few(500_000)
          const times = await byTurns(sides, few(7), side => resultOf(side.client, taskFile('no-op'), { n }))
          const rate = (took: number): string =>
            `${Math.round((n / took) * 1_000).toLocaleString('en')} chunks a second`
          rows.add('chunks that do nothing', '', show(times, rate), times.thread.length)
        })
        await rows.measure('small', async () => {
          const times = await byTurns(sides, few(100), side => resultOf(side.client, taskFile('ten'), { n: 10 }))
          const p99 = (kind: Kind): string => ms(quantile(times[kind], 0.99))
          const text = `${show(times, ms)}; p99 ${p99('process')}, in threads ${p99('thread')}`
          rows.add('a small job (10 chunks), warm', '', text, times.thread.length)
        })
        await rows.measure('cold', async () => {
          const times = await byTurns(sides, few(20), async (side, run) => {
            const task = await freshTask(folder, `fresh-${run}-${side === thread ? 'thread' : 'process'}`)
            await resultOf(side.client, task, { n: 10 })
          })
          rows.add('a small job with a task that no peer has seen', '', show(times, ms), times.thread.length)
        })
        await rows.measure('cpu', async () => {
          const input = { n: few(300), rounds: 400_000 }
          const times = await byTurns(sides, few(7), side => resultOf(side.client, taskFile('compute'), input))
          rows.add(`${input.n} chunks that compute for some ms`, '', show(times, ms), times.thread.length)
        })
        await rows.measure('bytes', async () => {
          const n = few(20_000)
          const times = await byTurns(sides, few(5), side => resultOf(side.client, taskFile('histogram'), { n }))
          rows.add(`${n.toLocaleString('en')} partials of 8 kB`, '', show(times, ms), times.thread.length)
        })
        await rows.measure('memory', async () => {
          const held: Record<Kind, number[]> = { thread: [], process: [] }
          for (let run = 0; run < few(5); run++) {
            for (const kind of KINDS) {
              await resultOf(sides[kind].client, taskFile('ten'), { n: 100 })
              held[kind].push(await heldBy(sides[kind]))
            }
          }
          const [process, thread] = [median(held.process), median(held.thread)]
          const text = `${process.toFixed(0)} MB, in threads ${thread.toFixed(0)} MB`
          rows.add('memory of a worker of one slot and its processes, after a job', '', text, held.thread.length)
        })
      },
      { P2P_WORKER_ISOLATION: 'process' }
    )
  })
} finally {
  await rm(folder, { recursive: true, force: true })
  tell('done')
}
rows.print()
