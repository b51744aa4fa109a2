/**
 * Measures how soon the next leader is elected, compared with etcd: after `kill -9`, a silent cut and a leave, with and without a quorum,
 * and under each strategy.
 * Also checks whether a cut-off leader under a quorum ever leads at the same time as the next leader, and whether the commands of two leaders
 * under a store ever run at the same time.
 *
 *     npm run bench -- election [ROW]… [--quick]
 *
 * ROW is one of kill, voters, strategies, cut, leave, overlap, stores and messages; the default is all rows. With `--quick` each row has fewer runs,
 * and its figures must not be quoted.
 * The rows cut, overlap and stores need root, `ip` and `nft`; the column of etcd needs `etcd` (Debian: etcd-server), and the lines of a store
 * need this store (Debian: etcd-server, postgresql, zookeeper).
 */
import { cpus, totalmem } from 'node:os'
import { STRATEGIES, type StrategyName } from '../src/election/core/strategies/names.ts'
import { messagesAfterCrash } from '../test/election/core/crash-cost.ts'
import { Hosts } from '../test/faults/hosts.ts'
import { STORES } from '../test/stores/all.ts'
import { EtcdCluster, etcdVersion } from '../test/stores/etcd.ts'
import { postgresVersion } from '../test/stores/postgres.ts'
import { troubleLeaders } from '../test/stores/troubles.ts'
import { lacks } from '../test/tools.ts'
import { cutLeaders } from './election/cuts.ts'
import { type ClusterInit, gapOfLeave, standingCluster, untilNext } from './election/failovers.ts'
import { endOnSignals, using } from './membership/resources.ts'
import { tell, WantedRows } from './rows.ts'
import { median, quantile, table } from './statistics.ts'

const ROWS = ['kill', 'voters', 'strategies', 'cut', 'leave', 'overlap', 'stores', 'messages']
const SIZES = [5, 50, 500]
const { quick, is } = new WantedRows(ROWS)
const etcd = etcdVersion()
const postgres = postgresVersion()
/** The stores that are installed. */
const stores = STORES.filter(({ name, tools }) => !lacks(`lines of ${name}`, ...tools))
const mayCut = !lacks('rows with hosts of their own', 'hosts')
const runs = quick ? 3 : 20
const cuts = quick ? 10 : 200
const rows: string[][] = []

const show = (values: number[]): string =>
  values.length === 0
    ? '-'
    : `${median(values).toFixed(0)} (${quantile(values, 0.99).toFixed(0)}) ms, ${values.length} runs`

async function repeat(what: string, count: number, once: () => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let run = 0; run < count; run++) {
    values.push(await once())
    tell(`${what}, run ${run + 1}: ${values.at(-1)!.toFixed(0)} ms`)
  }
  return values
}

/** Measures the election after kills of the leader. Each run uses new clusters. */
async function kills(count: number, voters: boolean): Promise<void> {
  const what = `\`kill -9\` of the leader of ${count}${voters ? ', with `--voters`' : ''}`
  const ours = await repeat(what, runs, () =>
    using(standingCluster({ count, voters }), cluster => untilNext(cluster, leader => leader.child.kill('SIGKILL')))
  )
  const theirs =
    etcd === undefined
      ? []
      : await repeat(`etcd, ${count} nodes`, quick ? 1 : 5, () =>
          using(EtcdCluster.start(count), cluster => cluster.killLeader())
        )
  const ratio = theirs.length === 0 ? '-' : (median(theirs) / median(ours)).toFixed(1)
  rows.push([what, show(ours), show(theirs), ratio])
}

const messages = (size: number, strategy: StrategyName): string => {
  const count = messagesAfterCrash(size, strategy)
  return `${count} (${(count / size).toFixed(2)})`
}

