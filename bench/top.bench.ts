/**
 * npm run bench -- top: what `top` costs, with fifty peers and a job of 100,000 chunks: itself, the peer that it is attached to, and the
 * leader that it asks. These two with and without it by turns, while the job goes on. Needs tmux and Linux.
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
/** How long a chunk takes, in ms: so the job takes about as long as is measured. */
const CHUNK_MS = 60
const SIZE = { columns: 120, rows: 40 }
/** How long is measured with and without `top`, each, in ms, and how often. */
const WINDOW_MS = 12_000
/** After its start `top` is given so long to be as it will be, in ms. */
const SETTLE_MS = 3_000

const wanted = new WantedRows(ROWS)
const rows = new MeasuredRows(wanted)
const rounds = wanted.quick ? 1 : 4

/** `top` in a terminal, attached to one peer. */
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

async function measure(cluster: BusyCluster): Promise<void> {
  const { processes, leader, attached } = cluster
  const input = JSON.stringify({ n: CHUNKS, ms: CHUNK_MS })
  const job = processes.spawn(['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--json'])
  const pids = [leader.child.pid!, attached.child.pid!]
  // The threads of all peers start with the first chunks.
  await delay(SETTLE_MS)
  const shares = { top: [] as number[], leader: [] as number[], attached: [] as number[] }
  const more = { leader: [] as number[], attached: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const [leaderBefore = 0, attachedBefore = 0] = await sharesOfCore(pids, () => delay(WINDOW_MS))
    await withTop(cluster, async (pid, terminal) => {
      await delay(SETTLE_MS)
      const [top = 0, atLeader = 0, atAttached = 0] = await sharesOfCore([pid, ...pids], () => delay(WINDOW_MS))
      if (round === 0) tell(`what it showed:\n${await terminal.screen()}`)
      shares.top.push(top)
      shares.leader.push(atLeader)
      shares.attached.push(atAttached)
      more.leader.push(atLeader - leaderBefore)
      more.attached.push(atAttached - attachedBefore)
      tell(
        `top ${top.toFixed(1)}%; leader ${leaderBefore.toFixed(1)}% → ${atLeader.toFixed(1)}%; its peer ${attachedBefore.toFixed(1)}% → ${atAttached.toFixed(1)}%`
      )
    })
  }
  const isOver = job.child.exitCode !== null
  job.child.kill('SIGKILL')
  if (isOver) throw new Error('the job ended before all was measured: it has to take longer')

  const told = (values: number[]): string =>
    `${median(values).toFixed(1)}% of a core (${values.map(value => value.toFixed(1)).join(', ')})`
  rows.add(
    `top: ${PEERS} peers, ${CHUNKS.toLocaleString('en')} chunks, ${SIZE.columns}×${SIZE.rows}`,
    '< 5%',
    told(shares.top),
    rounds
  )
  rows.add('the peer that it is attached to: more than without', '< 2%', told(more.attached), rounds)
  rows.add('the leader that it asks: more than without', '< 2%', told(more.leader), rounds)
  rows.add('the peer, with top', '', told(shares.attached), rounds)
  rows.add('the leader, with top', '', told(shares.leader), rounds)
}

endOnSignals()
await rows.measure('top', () => using(BusyCluster.start(), measure))
rows.print()
