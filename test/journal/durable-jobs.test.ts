import { beforeEach, expect, test } from 'vitest'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'

type Effect<Type> = Extract<JournalEffect<string>, { type: Type }>

/** The journal of the leader z, which has no disk itself. */
let journal: Journal<string>
let effects: JournalEffect<string>[]

beforeEach(() => {
  effects = []
  const writer = { epoch: 5, rank: { priority: 0, id: 'z' } }
  journal = new Journal({ writer, replica: new JournalReplica<string>() })
  // Those without a disk rank highest.
  for (const id of ['a', 'b', 'c', 'w', 'x', 'y'])
    play({ type: 'member', member: { rank: { priority: 0, id }, electable: true, hasDisk: id < 'd' } })
  play({ type: 'start' })
  for (const from of ['a', 'b', 'c', 'w', 'x', 'y']) play({ type: 'heads', from, heads: [], isOnDisk: from < 'd' })
  effects = []
})

function play(event: JournalEvent<string>): void {
  effects.push(...journal.handle(event, 0))
}

function write(job: string, durable: number, end?: 'completed' | 'abandoned'): void {
  play({ type: 'write', job, submissionId: job, end, hasOutcome: end === 'completed', next: 0, durable, record: '' })
}

function stored(job: string, isOnDisk: boolean, ...ids: string[]): void {
  const { version } = journal.get(job)!.stamp
  for (const from of ids) play({ type: 'stored', from, job, version, isOnDisk })
}

/** The effects of a type since the last call. */
function take<Type extends JournalEffect<string>['type']>(type: Type): Effect<Type>[] {
  const taken = effects.filter((effect): effect is Effect<Type> => effect.type === type)
  effects = effects.filter(effect => effect.type !== type)
  return taken
}

test('as many peers with disks are standbys as a job needs, for as long as it has an outcome', () => {
  expect(journal.standbys).toEqual(['c', 'b'])
  write('night', 3)
  expect(journal.standbys).toEqual(['c', 'b', 'a'])
  write('night', 3, 'completed')
  write('day', 1)
  expect(journal.standbys).toEqual(['c', 'b', 'a'])
  play({ type: 'forget', job: 'night' })
  expect(journal.standbys).toEqual(['c', 'b'])
})

test('a copy in memory counts as a replica, and not as a disk, until the disk has taken it', () => {
  write('night', 2)
  stored('night', true, 'b')
  stored('night', false, 'c')
  expect(take('replicated')).toEqual([])
  // The disk of another peer takes the place of that one.
  expect(journal.standbys).toEqual(['c', 'b', 'a'])
  stored('night', true, 'c')
  expect(take('replicated')).toHaveLength(1)
  expect(journal.standbys).toEqual(['c', 'b'])
  expect(journal.held('night')).toEqual({ memory: 3, disk: 2 })
})

test('a peer that comes back without what it had in memory is not counted as having it', () => {
  write('night', 2)
  stored('night', false, 'c')
  play({ type: 'disconnected', id: 'c' })
  play({ type: 'heads', from: 'c', heads: [], isOnDisk: true })
  stored('night', true, 'b')
  expect(take('replicated')).toEqual([])
  stored('night', true, 'c')
  expect(take('replicated')).toHaveLength(1)
})

test('a new job is given up when there are fewer disks than it needs, and an acknowledged one goes on', () => {
  write('night', 3)
  stored('night', true, 'a', 'b', 'c')
  write('day', 3)
  take('too-few-disks')
  play({ type: 'gone', id: 'a' })
  expect(take('not-durable')).toEqual([{ type: 'not-durable', job: 'day', disks: 2 }])
  expect(take('too-few-disks')).toEqual([{ type: 'too-few-disks', disks: 2, needed: 3, missing: ['a'] }])
  take('replicated')
  write('night', 3, 'completed')
  stored('night', true, 'b', 'c')
  expect(take('replicated')).toEqual([])
  write('day', 3, 'abandoned')
  stored('day', true, 'b', 'c')
  expect(take('replicated')).toMatchObject([{ job: 'day' }])
})

test('a peer drops a copy only when it has confirmed all that it was sent', () => {
  write('night', 3)
  stored('night', true, 'b', 'c')
  // No job needs the third disk any more, but the answer of a is on its way.
  write('night', 1)
  stored('night', true, 'b', 'c')
  expect(journal.standbys).toEqual(['c', 'b'])
  expect(take('forget')).toEqual([])
  play({ type: 'stored', from: 'a', job: 'night', version: 1, isOnDisk: true })
  expect(take('forget')).toMatchObject([{ to: 'a', job: 'night' }])
})
