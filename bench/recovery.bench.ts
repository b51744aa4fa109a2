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
import { MeasuredRows, tell, WantedRows } from './rows.ts'

const ROWS = ['leader', 'worker', 'both', 'join', 'leave', 'kills', 'slow', 'checkpoints', 'roles']
const wanted = new WantedRows(ROWS)
const { quick, is } = wanted
const rows = new MeasuredRows(wanted)
const runs = quick ? 1 : 5

async function killed(
  cluster: ProcessCluster,
  what: string,
  must: string,
  victims: (byRank: PeerProcess[]) => PeerProcess[]
): Promise<void> {
  const found = await deaths(cluster, runs, victims, (run, death) =>
    tell(`${what}, run ${run}: ${showDeaths([death])}`)
  )
  rows.add(what, must, showDeaths(found), runs)
}

async function handedOver(cluster: ProcessCluster, what: string, how: typeof joins): Promise<void> {
  const found = await how(cluster, runs, (run, each) => tell(`${what}, run ${run}: ${showHandOffs([each])}`))
  rows.add(what, 'the same result; 0 chunks run twice', showHandOffs(found), runs)
}

endOnSignals()
if (ROWS.slice(0, 5).some(is)) {
  await withCluster(alike(PEERS), async cluster => {
    const same = 'equal to the bit; 0 again that a living peer had computed; at most 250 ms above the lost capacity'
    await rows.measure('leader', () =>
      killed(cluster, '`kill -9` of the leader of 4 at half of 200 chunks of 50 ms', same, ([leader]) => [leader!])
    )
    await rows.measure('worker', () =>
      killed(cluster, 'of a worker', 'the same; only what ran there runs again', byRank => [byRank.at(-1)!])
    )
    await rows.measure('both', () =>
      killed(cluster, 'of the leader and its first standby together', 'the same result', byRank => byRank.slice(0, 2))
    )
    await rows.measure('join', () => handedOver(cluster, 'a peer that ranks above all joins', joins))
    await rows.measure('leave', () => handedOver(cluster, 'SIGTERM of the leader', departures))
  })
}
await rows.measure('kills', async () => {
  const count = quick ? 12 : 200
  const seed = Date.now() % 2 ** 31
  const found = await kills(count, randomFrom(seed), so => tell(`kills: ${showKills(so)}`))
  for (const what of [...found.wrong, ...found.refused, ...found.askedAgain]) tell(`kills: ${what}`)
  rows.add(`${count} random kills`, 'every acknowledged job ends with the right result', showKills(found), 1)
})
await rows.measure('slow', async () => {
  const jobs = quick
    ? [{ n: 200, ms: 50 }]
    : [
        { n: 200, ms: 50 },
        { n: 60, ms: 200 }
      ]
  for (const job of jobs) {
    const times = quick ? 1 : 3
    const what = `one of 4 peers ten times slower, ${job.n} chunks of ${job.ms} ms`
    rows.add(
      what,
      'at most 1.2 times the time of the three without it',
      showSlowPeer(await slowPeer(job, times)),
      times
    )
  }
})
await rows.measure('checkpoints', async () => {
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
    rows.add(`checkpoints of an accumulator of ${name}`, 'at most 5% of the time', showCheckpoints(cost), each)
  )
})
await rows.measure('roles', async () => {
  const count = quick ? 1 : 2
  const chunks = quick ? { asleep: 50, busy: 100 } : { asleep: 100, busy: 200 }
  await leaderRoles(quick ? [4] : [2, 4, 8], count, chunks, row => {
    const leader = row.role === 'auto' ? 'computes, too' : 'only leads'
    rows.add(
      `${row.peers} peers, chunks that ${row.busy ? 'compute' : 'sleep'} for 20 ms, leader that ${leader}`,
      '',
      showRole(row),
      count
    )
  })
})
rows.print()
