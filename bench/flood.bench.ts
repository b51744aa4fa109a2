/**
 * Measures how much a hostile member that sends 10,000 messages a second costs the other members, with real processes on loopback.
 *
 *     npm run bench -- flood [SECONDS] [ROW]…
 *
 * ROW is the name of a protocol (swim, election, work, submit, journal, overview, history, attach), `members` (gossip about members), `leaders`
 * (gossip about leaders), or `jobs` (new jobs with invalid code). The default is all rows except `jobs`, because `jobs` is not a flood of messages.
 * SECONDS is the duration of each flood (default 60). Linux only, because processor times come from /proc.
 *
 * Each row uses a new cluster: a leader that only leads and two workers of one slot compute jobs one after the other, with this process as the client.
 * The hostile member is a separate process that sends valid messages to the leader, but too many of them. On a machine with few cores, this process
 * slows the peers merely because it runs. To exclude that effect, each flood is compared with an equal time (half before and half after the flood) in
 * which the hostile member sends nothing but keeps the processor equally busy. The ratio compares the rates of these two times. Other load on the
 * machine changes both rates. So the table also shows the processor time of a chunk over all three peers, which depends less on other load.
 */
import type { Client } from '../src/api/types.ts'
import { FLOODS, type Flood } from '../test/cluster/flooder.ts'
import type { ProcessCluster } from '../test/cluster/processes.ts'
import { beFlooder, cpuOf, FlooderProcess, IS_FLOODER } from './flood/flooder-process.ts'
import { endOnSignals, isInterrupted, using } from './membership/resources.ts'
import { tell } from './rows.ts'
import { table } from './statistics.ts'
import { resultOf, taskFile, withTrio } from './throughput/trio.ts'

const PER_SECOND = 10_000
/** The time before the first measurement, in seconds. The measurement waits because a process is slower right after its start. */
const WARM_UP = 10
/** The number of chunks of a job, and the number of rounds that each chunk computes (which takes some ms). */
const CHUNKS = 200
const ROUNDS = 400_000
const NAMES: Record<string, Flood> = {
  ...Object.fromEntries(FLOODS.map(flood => [flood, flood])),
  members: 'gossip of members',
  leaders: 'gossip of leaders',
  jobs: 'new jobs'
}

interface Parts {
  client: Client
  cluster: ProcessCluster
  flooder: FlooderProcess
}

interface Phase {
  /** The computed chunks per second. */
  rate: number
  /** The flooder's share of one core. */
  flooderCpu: number
  /** The processor time of all peers for a chunk, in ms. */
  cost: number
}

if (IS_FLOODER) await beFlooder()
const seconds = Number(process.argv.slice(2).find(arg => /^\d+$/.test(arg)) ?? 60)
const asked = process.argv.slice(2).filter(arg => !/^\d+$/.test(arg))
const unknown = asked.filter(row => NAMES[row] === undefined)
if (unknown.length > 0) {
  console.error(`there is no row ${unknown.join(', ')}; the rows are ${Object.keys(NAMES).join(', ')}`)
  process.exit(2)
}
const rows = asked.length === 0 ? FLOODS.filter(flood => flood !== 'new jobs') : asked.map(row => NAMES[row]!)

/** Runs jobs one after the other for `lasts` seconds. Throws if a result differs from `expected`. */
async function jobsFor(parts: Parts, expected: number, lasts = seconds): Promise<Phase> {
  const { client, cluster, flooder } = parts
  const peers = (): number => cluster.peers.reduce((sum, { child }) => sum + cpuOf(child.pid!), 0)
  const began = performance.now()
  const [before, peersBefore] = [flooder.cpu, peers()]
  let chunks = 0
  while (performance.now() - began < lasts * 1_000) {
    const result = await resultOf<number>(client, taskFile('compute'), { n: CHUNKS, rounds: ROUNDS })
    if (result !== expected) throw new Error(`a job gave ${result}, not ${expected}`)
    chunks += CHUNKS
  }
  const took = (performance.now() - began) / 1_000
  const cost = ((peers() - peersBefore) / chunks) * 1_000
  return { rate: chunks / took, flooderCpu: (flooder.cpu - before) / took, cost }
}

/** Returns the number of false `dead` and `suspect` verdicts about live peers, and the number of leader changes. */
function verdicts(cluster: ProcessCluster): { dead: number; suspect: number; leaders: number } {
  const honest = new Set(cluster.peers.map(({ id }) => id))
  const events = cluster.peers.flatMap(peer => peer.events)
  const held = (state: string): number =>
    events.filter(event => event.event === 'member' && event.state === state && honest.has(event.peerId ?? '')).length
  return {
    dead: held('dead'),
    suspect: held('suspect'),
    leaders: events.filter(each => each.event === 'leader').length
  }
}

/** Measures one flood. Each flood uses a new cluster, because peers block a member for longer when it floods again. */
async function rowOf(kind: Flood): Promise<string[]> {
  return await withTrio(async (client, cluster) => {
    const [leader] = cluster.peers
    const { P2P_WORKER_KEY: key, P2P_WORKER_CLUSTER: name } = cluster.env
    const bootstrap = cluster.peers.flatMap(peer => peer.addresses.slice(0, 1))
    return await using(FlooderProcess.start(name!, key!, bootstrap), async flooder => {
      await Promise.all(cluster.peers.map(peer => peer.sees(flooder.id, 'alive')))
      const expected = await resultOf<number>(client, taskFile('compute'), { n: CHUNKS, rounds: ROUNDS })
      const parts = { client, cluster, flooder }
      const quiet = await jobsFor(parts, expected, WARM_UP)
      tell(`quiet: ${quiet.rate.toFixed(0)} chunks a second, ${quiet.cost.toFixed(2)} ms a chunk`)
      const burn = async (): Promise<Phase> => {
        flooder.burn(share)
        const phase = await jobsFor(parts, expected, seconds / 2)
        await flooder.rest()
        return phase
      }
      const first = await burn()
      const before = verdicts(cluster)
      flooder.flood(kind, leader!.id, PER_SECOND)
      const flooded = await jobsFor(parts, expected)
      const { sent, cutOff } = await flooder.rest()
      const after = verdicts(cluster)
      share = flooded.flooderCpu
      const second = await burn()
      const burnt = { rate: (first.rate + second.rate) / 2, cost: (first.cost + second.cost) / 2 }
      return [
        kind,
        (sent / seconds).toFixed(0),
        `${cutOff}`,
        flooded.rate.toFixed(0),
        `${burnt.rate.toFixed(0)} (${(100 * flooded.flooderCpu).toFixed(0)}%)`,
        `${((100 * flooded.rate) / burnt.rate).toFixed(0)}%`,
        `${flooded.cost.toFixed(2)} / ${burnt.cost.toFixed(2)}`,
        `${after.dead - before.dead}`,
        `${after.suspect - before.suspect}`,
        `${after.leaders - before.leaders}`
      ]
    })
  })
}

endOnSignals()
/** The share of a core that the next flood will probably use: the share that the previous flood used. */
let share = 0.1
const found: string[][] = []
for (const kind of rows) {
  if (isInterrupted()) break
  const row = await rowOf(kind)
  found.push(row)
  tell(row.join(' | '))
}
const head = [
  'flood of',
  'sent a second',
  'cut off',
  'chunks a second',
  'beside a busy process (share of a core)',
  'ratio',
  'processor time a chunk, ms',
  'taken for dead',
  'suspected',
  'changes of leader'
]
console.log(`${new Date().toISOString().slice(0, 10)}; ${seconds} s each\n`)
console.log(table(head, found))
process.exit()
