import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NoRoomError } from '../../src/common/errors.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'
import { JournalRoom } from '../../src/journal/journal-room.ts'
import { bytesOfRecord, type JournalRecord } from '../../src/journal/record.ts'
import type { WhenSynced } from '../../src/journal/sync-copies.ts'
import { DiskHangsError } from '../../src/persistence/log/durable-log.ts'
import { FakeFolder } from '../journal/fake-folder.ts'
import { FakeCluster, type FakePeer } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts, until } from './squares.ts'

const ENOSPC = new Error('ENOSPC: no space left on device, write')

describe('a leader whose data folder has no room', () => {
  let cluster: FakeCluster
  let folder: FakeFolder
  let gate: ReturnType<typeof gated>
  let runner: FakeRunner
  let client: FakePeer
  let leader: FakePeer

  beforeEach(() => {
    cluster = new FakeCluster()
    folder = new FakeFolder({ journalBytes: 10_000 })
    gate = gated()
    runner = new FakeRunner(1, gate.task)
    client = cluster.add(new FakeRunner(1, gate.task), { role: 'worker' })
    leader = cluster.add(runner, {}, {}, { room: new JournalRoom(folder) })
    cluster.elect(leader)
  })

  afterEach(() => cluster.stop())

  it.each([
    [
      'is full',
      () => {
        folder.liveBytes = 10_000
      }
    ],
    ['is on a disk that takes no writes', () => folder.fail(ENOSPC)],
    [
      'is on a disk that is almost full',
      () => {
        folder.disk = { free: 64, reserve: 64 }
      }
    ]
  ])(
    'a leader whose data folder %s refuses new jobs of every client, ends the running one, and takes jobs again afterwards',
    async (_, fill) => {
      const running = await client.jobs.submit<number>(parts(2))
      fill()
      for (const { jobs } of [client, leader])
        await expect(jobs.submit(parts(1), { id: 'late' })).rejects.toBeInstanceOf(NoRoomError)
      gate.open()
      expect(await running.result()).toBe(expected(2))
      folder.fail(undefined)
      folder.liveBytes = 0
      folder.disk = undefined
      expect(await (await client.jobs.submit<number>(parts(3), { id: 'late' })).result()).toBe(expected(3))
      // That is a matter of the leader, and no fault of the clients.
      expect(leader.network.refusals.counts().rate).toBe(0)
    }
  )

  it('a leader refuses a job that its disk did not take, and no chunk of the job runs', async () => {
    const keeper = { put: () => {}, remove: () => {}, obey: () => {}, note: () => {}, mark: () => {} }
    const replica = new JournalReplica<JournalRecord>(undefined, bytesOfRecord, keeper)
    let unsynced: (() => void)[] | undefined
    const whenSynced: WhenSynced = done => {
      if (unsynced === undefined) done(true)
      else unsynced.push(() => done(false))
    }
    leader = cluster.add(runner, {}, {}, { room: new JournalRoom(folder), replica, whenSynced })
    cluster.elect(leader)
    expect(await leader.jobs.overview()).toMatchObject({ jobs: [] })

    unsynced = []
    const refused = client.jobs.submit(parts(1), { id: 'late' })
    await until(() => unsynced?.length === 1)
    expect(replica.get('late')).toBeDefined()
    folder.fail(ENOSPC)
    const [failed] = unsynced
    unsynced = undefined
    failed?.()
    await expect(refused).rejects.toThrow(/takes no writes \(ENOSPC/)
    expect(runner.started).toEqual([])
    expect(await leader.jobs.overview()).toMatchObject({ jobs: [] })

    folder.fail(undefined)
    gate.open()
    expect(await (await client.jobs.submit<number>(parts(1), { id: 'late' })).result()).toBe(expected(1))
  })

  it('a job waits for a disk that hangs', async () => {
    folder.fail(new DiskHangsError('the write takes longer than 2000 ms'))
    const reasons: string[] = []
    client.jobs.addEventListener('waiting', ({ detail }) => reasons.push(detail.reason))
    gate.open()
    const waiting = client.jobs.submit<number>(parts(1))
    await until(() => reasons.length > 0)
    folder.fail(undefined)
    expect(await (await waiting).result()).toBe(expected(1))
    expect(reasons[0]).toContain('takes longer than 2000 ms')
  })

  it('a leader without a data folder takes jobs, whatever its standbys have', async () => {
    const other = cluster.add(new FakeRunner(1, gate.task))
    folder.fail(ENOSPC)
    cluster.elect(other)
    gate.open()
    expect(await (await client.jobs.submit<number>(parts(2))).result()).toBe(expected(2))
  })
})
