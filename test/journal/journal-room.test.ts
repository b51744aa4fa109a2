import { expect, it } from 'vitest'
import { JournalRoom } from '../../src/journal/journal-room.ts'
import { DiskHangsError } from '../../src/persistence/log/durable-log.ts'
import { FakeFolder } from './fake-folder.ts'

const MIB = 2 ** 20

function roomIn(folder: FakeFolder): (mib: number) => string | undefined {
  const room = new JournalRoom(folder)
  return mib => room.take(mib * MIB)?.reason
}

it('a folder has room until its live bytes and the new job are above the limit, and again when other jobs are deleted', () => {
  const folder = new FakeFolder({ journalBytes: 100 * MIB, liveBytes: 60 * MIB })
  const take = roomIn(folder)
  expect(take(50)).toBe(
    '60 of 100 MiB in its data folder are taken, and the job has 50: wait until other jobs have ended and their outcomes have expired, or start it with a larger --journal-mb'
  )
  folder.liveBytes = 50 * MIB
  expect(take(50)).toBeUndefined()
})

it('jobs that are not on disk yet take room', async () => {
  const folder = new FakeFolder({ journalBytes: 100 * MIB })
  const take = roomIn(folder)
  expect(take(60)).toBeUndefined()
  expect(take(60)).toContain('60 of 100 MiB')
  await folder.written()
  folder.liveBytes = 60 * MIB
  expect(take(60)).toContain('60 of 100 MiB')
  expect(take(40)).toBeUndefined()
})

it('new jobs leave a part of the disk to the jobs under way', () => {
  const folder = new FakeFolder({ disk: { free: 100 * MIB, reserve: 64 * MIB } })
  const take = roomIn(folder)
  expect(take(37)).toBe(
    'the disk of its data folder has 100 MiB left, of which 64 are for the jobs under way, and the job has 37: make room there, or let another peer lead'
  )
  expect(take(36)).toBeUndefined()
  folder.disk = undefined
  expect(take(37)).toBeUndefined()
})

it('a disk that takes no writes has no room, and one that hangs may have some in a moment', () => {
  const folder = new FakeFolder()
  const room = new JournalRoom(folder)
  folder.fail(new Error('ENOSPC: no space left on device, write'))
  expect(room.take(1)).toEqual({
    reason:
      'the disk of its data folder takes no writes (ENOSPC: no space left on device, write): repair that, or let another peer lead',
    isBrief: false
  })
  folder.fail(new DiskHangsError('the write takes longer than 2000 ms'))
  expect(room.take(1)).toMatchObject({ isBrief: true })
  folder.fail(undefined)
  expect(room.take(1)).toBeUndefined()
})
