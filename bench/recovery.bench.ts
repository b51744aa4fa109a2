/**
 * What a job loses when peers die, leave, join or are slow, and what it costs to lose no more: real processes on loopback.
 *
 *     npm run bench -- recovery [ROW]… [--quick]
 *
 * ROW is one of leader, worker, both, join, leave, kills, slow, checkpoints and roles; without any, all are measured. `--quick`: fewer runs, not
 * to be quoted. Linux only: bytes and processor time are /proc's.
 *
 * Which chunks ran where and when is known by lines that they leave in a file when they begin and when they end. Speculation is off, but
 * where it is what is measured. A job's time is from submission to result by the clock of this process, which is its client.
 *
 * What checkpoints cost is measured from inside (recovery/observe.mjs, a module that is loaded into the leader before p2p-worker) and from outside. In
 * the thread that folds: the time of its checkpoints beside that of its folds. From outside: there is no option to take none, but that
 * module can make the checkpointer deaf, and the rest is the shipped code. So the difference of two clusters, by turns, holds all that a
 * checkpoint costs wherever it costs it: the leader's event loop, the network, those who keep it. The job does nothing but fold, else a
 * checkpoint's time would hide behind that of the chunks. That difference is small and other load is not, so it takes the least of
 * the runs, and may still come out below 0.
 */
import { cpus, totalmem } from 'node:os'
import type { PeerProcess, ProcessCluster } from '../test/cluster/processes.ts'
import { randomFrom } from '../test/simulation/world.ts'
import { endOnSignals } from './membership/resources.ts'
import { checkpointCosts } from './recovery/checkpoints.ts'
import { alike, PEERS, withCluster } from './recovery/clusters.ts'
import { deaths } from './recovery/deaths.ts'
import { departures, joins } from './recovery/hand-offs.ts'
import { kills } from './recovery/kills.ts'
import { showCheckpoints, showDeaths, showHandOffs, showKills, showRole, showSlowPeer } from './recovery/report.ts'
import { leaderRoles } from './recovery/roles.ts'
import { slowPeer } from './recovery/slow-peers.ts'
import { table } from './statistics.ts'

const ROWS = ['leader', 'worker', 'both', 'join', 'leave', 'kills', 'slow', 'checkpoints', 'roles']
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const wanted = args.filter(arg => arg !== '--quick')
const unknown = wanted.filter(row => !ROWS.includes(row))
if (unknown.length > 0) {
  console.error(`there is no row ${unknown.join(', ')}; the rows are ${ROWS.join(', ')}`)
  process.exit(2)
}
const runs = quick ? 1 : 5
const began = performance.now()
const rows: Array<[what: string, must: string, measured: string, runs: number]> = []

function tell(what: string): void {
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`)
}

const is = (row: string): boolean => wanted.length === 0 || wanted.includes(row)

function add(what: string, must: string, measured: string, count: number): void {
  rows.push([what, must, measured, count])
  tell(`${what}: ${measured}`)
}

/** A row that breaks says so in the table, and the others are measured all the same. */
async function measure(row: string, how: () => Promise<void>): Promise<void> {
  if (!is(row)) return
  try {
    await how()
  } catch (error) {
    tell(`${row}: ${error instanceof Error ? error.stack : error}`)
    rows.push([row, '', `**broke off**: ${String(error).split('\n')[0]}`, 0])
    process.exitCode = 1
  }
}

async function killed(
  cluster: ProcessCluster,
  what: string,
  must: string,
  victims: (byRank: PeerProcess[]) => PeerProcess[]
): Promise<void> {
  const found = await deaths(cluster, runs, victims, (run, death) =>
    tell(`${what}, run ${run}: ${showDeaths([death])}`)
  )
  add(what, must, showDeaths(found), runs)
}

async function handedOver(cluster: ProcessCluster, what: string, how: typeof joins): Promise<void> {
  const found = await how(cluster, runs, (run, each) => tell(`${what}, run ${run}: ${showHandOffs([each])}`))
  add(what, 'the same result; 0 chunks run twice', showHandOffs(found), runs)
}

endOnSignals()
if (ROWS.slice(0, 5).some(is)) {
  await withCluster(alike(PEERS), async cluster => {
    const same = 'equal to the bit; 0 again that a living peer had computed; at most 250 ms above the lost capacity'
    await measure('leader', () =>
      killed(cluster, '`kill -9` of the leader of 4 at half of 200 chunks of 50 ms', same, ([leader]) => [leader!])
    )
    await measure('worker', () =>
      killed(cluster, 'of a worker', 'the same; only what ran there runs again', byRank => [byRank.at(-1)!])
    )
    await measure('both', () =>
      killed(cluster, 'of the leader and its first standby together', 'the same result', byRank => byRank.slice(0, 2))
    )
    await measure('join', () => handedOver(cluster, 'a peer that ranks above all joins', joins))
    await measure('leave', () => handedOver(cluster, 'SIGTERM of the leader', departures))
  })
}
await measure('kills', async () => {
  const count = quick ? 12 : 200
  const seed = Date.now() % 2 ** 31
  const found = await kills(count, randomFrom(seed), so => tell(`kills: ${showKills(so)}`))
  for (const what of [...found.wrong, ...found.refused, ...found.askedAgain]) tell(`kills: ${what}`)
  add(`${count} random kills`, 'every acknowledged job ends with the right result', showKills(found), 1)
})
await measure('slow', async () => {
  const jobs = quick
    ? [{ n: 200, ms: 50 }]
    : [
        { n: 200, ms: 50 },
        { n: 60, ms: 200 }
      ]
  for (const job of jobs) {
    const times = quick ? 1 : 3
    const what = `one of 4 peers ten times slower, ${job.n} chunks of ${job.ms} ms`
    add(what, 'at most 1.2 times the time of the three without it', showSlowPeer(await slowPeer(job, times)), times)
  }
})
await measure('checkpoints', async () => {
  const count = quick ? 1 : 3
  const lasts = quick ? 3_000 : 5_000
  const sizes = { '1 kB': 1e3, '1 MB': 1e6, '100 MB': 1e8 }
  const foldings = Object.entries(sizes)
    // Of so many bytes the first checkpoint is not before 20 s have passed: no job is quick.
    .filter(([, bytes]) => bytes < 1e8 || !quick)
    .map(([name, bytes]) =>
      bytes < 1e8 ? { name, bytes, lasts, runs: count } : { name, bytes, lasts: 90_000, runs: 1 }
    )
  await checkpointCosts(foldings, ({ name, runs: each }, cost) =>
    add(`checkpoints of an accumulator of ${name}`, 'at most 5% of the time', showCheckpoints(cost), each)
  )
})
await measure('roles', async () => {
  const count = quick ? 1 : 2
  const chunks = quick ? { asleep: 50, busy: 100 } : { asleep: 100, busy: 200 }
  await leaderRoles(quick ? [4] : [2, 4, 8], count, chunks, row => {
    const leader = row.role === 'auto' ? 'computes, too' : 'only leads'
    add(
      `${row.peers} peers, chunks that ${row.busy ? 'compute' : 'sleep'} for 20 ms, leader that ${leader}`,
      '',
      showRole(row),
      count
    )
  })
})
const date = new Date().toISOString().slice(0, 10)
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
console.log(
  `${date};${quick ? ' --quick: not to be quoted;' : ''} ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB,`
)
console.log(`Node ${process.versions.node}; profile lan; ${minutes} min\n`)
console.log(table(['what', 'must', 'measured', 'runs'], rows))
