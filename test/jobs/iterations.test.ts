import { afterEach, describe, expect, it } from 'vitest'
import { LocalJob } from '../../src/jobs/local-job.ts'
import type { WorkMessage } from '../../src/jobs/protocol/work-messages.ts'
import type { JournalMessage } from '../../src/journal/messages.ts'
import { encode } from '../../src/tasks/values/payload.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expectedSum, FakeRounds } from './fake-rounds.ts'
import { parts, until } from './squares.ts'

const INPUT = { shards: 6, rounds: 5 }
const iteration = { ...parts(0), input: encode(INPUT, 'input') }

let cluster: FakeCluster | undefined

afterEach(() => cluster?.stop())

/** Starts workers and a leader that does not compute. */
function start(workers: readonly FakeRounds[]): { leader: FakePeer; peers: FakePeer[] } {
  cluster = new FakeCluster()
  const peers = workers.map(runner => cluster!.add(runner, { role: 'worker' }))
  const leader = cluster.add(new FakeRounds(), { role: 'leader' })
  cluster.elect(leader)
  return { leader, peers }
}

/** Counts how many times each value was sent to each worker. */
function timesSent(): Map<string, number> {
  const times = new Map<string, number>()
  for (const { to, message } of cluster!.hub.sent as { to: string; message: WorkMessage }[]) {
    if (message.type !== 'values') continue
    for (const id of message.ids) times.set(`${to} ${id}`, (times.get(`${to} ${id}`) ?? 0) + 1)
  }
  return times
}

