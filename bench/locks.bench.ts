/**
 * Troubles the holders of a lock and the voters that grant it, and checks that the lock never has two holders.
 *
 *     npm run bench -- locks [ROW]… [--quick]
 *
 * ROW is troubles; the default is all rows. `--quick` makes fewer faults, and its figures must not be quoted. `P2P_WORKER_SEED` sets the seed of the
 * faults. The row needs root, `ip` and `nft`.
 */
import { randomInt } from 'node:crypto'
import { LOCK_HOSTS, troubleLocks } from '../test/cluster/lock-troubles.ts'
import { Hosts } from '../test/faults/hosts.ts'
import { lacks } from '../test/tools.ts'
import { endOnSignals, using } from './membership/resources.ts'
import { MeasuredRows, tell, WantedRows } from './rows.ts'
import { median } from './statistics.ts'

const ROWS = ['troubles']
const wanted = new WantedRows(ROWS)
const { quick } = wanted
const rows = new MeasuredRows(wanted)

endOnSignals()
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
