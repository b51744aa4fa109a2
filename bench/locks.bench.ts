/**
 * Measures how many locks eight clients are granted and release a second, beside etcd. Also troubles the holders of a lock and the voters that grant
 * it, and checks that the lock never has two holders.
 *
 *     npm run bench -- locks [ROW]… [--quick]
 *
 * ROW is one of rate and troubles; the default is all rows. With `--quick` the runs are shorter and the faults fewer, and the figures must not be
 * quoted. `P2P_WORKER_SEED` sets the seed of the faults. The column of etcd needs `etcd` (Debian: etcd-server), and the row troubles needs root,
 * `ip` and `nft`.
 *
 * All systems of the row rate run three nodes on loopback with their defaults, and are measured by turns in one run. The eight clients are in this
 * process. Each of them locks and releases in a loop: all of them the same name, or each a name of its own. etcd is used as `etcdctl lock` uses it, over
 * gRPC, at its leader (locks/etcd-mutex.ts).
 */
import { randomInt } from 'node:crypto'
import { LOCK_HOSTS, troubleLocks } from '../test/cluster/lock-troubles.ts'
import { Hosts } from '../test/faults/hosts.ts'
import { etcdVersion } from '../test/stores/etcd.ts'
import { lacks } from '../test/tools.ts'
import { CLIENTS, lockRates, SYSTEMS, type System } from './locks/rates.ts'
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'

const ROWS = ['rate', 'troubles']
const wanted = new WantedRows(ROWS)
const { quick } = wanted
const rows = new MeasuredRows(wanted)
const etcd = etcdVersion()
const MUST: { readonly [system in System]: string } = {
  'p2p-worker': 'more than etcd',
  'p2p-worker with voters': 'at least half of etcd',
  etcd: ''
}

endOnSignals()
await rows.measure('rate', async () => {
  const systems = SYSTEMS.filter(system => system !== 'etcd' || etcd !== undefined)
  const rounds = quick ? 1 : 5
  const rates = await lockRates({ systems, rounds, ms: quick ? 1_000 : 4_000, tell })
  for (const [names, bySystem] of rates) {
    const theirs = median(bySystem.get('etcd') ?? [])
    for (const [system, values] of bySystem) {
      const spread = `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
      const times =
        system === 'etcd' || etcd === undefined ? '' : `: ${(median(values) / theirs).toFixed(2)} times etcd`
      const what = `locks a second, ${CLIENTS} clients, ${names === 1 ? 'one name' : `${names} names`}`
      rows.add(`${what}: ${system === 'etcd' ? etcd : system}`, MUST[system], `${spread}${times}`, rounds)
    }
  }
})
await rows.measure('troubles', async () => {
  if (lacks('troubles', 'hosts')) return
  const count = quick ? 10 : 200
  const seed = Number(process.env.P2P_WORKER_SEED ?? randomInt(2 ** 32))
  tell(`troubles: seed ${seed}`)
  const found = await using(Hosts.create(LOCK_HOSTS), hosts => troubleLocks(hosts, count, seed, tell))
  const { holders, overlaps, backwards, gaps } = found
  const shortest = `shortest gap ${Math.min(...gaps).toFixed(0)} ms, median ${median(gaps).toFixed(0)} ms`
  rows.add(
    `${count} random kills, pauses and cuts of leaders and holders, 3 voters`,
    '0 times two holders, tokens only grow',
    `${overlaps} times two holders, ${backwards} tokens that were not larger, ${holders} holders; ${shortest}; seed ${seed}`,
    1
  )
  if (overlaps > 0 || backwards > 0) process.exitCode = 1
})
rows.print()
