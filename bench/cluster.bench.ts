/**
 * Measures how long a cluster of real processes on this machine takes to form, and to agree on the next leader after
 * `kill -9` of the leader. The same run measures the floor: the time after `kill -9` of a bare process until the far end
 * of its socket closes and its port refuses a new connection.
 *
 * The leader is killed 2 s after the cluster has formed. By then every peer has dialled back every other peer; without
 * that, the fast detection of a crash does not work (docs/architecture.md, the crash fast path).
 *
 *     npm run bench -- cluster [RUNS] [PEERS] [mdns]
 *
 * With `mdns` the peers get no bootstrap address. Run this in a separate network namespace:
 *
 *     unshare -n sh -c 'ip link set lo up && npm run bench -- cluster 10 3 mdns'
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ProcessCluster } from '../test/cluster/processes.ts'
import { crashFloor } from './floor.ts'
import { median, quantile, table } from './statistics.ts'

/** The time between the forming of the cluster and the kill of its leader, in ms. */
const STANDS_MS = 2_000
const runs = Number(process.argv[2] ?? 10)
const count = Number(process.argv[3] ?? 3)
const mdns = process.argv[4] === 'mdns'

async function start(): Promise<ProcessCluster> {
  if (!mdns) return await ProcessCluster.start(count)
  const cluster = await ProcessCluster.create()
  for (let i = 0; i < count; i++) cluster.join([], { mdns })
  await Promise.all(cluster.peers.map(peer => peer.ready()))
  return cluster
}

async function formAndFail(): Promise<{ formed: number; agreed: number; dead: number }> {
  const cluster = await start()
  try {
    await cluster.settled()
    const readyAt = Math.max(...cluster.peers.map(peer => peer.events.find(({ event }) => event === 'ready')!.at))
    const leaderAt = Math.max(...cluster.peers.map(peer => peer.events.findLast(({ event }) => event === 'leader')!.at))
    const [leader, next, ...rest] = cluster.byRank()
    await delay(STANDS_MS)
    const killed = performance.now()
    leader!.child.kill('SIGKILL')
    const others = [next!, ...rest]
    await Promise.all(others.flatMap(peer => [peer.follows(next!.id), peer.sees(leader!.id, 'dead')]))
    const last = (find: (peer: (typeof others)[number]) => number | undefined): number =>
      Math.max(...others.map(peer => find(peer)!)) - killed
    return {
      formed: Math.max(0, leaderAt - readyAt),
      agreed: last(peer => peer.events.findLast(({ event, peerId }) => event === 'leader' && peerId === next!.id)?.at),
      dead: last(
        peer =>
          peer.events.findLast(
            ({ event, state, peerId }) => event === 'member' && state === 'dead' && peerId === leader!.id
          )?.at
      )
    }
  } finally {
    await cluster.stop()
  }
}

const results: Array<Awaited<ReturnType<typeof formAndFail>>> = []
const floors: number[] = []
for (let run = 0; run < runs; run++) {
  results.push(await formAndFail())
  floors.push(await crashFloor())
}
const row = (what: string, values: number[]): string[] => [
  what,
  median(values).toFixed(0),
  quantile(values, 0.99).toFixed(0),
  Math.min(...values).toFixed(0),
  (median(values) / median(floors)).toFixed(1)
]
console.log(`${count} peers, ${runs} runs, ms\n`)
console.log(
  table(
    ['what', 'median', 'p99', 'best', 'times the floor'],
    [
      row(
        'last `ready` until all name the same, highest leader',
        results.map(({ formed }) => formed)
      ),
      row(
        '`kill -9` of the leader until all others name the next',
        results.map(({ agreed }) => agreed)
      ),
      row(
        '`kill -9` of the leader until all others say `dead`',
        results.map(({ dead }) => dead)
      ),
      row('floor: a bare socket closes and its port refuses', floors)
    ]
  )
)
