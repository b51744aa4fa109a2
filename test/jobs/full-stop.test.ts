import { afterEach, describe, expect, it } from 'vitest'
import type { JobOutcome } from '../../src/jobs/protocol/submit-messages.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'
import { bytesOfRecord, type JobRecord, type JournalRecord } from '../../src/journal/record.ts'
import { decode } from '../../src/tasks/values/payload.ts'
import { FakeCluster, type FakePeer, IDS } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, never, parts, statesAt, until } from './squares.ts'
import { FakeLog } from './worker/fake-log.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

/** What the peers have on their disks. */
const disks = () =>
  IDS.map(() => ({ replica: new JournalReplica<JournalRecord>(undefined, bytesOfRecord), log: new FakeLog() }))

describe('peers with data folders that all stop', () => {
  const TOTAL = 60
  /** The chunks before this one have ended when the peers stop, except the first one. */
  const ENDED = 40

  /** Runs a job at three peers, whose first chunk does not end, and stops them. Returns the disks, the id of the job, and the peer that ran that chunk. */
  async function stopAll() {
    const kept = disks()
    cluster = new FakeCluster()
    const { task } = gated(ENDED)
    const run = (chunk: number): number | Promise<number> =>
      chunk === 0 ? never() : task.run!(chunk, new AbortController().signal)
    const runners = [0, 1, 2].map(i => {
      const runner = new FakeRunner(1, { run })
      const { replica, log } = kept[i]!
      cluster.add(runner, {}, {}, { replica, partials: log.reopen() })
      return runner
    })
    const leader = cluster.peers[2]!
    cluster.elect(leader)
    const job = await cluster.peers[0]!.jobs.submit<number>(parts(TOTAL), { detach: true })
    job.result().catch(() => {})
    await until(() => runners.filter(({ started }) => started.some(index => index >= ENDED)).length === 2)
    await cluster.stop()
    const stuck = runners.findIndex(({ started }) => started.includes(0))
    expect(kept.flatMap(({ log }, i) => (log.values.size > 0 ? [i] : []))).toEqual([0, 1, 2].filter(i => i !== stuck))
    return { kept, id: job.id, stuck }
  }

  it('no chunk that has ended runs again, whoever comes back first', async () => {
    const { kept, id, stuck } = await stopAll()
    const [other, another] = [0, 1, 2].filter(i => i !== stuck) as [number, number]
    cluster = new FakeCluster(10)
    const started: number[] = []
    const comeBack = (i: number, replica = kept[i]!.replica): FakePeer => {
      const runner = new FakeRunner(1)
      runner.onStart = index => void started.push(index)
      const returning = [0, 1, 2].flatMap(other => (other === i ? [] : [IDS[other]!]))
      return cluster.add(runner, { id: IDS[i]! }, {}, { replica, partials: kept[i]!.log.reopen(), returning })
    }
    // The first one does not know the job, and the second one has no partials.
    const first = comeBack(other, new JournalReplica<JournalRecord>())
    cluster.elect(first)
    // When another job has ended, this leader has heard of the partials.
    await (await first.jobs.submit(parts(1))).result()
    const second = comeBack(stuck)
    cluster.elect(second)
    const states = statesAt(second)
    await until(() => states.includes('resumed'))
    comeBack(another)
    await until(() => states.includes('completed'))
    const { record } = kept[stuck]!.replica.get(id)!
    const outcome = (record as JobRecord).outcome as Extract<JobOutcome, { type: 'completed' }>
    expect(decode(outcome.result, 'result')).toBe(expected(TOTAL))
    expect(started.filter(index => index > 0 && index < ENDED)).toEqual([])
  })
})

describe('a leader that goes on with an old copy of a job', () => {
  it('the job goes on from the later checkpoint of a peer that comes back late, and its client gets the exact result', async () => {
    const TOTAL = 30
    const keptBy = (): JournalReplica<JournalRecord> => new JournalReplica<JournalRecord>(undefined, bytesOfRecord)
    const replicas = [keptBy(), keptBy()]
    cluster = new FakeCluster()
    const { task } = gated(20)
    for (const replica of replicas) cluster.add(new FakeRunner(1, task), {}, {}, { replica })
    cluster.elect(cluster.peers[1]!)
    const { id } = await cluster.peers[0]!.jobs.submit<number>(parts(TOTAL), { detach: true })
    const later = replicas[0]!
    await until(() => later.get(id) !== undefined)
    const old = later.get(id)!
    await until(() => later.get(id)!.next > 10)
    const { next } = later.get(id)!
    await cluster.stop()

    cluster = new FakeCluster(10)
    const replica = keptBy()
    replica.restore({ entries: [old], reader: undefined, list: undefined })
    const first = cluster.add(new FakeRunner(1, { run: never }), { id: IDS[1]! }, {}, { replica })
    const states = statesAt(first)
    cluster.elect(first)
    await until(() => states.includes('running'))
    const watched = await first.jobs.attach<number>(id)
    const runner = new FakeRunner(1)
    cluster.add(runner, { id: IDS[0]! }, {}, { replica: later }).election.set(first.election.leader)
    await until(() => first.logged.some(line => 'folded' in line && line.folded === next))
    expect(await watched.result()).toBe(expected(TOTAL))
    expect(Math.min(...runner.started)).toBeGreaterThanOrEqual(next)
  })
})

describe('a leader that comes back alone', () => {
  it('goes on with what it has after `recoverWait`', async () => {
    cluster = new FakeCluster(10)
    const replica = new JournalReplica<JournalRecord>(undefined, bytesOfRecord)
    const [self, other] = IDS as [string, string]
    const stamp = { epoch: 9, rank: { priority: 0, id: other }, version: 1 }
    replica.restore({
      entries: [],
      reader: undefined,
      list: { stamp, holders: [self, other], inMemory: [], behind: [] }
    })
    const peer = cluster.add(new FakeRunner(1), {}, {}, { replica, recoverWait: 50 })
    cluster.elect(peer)
    const since = performance.now()
    expect(await (await peer.jobs.submit(parts(3))).result()).toBe(expected(3))
    const took = performance.now() - since
    expect(took).toBeGreaterThan(45)
    expect(took).toBeLessThan(20_000)
  })
})
