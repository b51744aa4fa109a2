import { afterEach, beforeEach, expect, it } from 'vitest'
import { NotDurableError } from '../../src/common/errors.ts'
import { JournalReplica, type ReplicaKeeper } from '../../src/journal/core/replica.ts'
import { bytesOfRecord, type JournalRecord } from '../../src/journal/record.ts'
import type { WhenSynced } from '../../src/journal/sync-copies.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts, statesAt, until } from './squares.ts'

/** The disk of a peer, which takes everything at once, or nothing while it fails. */
class FakeDisk {
  readonly replica: JournalReplica<JournalRecord>
  #isFailing = false
  readonly #waiting: (() => void)[] = []

  constructor() {
    const keeper: ReplicaKeeper<JournalRecord> = {
      put: () => {},
      remove: () => {},
      obey: () => {},
      note: () => {},
      mark: () => {}
    }
    this.replica = new JournalReplica<JournalRecord>(undefined, bytesOfRecord, keeper)
  }

  readonly whenSynced: WhenSynced = done => {
    if (!this.#isFailing) done(true)
    else {
      this.#waiting.push(() => done(true))
      done(false)
    }
  }

  fail(): void {
    this.#isFailing = true
  }

  repair(): void {
    this.#isFailing = false
    for (const tell of this.#waiting.splice(0)) tell()
  }
}

let cluster: FakeCluster
let gate: ReturnType<typeof gated>
let runners: FakeRunner[]

beforeEach(() => {
  cluster = new FakeCluster()
  gate = gated()
  runners = []
})

afterEach(() => cluster.stop())

/** Adds a peer, with a disk if one is given. */
function add(disk?: FakeDisk, replica?: JournalReplica<JournalRecord>): FakePeer {
  const runner = new FakeRunner(1, gate.task)
  runners.push(runner)
  return cluster.add(runner, { hasDisk: disk !== undefined }, {}, disk ? { ...disk } : { replica })
}

const started = (): number[] => runners.flatMap(runner => runner.started)

it('a client learns at how many peers and disks its job is held, when the job is accepted and when that changes', async () => {
  const [client, other, leader] = [add(), add(new FakeDisk()), add(new FakeDisk())]
  cluster.elect(leader)
  const job = await client.jobs.submit<number>(parts(2), { durable: 2, detach: true })
  expect(job.durability).toEqual({ memory: 3, disk: 2 })
  expect((await client.jobs.overview()).jobs).toMatchObject([{ durable: 2, durability: { memory: 3, disk: 2 } }])
  expect((await other.jobs.attach(job.id)).durability).toEqual({ memory: 3, disk: 2 })
  cluster.kill(other)
  await until(() => job.durability?.disk === 1)
  expect(job.durability).toEqual({ memory: 2, disk: 1 })
})

it('a leader refuses a job that asks for more disks than there are, and takes it under the same id with fewer', async () => {
  const [client, , leader] = [add(), add(), add(new FakeDisk())]
  cluster.elect(leader)
  const refused = client.jobs.submit(parts(1), { id: 'night', durable: 2 })
  await expect(refused).rejects.toMatchObject({ name: 'NotDurableError', disks: 1, durable: 2 })
  await expect(refused).rejects.toThrow(/must be on 2 disks, and only 1 peer with a data folder.*--data-dir/)
  expect(await leader.jobs.overview()).toMatchObject({ jobs: [] })
  gate.open()
  const job = await client.jobs.submit<number>(parts(1), { id: 'night', durable: 1 })
  expect(await job.result()).toBe(expected(1))
})

it.each([
  ['another peer', 0],
  ['the leader', 1]
])('the disk of %s that takes no entries does not count, until it takes them', async (_, failing) => {
  const disks = [new FakeDisk(), new FakeDisk()]
  const [client, , leader] = [add(), add(disks[0]), add(disks[1])]
  cluster.elect(leader)
  await client.jobs.overview()
  disks[failing]!.fail()
  // The leader learns of it with the first job, and refuses the second one at once.
  for (const id of ['night', 'day'])
    await expect(client.jobs.submit(parts(1), { id, durable: 2 })).rejects.toBeInstanceOf(NotDurableError)
  expect(started()).toEqual([])
  const held = await client.jobs.submit<number>(parts(1), { id: 'dusk' })
  expect(held.durability).toEqual({ memory: 3, disk: 1 })
  disks[failing]!.repair()
  await until(() => held.durability?.disk === 2)
  gate.open()
  expect(await (await client.jobs.submit<number>(parts(1), { id: 'dawn', durable: 2 })).result()).toBe(expected(1))
})

it('a disk that takes the entries of one message after all counts for each of their jobs', async () => {
  const disk = new FakeDisk()
  const [client, , leader] = [add(), add(disk), add(new FakeDisk())]
  cluster.elect(leader)
  await client.jobs.overview()
  disk.fail()
  const submissions = ['night', 'day', 'dusk'].map(id => client.jobs.submit<number>(parts(1), { id, detach: true }))
  const jobs = await Promise.all(submissions)
  expect(jobs.map(({ durability }) => durability)).toEqual(jobs.map(() => ({ memory: 3, disk: 1 })))
  disk.repair()
  await until(() => jobs.every(({ durability }) => durability?.disk === 2))
})

it('a job goes on when its disks are lost, and its outcome is reported when there are enough disks again', async () => {
  const [client, other, leader] = [add(), add(new FakeDisk()), add(new FakeDisk())]
  cluster.elect(leader)
  const job = await client.jobs.submit<number>(parts(3), { durable: 2 })
  let isTold = false
  void job.result().then(() => {
    isTold = true
  })
  cluster.kill(other)
  gate.open()
  const states = statesAt(leader)
  await until(() => new Set(started()).size === 3 && leader.jobs.stats().leading?.jobs === 0)
  const { jobs } = await client.jobs.overview()
  expect(jobs).toMatchObject([{ state: 'running', done: 3, durability: { memory: 2, disk: 1 } }])
  expect({ isTold, states }).toMatchObject({ isTold: false, states: expect.not.arrayContaining(['completed']) })
  add(new FakeDisk()).election.set(leader.election.leader)
  expect(await job.result()).toBe(expected(3))
})

it('the next leader reports the outcome of a job only when as many disks have it as the job asked for', async () => {
  const inMemory = new JournalReplica<JournalRecord>(undefined, bytesOfRecord)
  const [client, next, leader] = [add(undefined, inMemory), add(new FakeDisk()), add(new FakeDisk())]
  cluster.elect(leader)
  const job = await client.jobs.submit<number>(parts(3), { durable: 2, detach: true })
  let isTold = false
  void job.result().then(() => {
    isTold = true
  })
  cluster.kill(leader)
  cluster.elect(next)
  gate.open()
  const states = statesAt(next)
  await until(() => inMemory.get(job.id)?.end === 'completed')
  // By the second answer the leader has heard that the client has the outcome in memory.
  await client.jobs.overview()
  const { jobs } = await client.jobs.overview()
  expect(jobs).toMatchObject([{ state: 'running', done: 3, durability: { disk: 1 } }])
  expect({ isTold, states }).toMatchObject({ isTold: false, states: expect.not.arrayContaining(['completed']) })
  add(new FakeDisk()).election.set(next.election.leader)
  expect(await job.result()).toBe(expected(3))
})

it('a cancel waits for no disks that are gone', async () => {
  const [client, other, leader] = [add(), add(new FakeDisk()), add(new FakeDisk())]
  cluster.elect(leader)
  const job = await client.jobs.submit<number>(parts(3), { durable: 2 })
  cluster.kill(other)
  await job.cancel()
  await expect(job.result()).rejects.toThrow(/was cancelled/)
})