describe('an iteration on a cluster', () => {
  it('the result of an iteration on a cluster equals the result of one loop to the bit', async () => {
    const { leader } = start([new FakeRounds(), new FakeRounds(2)])
    const job = await leader.jobs.submit(iteration)
    expect(await job.result()).toEqual(expectedSum(INPUT))
    expect(job.stats).toMatchObject({ chunks: 30, retries: 0 })
    expect(job.progress).toMatchObject({ done: 30, total: 30 })
  })

  it('a reader gets the partials of an iteration round by round, and in the order of shards within a round', async () => {
    const { leader } = start([new FakeRounds(), new FakeRounds(2)])
    const job = await leader.jobs.submit<unknown, number>(iteration, { partials: true })
    const read: number[] = []
    for await (const partial of job.partials()) read.push(partial)
    const expected: number[] = []
    for (let round = 0, state = 0.1; round < INPUT.rounds; round++) {
      const partials = Array.from({ length: INPUT.shards }, (_, shard) => state * Math.sin(shard + 1) + round)
      expected.push(...partials)
      state = Math.cos(partials.reduce((sum, partial) => sum + partial, 0))
    }
    expect(read).toEqual(expected)
    expect(await job.result()).toEqual(expectedSum(INPUT))
  })

  it('the leader sends each state and each shard of an iteration at most once to each worker', async () => {
    const { leader } = start([new FakeRounds(), new FakeRounds()])
    await (await leader.jobs.submit(iteration)).result()
    const times = timesSent()
    expect(times.size).toBeGreaterThanOrEqual(INPUT.shards + INPUT.rounds)
    expect(Math.max(...times.values())).toBe(1)
  })

  it('a worker gets mostly the same shards of an iteration in every round, while no worker dies', async () => {
    const workers = [new FakeRounds(), new FakeRounds(), new FakeRounds()]
    const { leader } = start(workers)
    await (await leader.jobs.submit({ ...iteration, input: encode({ shards: 6, rounds: 20 }, 'input') })).result()
    // A fast worker may take shards of a slow worker, but the workers do not exchange shards in each round.
    const had = workers.map(({ started }) => new Set(started.map(({ shard }) => shard)).size)
    expect(had.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(9)
  })

  it('an iteration begins a round only after all chunks of the previous round have ended', async () => {
    const workers = [new FakeRounds(2), new FakeRounds(2)]
    let open = 0
    let newest = 0
    for (const worker of workers)
      worker.before = async round => {
        if (round > newest) {
          expect(open).toBe(0)
          newest = round
        }
        expect(round).toBe(newest)
        open += 1
        await new Promise(resolve => setImmediate(resolve))
        open -= 1
      }
    const { leader } = start(workers)
    expect(await (await leader.jobs.submit(iteration)).result()).toEqual(expectedSum(INPUT))
    expect(newest).toBe(INPUT.rounds - 1)
  })

  it('when a worker dies, the other worker computes all shards of the iteration', async () => {
    const workers = [new FakeRounds(), new FakeRounds()]
    const { leader, peers } = start(workers)
    let died!: () => void
    const death = new Promise<void>(resolve => {
      died = resolve
    })
    let waits = false
    workers[0]!.before = round => {
      if (round < 2) return undefined
      waits = true
      return death
    }
    const job = await leader.jobs.submit(iteration)
    await until(() => waits)
    cluster!.kill(peers[0]!)
    died()
    expect(await job.result()).toEqual(expectedSum(INPUT))
    expect(workers[1]!.started.filter(({ round }) => round === 4)).toHaveLength(INPUT.shards)
  })

  it('an iteration completes and computes no chunk twice, although two leaders die in the middle of a round', async () => {
    cluster = new FakeCluster()
    const runner = new FakeRounds()
    let gate: { at: string; opened: Promise<void>; open: () => void; reached: boolean }
    const shut = (at: string): void => {
      let open!: () => void
      const opened = new Promise<void>(resolve => {
        open = resolve
      })
      gate = { at, opened, open, reached: false }
    }
    runner.before = (round, shard) => {
      if (gate.at !== `${round} ${shard}`) return undefined
      gate.reached = true
      return gate.opened
    }
    const worker = cluster.add(runner, { role: 'worker' })
    const [third, second, first] = [1, 2, 3].map(() => cluster!.add(new FakeRounds(), { role: 'leader' })) as [
      FakePeer,
      FakePeer,
      FakePeer
    ]
    const holds = (from: FakePeer, next: number): boolean =>
      cluster!.hub.sent.some(({ from: id, protocol, message }) => {
        const said = message as JournalMessage
        return id === from.id && protocol === 'journal' && said.type === 'update' && said.checkpoint.next >= next
      })
    shut('1 3')
    cluster.elect(first)
    const job = await third.jobs.submit(iteration)
    await until(() => gate.reached && holds(first, 9))
    cluster.kill(first)
    cluster.elect(second)
    const before = gate!
    shut('3 2')
    before.open()
    await until(() => gate.reached && holds(second, 20))
    cluster.kill(second)
    cluster.elect(third)
    gate!.open()
    expect(await job.result()).toEqual(expectedSum(INPUT))
    expect(runner.started).toEqual(Array.from({ length: 30 }, (_, i) => ({ round: Math.floor(i / 6), shard: i % 6 })))
    // The worker keeps its shards, so no leader sends a shard again.
    expect(Math.max(...[...timesSent()].filter(([key]) => key.startsWith(worker.id)).map(([, times]) => times))).toBe(1)
  })

  it('after two peers have died while they ran a chunk of an iteration, a third peer runs the chunk in quarantine with its values', async () => {
    cluster = new FakeCluster()
    const leader = cluster.add(new FakeRounds(), { role: 'leader' })
    const workers = [1, 2, 3].map(() => {
      const runner = new FakeRounds()
      runner.before = round => (round === 1 && runner.alone.length === 0 ? new Promise<void>(() => {}) : undefined)
      return { runner, peer: cluster!.add(runner, { role: 'worker' }) }
    })
    cluster.elect(leader)
    const job = await leader.jobs.submit({ ...iteration, input: encode({ shards: 1, rounds: 3 }, 'input') })
    const stuck = () =>
      workers.find(({ runner, peer }) => !peer.network.down && runner.started.some(({ round }) => round === 1))
    for (let deaths = 0; deaths < 2; deaths++) {
      await until(() => stuck() !== undefined)
      cluster.kill(stuck()!.peer)
    }
    expect(await job.result()).toEqual(expectedSum({ shards: 1, rounds: 3 }))
    expect(workers.flatMap(({ runner }) => runner.alone)).toEqual([1])
  })
})

describe('a local iteration', () => {
  const codes = new Set<string>()
  const codeStore = {
    has: (sha256: string) => codes.has(sha256),
    put: async (sha256: string) => void codes.add(sha256)
  }

  it('the result of a local iteration equals the result of one loop to the bit', async () => {
    const job = new LocalJob({ parts: iteration, runner: new FakeRounds(3), codeStore })
    expect(await job.result()).toEqual(expectedSum(INPUT))
    expect(job.stats).toMatchObject({ chunks: 30, perPeer: { local: 30 } })
  })

  it('a local iteration without a last round runs until the job is cancelled', async () => {
    const runner = new FakeRounds()
    const job = new LocalJob({
      parts: { ...iteration, input: encode({ shards: 1, rounds: -1 }, 'input') },
      runner,
      codeStore
    })
    await until(() => runner.started.length > 20)
    expect(job.progress.total).toBe(undefined)
    await job.cancel()
    await expect(job.result()).rejects.toThrow('was cancelled')
  })
})
