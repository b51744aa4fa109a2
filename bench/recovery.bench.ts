/**
 * Measures what a job loses when peers die, leave, join or are slow, and the cost of the protection against such losses, with real processes on loopback.
 *
 *     npm run bench -- recovery [ROW]… [--quick]
 *
 * ROW is one of leader, worker, both, join, leave, kills, slow, checkpoints and roles; the default is all rows. With `--quick` each row
 * has fewer runs, and its figures must not be quoted. The benchmark runs only on Linux, because bytes and processor times come from /proc.
 *
 * Each chunk writes a line to a file when it begins and when it ends, so the file shows which chunks ran where and when. Speculation is off except
 * in the row that measures it. The time of a job runs from submission to result, by the clock of this process, which is the client.
 *
 * The cost of checkpoints is measured in two ways. First, the leader loads recovery/observe.mjs before p2p-worker, and this module times checkpoints
 * and folds inside the folding thread. Second, two clusters run the same job alternately. In one of these clusters the module disables the checkpointer,
 * because p2p-worker has no option that does so. The difference of the times includes all costs: the event loop of the leader, the network, and the
 * peers that store the checkpoints. The job only folds, because computing chunks would hide the time of checkpoints. The difference is small compared
 * with the effect of other load on the machine. So only the shortest run counts, and the difference may still be below 0.
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
    const same =
      'equal to the bit; no chunk run again that a living peer had computed; at most 250 ms above the lost capacity'
    await rows.measure('leader', () =>
      killed(cluster, '`kill -9` of the leader of 4 at half of 200 chunks of 50 ms', same, ([leader]) => [leader!])
    )
    await rows.measure('worker', () =>
      killed(cluster, '`kill -9` of a worker', 'the same; only the chunks of that worker run again', byRank => [
        byRank.at(-1)!
      ])
    )
    await rows.measure('both', () =>
      killed(cluster, '`kill -9` of the leader and its first standby together', 'the same result', byRank =>
        byRank.slice(0, 2)
      )
    )
    await rows.measure('join', () => handedOver(cluster, 'a new highest-ranked peer joins', joins))
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
    // The first checkpoint of 100 MB is taken only after 20 s, so a quick run omits this size.
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