endOnSignals()
if (is('kill')) for (const count of [3, 5]) await kills(count, false)
if (is('voters')) for (const count of [3, 5]) await kills(count, true)
if (is('strategies')) {
  // By turns, so that all strategies meet the same machine.
  const servers: { stop(): Promise<void> }[] = []
  try {
    const elects = new Map<string, Pick<ClusterInit, 'strategy' | 'flags' | 'env'>>(
      STRATEGIES.map(strategy => [strategy, { strategy }])
    )
    for (const { form, start } of stores) {
      const { stop, ...store } = await start()
      servers.push({ stop })
      elects.set(`${form} --lease-time 2s`, { ...store, flags: ['--lease-time', '2s'] })
    }
    const times = new Map<string, number[]>([...elects.keys()].map(name => [name, []]))
    for (let run = 0; run < runs; run++) {
      for (const [name, election] of elects) {
        const ms = await using(standingCluster({ count: 3, voters: false, ...election }), cluster =>
          untilNext(cluster, leader => leader.child.kill('SIGKILL'))
        )
        times.get(name)!.push(ms)
        tell(`${name}, run ${run + 1}: ${ms.toFixed(0)} ms`)
      }
    }
    for (const [name, values] of times)
      rows.push([`\`kill -9\` of the leader of 3, \`--election ${name}\``, show(values), '', ''])
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}
if (is('leave')) {
  const gaps = await repeat('leave', runs, () => using(standingCluster({ count: 3, voters: false }), gapOfLeave))
  rows.push(['SIGTERM of the leader of 3: without a leader for', show(gaps), '', ''])
}
if (is('cut') && mayCut) {
  for (const voters of [false, true]) {
    const what = `silent cut of the leader of 5${voters ? ', with `--voters`' : ''}`
    const times = await repeat(what, Math.ceil(runs / 2), () =>
      using(Hosts.create(5), hosts =>
        using(standingCluster({ count: 5, voters, hosts }), cluster =>
          untilNext(cluster, leader => hosts.cut(cluster.peers.indexOf(leader)))
        )
      )
    )
    rows.push([what, show(times), '', ''])
  }
}
let overlap = ''
if (is('overlap') && mayCut) {
  const found = await using(Hosts.create(3), hosts =>
    using(standingCluster({ count: 3, voters: true, hosts }), cluster =>
      cutLeaders(hosts, cluster, cuts, done => tell(`overlap, cut ${done}`))
    )
  )
  overlap = `${found.cuts} cuts of the leader of 3 voters: ${found.overlaps} overlaps in ${found.gaps.length + found.overlaps} changes of leader; shortest gap ${Math.min(...found.gaps)} ms, median ${median(found.gaps).toFixed(0)} ms. From when the leader that was cut off said that it had stopped until the next one was named: at least ${Math.min(...found.told)} ms, median ${median(found.told).toFixed(0)} ms`
}
const troubled: string[] = []
if (is('stores') && mayCut) {
  for (const { name, hosted } of stores) {
    await using(Hosts.create(4), hosts =>
      using(hosted(hosts), async store => {
        const found = await troubleLeaders(hosts, store, quick ? 9 : 102, done => tell(`${name}, ${done}`))
        troubled.push(
          `${name}, lease time ${store.leaseTime} ms: the commands of ${found.stints} leaders, each ended by a cut from the store, a pause or a kill, overlapped ${found.overlaps} times; shortest gap ${Math.min(...found.gaps).toFixed(0)} ms, median ${median(found.gaps).toFixed(0)} ms`
        )
      })
    )
  }
}
console.log(
  `${new Date().toISOString().slice(0, 10)};${quick ? ' --quick: not to be quoted;' : ''} ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB,`
)
console.log(
  `Node ${process.versions.node}, ${etcd ?? 'no etcd'}, ${postgres ?? 'no PostgreSQL'}; profile lan; median (p99)\n`
)
if (rows.length > 0)
  console.log(
    table(['until all others name the next leader', 'p2p-worker', 'etcd: first write', 'times as long'], rows)
  )
if (overlap !== '') console.log(`\n${overlap}`)
for (const line of troubled) console.log(`\n${line}`)
if (is('messages')) {
  const counts = SIZES.map(size => [String(size), ...STRATEGIES.map(strategy => messages(size, strategy))])
  console.log(`\n${table(['members: messages after a crash of the leader (a member)', ...STRATEGIES], counts)}`)
}
