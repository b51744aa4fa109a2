/** Measures how many locks clients in this process are granted and release a second, at clusters of this project and at etcd, by turns. */
import { EtcdCluster } from '../../test/stores/etcd.ts'
import { standingCluster } from '../election/failovers.ts'
import { using } from '../membership/resources.ts'
import { clientOf } from '../recovery/clusters.ts'
import { EtcdClient } from './etcd-mutex.ts'

export const CLIENTS = 8
const PEERS = 3
export const SYSTEMS = ['p2p-worker', 'p2p-worker with voters', 'etcd'] as const
export type System = (typeof SYSTEMS)[number]

/** One client of a system. */
interface Locker {
  lock(name: string): Promise<{ release(): Promise<void> }>
  close(): Promise<void>
}

export interface RateInit {
  systems: readonly System[]
  /** How many rounds there are, and how long each one takes at each system, in ms. */
  rounds: number
  ms: number
  tell(what: string): void
}

/** The locks granted and released a second in each round, by number of names and system. */
export type LockRates = Map<number, Map<System, number[]>>

/** Measures one and eight names. All clusters stand at the same time, and one of them works. */
export async function lockRates({ systems, rounds, ms, tell }: RateInit): Promise<LockRates> {
  const rates: LockRates = new Map([1, CLIENTS].map(names => [names, new Map(systems.map(system => [system, []]))]))
  const clients = new Map<System, Locker[]>()
  const within = async (rest: readonly System[]): Promise<void> => {
    const [system, ...others] = rest
    if (system === undefined) {
      await measure()
      return
    }
    await withClients(system, async lockers => {
      clients.set(system, lockers)
      // The first locks of new voters wait for half a minute.
      await Promise.all(lockers.map(async (locker, i) => (await locker.lock(`warm-up ${i}`)).release()))
      tell(`${system}: the first locks are granted`)
      await within(others)
    })
  }
  const measure = async (): Promise<void> => {
    for (let round = 0; round <= rounds; round++) {
      for (const [names, bySystem] of rates) {
        for (const [system, values] of bySystem) {
          const rate = await rateOf(clients.get(system)!, names, round === 0 ? 4 * ms : ms)
          // The first round is a warm-up.
          if (round === 0) continue
          values.push(rate)
          tell(`round ${round}, ${names} ${names === 1 ? 'name' : 'names'}, ${system}: ${rate.toFixed(0)} a second`)
        }
      }
    }
  }
  await within(systems)
  return rates
}

/** Each client locks and releases in a loop, all clients the same name or each its own. Returns the number of locks a second. */
async function rateOf(lockers: readonly Locker[], names: number, ms: number): Promise<number> {
  const began = performance.now()
  let count = 0
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
  }, ms)
  const loops = lockers.map(async (locker, i) => {
    while (!isOver) {
      const lock = await locker.lock(`lock ${i % names}`)
      await lock.release()
      count += 1
    }
  })
  await Promise.all(loops)
  clearTimeout(timer)
  return (count / (performance.now() - began)) * 1_000
}

async function withClients(system: System, use: (lockers: Locker[]) => Promise<void>): Promise<void> {
  if (system === 'etcd') {
    await using(EtcdCluster.start(PEERS), async etcd => {
      const { client } = await etcd.leader()
      await withLockers(() => EtcdClient.connect(client), use)
    })
    return
  }
  await using(standingCluster({ count: PEERS, voters: system !== 'p2p-worker' }), cluster =>
    withLockers(() => clientOf(cluster), use)
  )
}

async function withLockers(connect: () => Promise<Locker>, use: (lockers: Locker[]) => Promise<void>): Promise<void> {
  const lockers: Locker[] = []
  try {
    while (lockers.length < CLIENTS) lockers.push(await connect())
    await use(lockers)
  } finally {
    await Promise.all(lockers.map(locker => locker.close()))
  }
}
