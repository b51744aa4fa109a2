/**
 * npm run bench -- top: measures the cost of `top` with fifty peers and a job of 100,000 chunks: the share of a core that `top` itself uses, and the
 * increase of the share at the attached peer and at the leader. During the job, both peers are measured alternately with and without `top`. The benchmark
 * needs tmux and Linux.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Terminal } from '../test/terminal/terminal.ts'
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'
import { BusyCluster, PEERS } from './top/cluster.ts'
import { sharesOfCore } from './top/processor-time.ts'

const ROWS = ['top'] as const
const CHUNKS = 100_000
const TASK = 'test/cluster/tasks/sleep-sum.ts'
/** The time of a chunk, in ms. With this value the job lasts about as long as the measurement. */
const CHUNK_MS = 60
const SIZE = { columns: 120, rows: 40 }
/** The duration of each measurement with and without `top`, in ms. */
const WINDOW_MS = 10_000
/** The time between the start of `top` and the measurement, in ms. */
const SETTLE_MS = 3_000

const wanted = new WantedRows(ROWS)
const rows = new MeasuredRows(wanted)
const rounds = wanted.quick ? 1 : 4

const percent = (values: number[]): string => `${values.at(-1)!.toFixed(1)}%`

/** Runs `use` with `top` in a terminal, attached to one peer. */
async function withTop(cluster: BusyCluster, use: (pid: number, terminal: Terminal) => Promise<void>): Promise<void> {
  const { attached, processes } = cluster
  const { P2P_WORKER_KEY, P2P_WORKER_CLUSTER } = processes.env
  const command = `echo $$ > "$HOME/pid"; exec p2p-worker top --no-mdns --bootstrap ${attached.addresses[0]}`
  const env = { P2P_WORKER_KEY, P2P_WORKER_CLUSTER }
  await using(Terminal.start({ ...SIZE, env, command: ['sh', '-c', command] }), async terminal => {
    await terminal.waitFor(/running/)
    await terminal.waitFor(`attached to peer ${attached.id.slice(-8)}`)
    await use(Number(await readFile(join(terminal.home, 'pid'), 'utf8')), terminal)
  })
}

/** Runs a short job, so that all peers have loaded the task and started its threads before the measurement. */
async function warmUp({ processes }: BusyCluster): Promise<void> {
  const { code, stderr } = await processes.run([
    'run',
    TASK,
    '--input',
    JSON.stringify({ n: 20 * PEERS, ms: CHUNK_MS })
  ])
  if (code !== 0) throw new Error(`the first job failed: ${stderr}`)
}

async function measure(cluster: BusyCluster): Promise<void> {
  const { processes, leader, attached } = cluster
  await warmUp(cluster)
  const job = processes.spawn(['run', TASK, '--input', JSON.stringify({ n: CHUNKS, ms: CHUNK_MS })])
  const pids = [leader.child.pid!, attached.child.pid!]
  await delay(SETTLE_MS)
  const without = [await sharesOfCore(pids, () => delay(WINDOW_MS))]
  const shares: Record<'top' | 'leader' | 'attached', number[]> = { top: [], leader: [], attached: [] }
  const more: Record<'leader' | 'attached', number[]> = { leader: [], attached: [] }
  for (let round = 0; round < rounds; round++) {
    await withTop(cluster, async (pid, terminal) => {
      await delay(SETTLE_MS)
      const [top = 0, atLeader = 0, atAttached = 0] = await sharesOfCore([pid, ...pids], () => delay(WINDOW_MS))
      if (round === 0) tell(`what it showed:\n${await terminal.screen()}`)
      shares.top.push(top)
      shares.leader.push(atLeader)
      shares.attached.push(atAttached)
    })
    without.push(await sharesOfCore(pids, () => delay(WINDOW_MS)))
    // The mean of the measurements before and after removes slow changes that `top` does not cause.
    const [[leaderBefore = 0, attachedBefore = 0], [leaderAfter = 0, attachedAfter = 0]] = without.slice(-2) as [
      number[],
      number[]
    ]
    more.leader.push(shares.leader.at(-1)! - (leaderBefore + leaderAfter) / 2)
    more.attached.push(shares.attached.at(-1)! - (attachedBefore + attachedAfter) / 2)
    tell(`top ${percent(shares.top)}, leader ${percent(more.leader)} more, its peer ${percent(more.attached)} more`)
  }
  const isOver = job.child.exitCode !== null
  job.child.kill('SIGKILL')
  if (isOver) throw new Error(`the job ended before all was measured: it has to take longer\n${job.stderr}`)

  const told = (values: number[]): string =>
    `${median(values).toFixed(1)}% of a core (${values.map(value => value.toFixed(1)).join(', ')})`
  rows.add(
    `top: ${PEERS} peers, ${CHUNKS.toLocaleString('en')} chunks, ${SIZE.columns}×${SIZE.rows}`,
    '< 5%',
    told(shares.top),
    rounds
  )
  rows.add('increase at the attached peer', '< 2%', told(more.attached), rounds)
  rows.add('increase at the leader', '< 2%', told(more.leader), rounds)
  rows.add('the attached peer, with top', '', told(shares.attached), rounds)
  rows.add('the leader, with top', '', told(shares.leader), rounds)
}

endOnSignals()
await rows.measure('top', () => using(BusyCluster.start(), measure))
rows.print()
