import { afterEach, describe, expect, it } from 'vitest'
import type { Entry } from '../../src/journal/core/entry.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'
import { bytesOfRecord, type JobRecord, type JournalRecord } from '../../src/journal/record.ts'
import { pendingBytes } from '../../src/lib/pending-bytes.ts'
import { FakeCluster, type FakePeer, IDS } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { never, parts, statesAt, until } from './squares.ts'

const TOTAL = 5

let cluster: FakeCluster

afterEach(() => cluster.stop())

const replicaOf = (): JournalReplica<JournalRecord> => new JournalReplica<JournalRecord>(undefined, bytesOfRecord)

/** Runs a job at two peers until they stop, and returns the entry of the job. */
async function stopped(): Promise<Entry<JournalRecord>> {
  const replica = replicaOf()
  cluster = new FakeCluster()
  cluster.add(new FakeRunner(1, { run: never }), {}, {}, { replica })
  const leader = cluster.add(new FakeRunner(1, { run: never }))
  cluster.elect(leader)
  const { id } = await cluster.peers[0]!.jobs.submit<number>(parts(TOTAL), { detach: true })
  await until(() => replica.get(id) !== undefined)
  await cluster.stop()
  cluster = new FakeCluster(10)
  return replica.get(id)!
}

/** Returns a replica whose entry has an input that is still on disk. */
function later(entry: Entry<JournalRecord>, read: (replica: JournalReplica<JournalRecord>) => Promise<void>) {
  const record = entry.record as JobRecord
  const { input } = record.submission!
  const pending = pendingBytes(input.byteLength, async bytes => {
    await read(replica)
    bytes.set(input)
  })
  const submission = { ...record.submission!, input: pending }
  const replica = replicaOf()
  replica.restore({ entries: [{ ...entry, record: { ...record, submission } }], reader: undefined, list: undefined })
  return replica
}

function add(i: number, replica = replicaOf()): FakePeer {
  return cluster.add(new FakeRunner(1), { id: IDS[i]! }, {}, { replica, recoverWait: 50 })
}

async function resultOf(leader: FakePeer, id: string): Promise<unknown> {
  return await (await leader.jobs.attach<number>(id)).result()
}

describe('a job of an earlier process, whose input is read when the job begins', () => {
  it('goes on with the copy of another peer if its input is damaged here', async () => {
    const entry = await stopped()
    const damaged = later(entry, async replica => {
      replica.lose([replica.get(entry.job)!])
      throw new Error('the input is damaged')
    })
    const whole = replicaOf()
    whole.restore({ entries: [entry], reader: undefined, list: undefined })
    add(0, whole)
    const leader = add(1, damaged)
    const states = statesAt(leader)
    cluster.elect(leader)
    expect(await resultOf(leader, entry.job)).toBe(expected(TOTAL))
    expect(states).not.toContain('failed')
    expect(damaged.isIncomplete).toBe(false)
  })

  it('waits while the disk cannot be read, and does not fail', async () => {
    const entry = await stopped()
    let failures = 1
    const leader = add(
      1,
      later(entry, async () => {
        if (failures-- > 0) throw new Error('the disk cannot be read')
      })
    )
    cluster.elect(leader)
    expect(await resultOf(leader, entry.job)).toBe(expected(TOTAL))
    expect(failures).toBe(-1)
  })

  it('ends when it is cancelled or its leader stops while the disk hangs', async () => {
    const entry = await stopped()
    let reads = 0
    const leader = add(
      1,
      later(entry, () => {
        reads += 1
        return never().then(() => {})
      })
    )
    const states = statesAt(leader)
    cluster.elect(leader)
    await until(() => reads > 0)
    const job = await leader.jobs.attach<number>(entry.job)
    job.result().catch(() => {})
    await job.cancel()
    await until(() => states.includes('cancelled'))
    await cluster.stop()
  })

  it('is not denied by a leader that asks for it while the disk of its only holder cannot be read', async () => {
    const entry = await stopped()
    let failures = 1
    add(
      0,
      later(entry, async () => {
        if (failures-- > 0) throw new Error('the disk cannot be read')
      })
    )
    const leader = add(1)
    cluster.elect(leader)
    expect(await resultOf(leader, entry.job)).toBe(expected(TOTAL))
    expect(failures).toBe(-1)
  })
})
