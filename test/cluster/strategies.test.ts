/** What every strategy promises of a leadership, on real processes. test/faults/strategies.test.ts cuts their network. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STRATEGIES } from '../../src/election/core/strategies/names.ts'
import { isAlive } from '../lead/is-alive.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

describe.each(STRATEGIES)('three peers that elect by %s', strategy => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3, [], { strategy })
    await cluster.settled()
  })

  afterAll(() => cluster?.stop())

  const follow = (peers: PeerProcess[], { id }: PeerProcess): Promise<unknown> =>
    Promise.all(peers.map(peer => peer.follows(id)))
  const linesOf = async (file: string): Promise<string[]> =>
    (await readFile(join(cluster.home, file), 'utf8').catch(() => '')).split('\n').slice(0, -1)
  const lines = (file: string, count: number): Promise<void> =>
    expect.poll(async () => (await linesOf(file)).length, { interval: 10 }).toBeGreaterThanOrEqual(count)

  it('when the leader is killed, the others follow the peer that ranks next, with a higher epoch', async () => {
    const [leader, next, last] = cluster.byRank()
    const { epoch } = leader!
    await leader!.end('SIGKILL')
    await follow([next!, last!], next!)
    expect(next!.epoch).toBe(last!.epoch)
    expect(next!.epoch).toBeGreaterThan(epoch!)
    await cluster.join().ready()
    await cluster.settled()
  })

  it('a peer that ranks higher takes over, and gives the leadership back when it leaves', async () => {
    const [leader] = cluster.byRank()
    const { epoch } = leader!
    const joiner = cluster.join(['--election-priority', '1'])
    await joiner.ready()
    await follow(cluster.live, joiner)
    expect(joiner.epoch).toBeGreaterThan(epoch!)
    expect(await joiner.end('SIGTERM')).toEqual({ code: 0, signal: null })
    await follow(cluster.live, leader!)
  })

  it('after a pause of the leader, nobody follows the epoch of the paused leader again', async () => {
    const [paused, ...others] = cluster.byRank()
    const { epoch } = paused!
    paused!.child.kill('SIGSTOP')
    await follow(others, others[0]!)
    const seen = others.map(({ events }) => events.length)
    paused!.child.kill('SIGCONT')
    await cluster.settled()
    for (const [i, peer] of others.entries()) {
      const epochs = peer.events
        .slice(seen[i])
        .flatMap(event => (event.event === 'leader' ? [event.epoch ?? Infinity] : []))
      expect(Math.min(...epochs)).toBeGreaterThan(epoch!)
    }
  })

  it('a job ends with the exact result when its leader is killed, and no live peer computes a chunk twice', async () => {
    const n = 200
    const input = JSON.stringify({ n, ms: 50, file: join(cluster.home, 'chunks'), until: join(cluster.home, 'until') })
    const job = cluster.spawn([
      ...['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--no-speculate', '--json']
    ])
    await lines('chunks', 20)
    const [leader, next] = cluster.byRank()
    await leader!.end('SIGKILL')
    await next!.follows(next!.id)
    await writeFile(join(cluster.home, 'until'), '')
    const { state, result } = JSON.parse((await job.ended).stdout)
    expect({ state, result }).toEqual({ state: 'completed', result: (n * (n - 1)) / 2 })
    const executions = (await linesOf('chunks')).map(line => line.split(' '))
    const elsewhere = executions.filter(([, pid]) => Number(pid) !== leader!.child.pid).map(([value]) => value)
    expect(new Set(elsewhere).size).toBe(elsewhere.length)
    await cluster.join().ready()
    await cluster.settled()
  })

  it('a command of `lead` runs at one peer at a time, across a hand-off and a kill', async () => {
    const [, , last] = cluster.byRank()
    const lead = (priority: number) => {
      const meet = ['--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--bootstrap', last!.addresses[0]!]
      const script = `echo "$P2P_WORKER_EPOCH $$" >> ${join(cluster.home, 'stints')}; exec sleep 1000`
      const flags = ['--slots', '1', '--election-priority', String(priority), ...cluster.electorate]
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
})
