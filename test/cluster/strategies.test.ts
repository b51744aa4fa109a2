/** What every strategy promises of a leadership, on real processes. test/faults/strategies.test.ts cuts their network. */
import { readFile, writeFile } from 'node:fs/promises'
import { join as inFolder } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STRATEGIES, type StrategyName } from '../../src/election/core/strategies/names.ts'
import { isStoreAddress, type StoreAddress } from '../../src/election/stores/stores.ts'
import { isAlive } from '../lead/is-alive.ts'
import { needs } from '../needs.ts'
import { STORES } from '../stores/all.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

for (const strategy of STRATEGIES)
  describe(`three peers that elect by ${strategy}`, () => promises(async () => ({ strategy })))
for (const { name, tools, start } of STORES)
  needs(...tools).describe(`three peers that elect by the lease of ${name}`, () =>
    promises(async () => ({ ...(await start()), args: ['--lease-time', '2s'] }))
  )

interface Elects {
  strategy: StrategyName | StoreAddress
  /** More flags of each peer. */
  args?: string[]
  /** More environment variables of each peer. */
  env?: NodeJS.ProcessEnv
  stop?: () => Promise<void>
}

/** What holds under every strategy. Under a store any peer may lead, and under the others the one that ranks highest. */
function promises(start: () => Promise<Elects>): void {
  let cluster: ProcessCluster
  let elects: Elects

  beforeAll(async () => {
    elects = await start()
    cluster = await ProcessCluster.start(3, elects.args, elects)
    await agreed()
  })

  afterAll(async () => {
    await cluster?.stop()
    await elects?.stop?.()
  })

  const agreed = async (peers = cluster.live): Promise<PeerProcess> => {
    const areAll = peers.length === cluster.live.length
    if (areAll && !isStoreAddress(elects.strategy)) await cluster.settled()
    const leader = await cluster.agreed(peers)
    // Peers that know each other only by the leader would lose each other with it.
    const seeOthers = () =>
      peers.flatMap(peer => peers.filter(other => other !== peer).map(({ id }) => peer.sees(id, 'alive')))
    if (areAll) await Promise.all(seeOthers())
    return leader
  }
  const join = async (...args: string[]): Promise<PeerProcess> => {
    const joiner = cluster.join([...(elects.args ?? []), ...args])
    await joiner.ready()
    return joiner
  }
  const path = (file: string): string => inFolder(cluster.home, file)
  const linesOf = async (file: string): Promise<string[]> =>
    (await readFile(path(file), 'utf8').catch(() => '')).split('\n').slice(0, -1)
  const lines = (file: string, count: number): Promise<void> =>
    expect
      .poll(async () => (await linesOf(file)).length, { interval: 10, timeout: 30_000 })
      .toBeGreaterThanOrEqual(count)

  it('when the leader is killed, the others follow one of them, with a higher epoch', async () => {
    const leader = await agreed()
    const { epoch } = leader
    await leader.end('SIGKILL')
    expect((await agreed()).epoch).toBeGreaterThan(epoch!)
    await join()
    await agreed()
  })

  it('a peer with a higher priority takes over, and when it leaves another one leads at once', async () => {
    const { epoch } = await agreed()
    const joiner = await join('--election-priority', '1')
    await Promise.all(cluster.live.map(peer => peer.follows(joiner.id)))
    const { epoch: taken } = joiner
    expect(taken).toBeGreaterThan(epoch!)
    expect(await joiner.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect((await agreed()).epoch).toBeGreaterThan(taken!)
  })

  it('after a pause of the leader, nobody follows the epoch of the paused leader again', async () => {
    const paused = await agreed()
    const others = cluster.live.filter(peer => peer !== paused)
    const { epoch } = paused
    paused.child.kill('SIGSTOP')
    await cluster.agreed(others)
    const seen = others.map(({ events }) => events.length)
    paused.child.kill('SIGCONT')
    await agreed()
    for (const [i, peer] of others.entries()) {
      const epochs = peer.events
        .slice(seen[i])
        .flatMap(event => (event.event === 'leader' ? [event.epoch ?? Infinity] : []))
      expect(Math.min(...epochs)).toBeGreaterThan(epoch!)
    }
  })

  it('a job ends with the exact result when its leader is killed, and no live peer computes a chunk twice', async () => {
    const n = 200
    const input = JSON.stringify({ n, ms: 50, file: path('chunks'), until: path('until') })
    const job = cluster.spawn([
      ...['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--no-speculate', '--json']
    ])
    await lines('chunks', 20)
    const leader = await agreed()
    await leader.end('SIGKILL')
    await agreed()
    await writeFile(path('until'), '')
    const { state, result } = JSON.parse((await job.ended).stdout)
    expect({ state, result }).toEqual({ state: 'completed', result: (n * (n - 1)) / 2 })
    const executions = (await linesOf('chunks')).map(line => line.split(' '))
    const elsewhere = executions.filter(([, pid]) => Number(pid) !== leader.child.pid).map(([value]) => value)
    expect(new Set(elsewhere).size).toBe(elsewhere.length)
    await join()
    await agreed()
  })

  it('a command of `lead` runs at one peer at a time, across a hand-off and a kill', async () => {
    const address = cluster.live[0]!.addresses[0]!
    const lead = (priority: number) => {
      const meet = ['--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--bootstrap', address]
      const script = `echo "$P2P_WORKER_EPOCH $$" >> ${path('stints')}; exec sleep 1000`
      const flags = [
        '--slots',
        '1',
        '--election-priority',
        String(priority),
        ...cluster.electorate,
        ...(elects.args ?? [])
      ]
      return cluster.spawnBare(['lead', ...meet, ...flags, '--', 'sh', '-c', script], cluster.env)
    }
    const first = lead(2)
    await lines('stints', 1)
    const second = lead(3)
    await lines('stints', 2)
    second.child.kill('SIGKILL')
    await lines('stints', 3)
    const stints = (await linesOf('stints')).map(line => line.split(' ').map(Number) as [number, number])
    expect(stints.map(([epoch]) => epoch)).toEqual(stints.map(([epoch]) => epoch).toSorted((a, b) => a - b))
    expect(stints.map(([, pid]) => isAlive(pid))).toEqual([false, false, true])
    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 130 })
    expect(isAlive(stints[2]![1])).toBe(false)
  })
}
