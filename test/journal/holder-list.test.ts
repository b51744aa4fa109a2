import { expect, test } from 'vitest'
import type { Head, Stamp } from '../../src/journal/core/entry.ts'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import { type HolderList, HolderListWriter } from '../../src/journal/core/holder-list.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { JournalReplica, type ReplicaKeeper } from '../../src/journal/core/replica.ts'

const stampOf = (id: string, epoch: number, version = 1): Stamp => ({ epoch, rank: { priority: 0, id }, version })
const listOf = (id: string, epoch: number, holders: string[], behind: string[] = []): HolderList => ({
  stamp: stampOf(id, epoch),
  holders,
  inMemory: [],
  behind
})
const head = (job: string, epoch: number, rest: Partial<Head> = {}): Head => ({
  job,
  stamp: stampOf('a', epoch),
  submissionId: job,
  end: undefined,
  hasOutcome: false,
  next: 0,
  durable: 0,
  ...rest
})

/** The journal of the leader z at epoch 5, whose replica is on a disk that syncs at once. */
class Leader {
  readonly replica: JournalReplica<string>
  readonly journal: Journal<string>
  #effects: JournalEffect<string>[] = []

  /** @param list - the list on the disk of the leader */
  constructor(list?: HolderList) {
    const keeper: ReplicaKeeper<string> = {
      put: () => {},
      remove: () => {},
      obey: () => {},
      note: () => {},
      mark: () => {}
    }
    this.replica = new JournalReplica<string>(undefined, undefined, keeper)
    this.replica.restore({ entries: [], reader: undefined, list })
    this.journal = new Journal({ writer: stampOf('z', 5), replica: this.replica, recoverWait: 1_000 })
  }

  do(event: JournalEvent<string>): this {
    for (const effect of this.journal.handle(event, 0)) {
      this.#effects.push(effect)
      if (effect.type === 'sync') this.do({ type: 'synced', copies: effect.copies, isOnDisk: true })
    }
    return this
  }

  live(...ids: string[]): this {
    for (const id of ids)
      this.do({ type: 'member', member: { rank: { priority: 0, id }, electable: true, hasDisk: true } })
    return this
  }

  heads(from: string, heads: Head[] = [], list?: HolderList): this {
    return this.do({ type: 'heads', from, heads, isOnDisk: true, list })
  }

  write(job: string, end?: 'completed'): this {
    const hasOutcome = end !== undefined
    return this.do({ type: 'write', job, submissionId: job, end, hasOutcome, next: 0, record: 'record' })
  }

  stored(job: string, version: number, ...ids: string[]): this {
    for (const from of ids) this.do({ type: 'stored', from, job, version, isOnDisk: true })
    return this
  }

  /** Answers all lists that these peers were told. */
  noted(...ids: string[]): this {
    for (let last = 0; last !== this.list.stamp.version; ) {
      last = this.list.stamp.version
      for (const from of ids) this.do({ type: 'noted', from, version: last })
    }
    return this
  }

  /** The effects of this kind since the last call. */
  take<Type extends JournalEffect<string>['type']>(...types: Type[]): Extract<JournalEffect<string>, { type: Type }>[] {
    const effects = this.#effects
    this.#effects = []
    return effects.filter((effect): effect is Extract<JournalEffect<string>, { type: Type }> =>
      (types as string[]).includes(effect.type)
    )
  }

  get list(): HolderList {
    return this.replica.known.list!
  }
}

test('after a full stop a leader waits for another holder of the journal, and then knows its jobs', () => {
  const z = new Leader(listOf('a', 4, ['z', 'a'])).do({ type: 'start' })
  expect(z.journal.isReady).toBe(false)
  expect(z.take('unread')).toEqual([{ type: 'unread', holders: ['a'] }])
  z.live('b').heads('b')
  expect(z.journal.isReady).toBe(false)
  z.live('a').heads('a', [head('night', 4)], listOf('a', 4, ['z', 'a']))
  expect(z.take('fetch')).toEqual([{ type: 'fetch', to: 'a', job: 'night' }])
})

test('a leader waits no longer than it was told, also for a holder of which only a member knows', () => {
  const z = new Leader().live('b').do({ type: 'start' })
  expect(z.take('timer')).toContainEqual({ type: 'timer', name: '', delay: 1_000 })
  z.heads('b', [], listOf('a', 4, ['a', 'b-before']))
  expect(z.journal.isReady).toBe(false)
  expect(z.do({ type: 'timer', name: '' }).journal.isReady).toBe(true)
})

// In the simulation a peer without a disk led first, and let one holder that had been away win.
test('a leader that knows no list waits for a second holder when only one has come back', () => {
  const list = listOf('a', 4, ['a', 'b'])
  const z = new Leader().live('a').do({ type: 'start' }).heads('a', [], list)
  expect(z.take('unread').at(-1)).toEqual({ type: 'unread', holders: ['b'] })
  expect(z.journal.isReady).toBe(false)
  expect(z.live('b').heads('b', [], list).journal.isReady).toBe(true)
})

test('a leader that was the only holder does not wait', () => {
  expect(new Leader(listOf('z', 4, ['z'], ['a'])).do({ type: 'start' }).journal.isReady).toBe(true)
})

test('a leader that held the journal since it started does not wait for the leader that died', () => {
  const z = new Leader()
  z.replica.read(stampOf('a', 4))
  z.replica.note(listOf('a', 4, ['a', 'z']))
  expect(z.do({ type: 'start' }).journal.isReady).toBe(true)
})

test('a peer hears who holds the journal before it gets an entry, and is a holder once it has stored all of them', () => {
  const z = new Leader().live('a').do({ type: 'start' }).heads('a')
  z.take()
  z.write('night')
  const effects = z.take('tell', 'put')
  expect(effects.map(({ type }) => type)).toEqual(['tell', 'put'])
  expect(effects[0]).toMatchObject({ to: 'a', list: { holders: ['z'], behind: ['a'] } })
  z.stored('night', 1, 'a')
  expect(z.list).toMatchObject({ holders: ['z', 'a'] })
})

test('a leader without jobs tells its list once', () => {
  const z = new Leader().live('a').do({ type: 'start' }).heads('a')
  expect(z.take('tell')).toHaveLength(1)
  z.noted('a')
  expect(z.take('tell')).toEqual([])
})

test('a leader remembers the end of a job until a holder that was away has dropped its old entries, and has said so', () => {
  const z = new Leader().live('a', 'b', 'c').do({ type: 'start' }).heads('a').heads('b').heads('c')
  z.write('night').stored('night', 1, 'b', 'c')
  z.do({ type: 'gone', id: 'c' }).stored('night', 1, 'a')
  z.write('night', 'completed').stored('night', 2, 'a', 'b').noted('a', 'b')
  expect(z.list.behind).toEqual(['c'])
  expect(z.journal.mayForget('night')).toBe(false)
  z.take()
  z.live('c').heads('c', [head('night', 5, { stamp: stampOf('z', 5) })])
  // c is a standby again, so it gets the newer entry.
  expect(z.take('put')).toMatchObject([{ to: 'c', entry: { end: 'completed' } }])
  expect(z.journal.mayForget('night')).toBe(false)
  z.stored('night', 2, 'c')
  expect(z.journal.mayForget('night')).toBe(false)
  expect(z.noted('a', 'b', 'c').journal.mayForget('night')).toBe(true)
})

test('of two running copies the one with the later checkpoint counts, also when it turns up late', () => {
  const z = new Leader().live('a').do({ type: 'start' }).heads('a')
  z.write('night').stored('night', 1, 'a')
  z.live('b').heads('b', [head('night', 4, { next: 7 })])
  z.do({ type: 'entry', from: 'b', job: 'night', entry: { ...head('night', 4, { next: 7 }), record: 'later' } })
  expect(z.take('advanced')).toMatchObject([{ entry: { job: 'night', next: 7, record: 'later', stamp: { epoch: 5 } } }])
})

test('a peer that was sent entries again is behind until it has said once more that it has dropped its old ones', () => {
  const writer = new HolderListWriter(stampOf('a', 2))
  const earlier = listOf('a', 1, ['a'], ['b'])
  const update = (incomplete: string[], isClean: boolean) =>
    writer.update(
      { holders: ['a'], inMemory: [], incomplete, reachable: ['b'], isClean: () => isClean, isCleanHere: () => true },
      earlier
    ).list
  update([], true)
  update(['b'], false)
  const { version } = update([], false).stamp
  writer.onNoted('b', version)
  expect(update([], false).behind).toEqual(['b'])
  const asked = update([], true).stamp.version
  writer.onNoted('b', asked)
  expect(update([], true).behind).toEqual([])
})

// In the simulation (core durable, seed 1938) others forgot the ends of jobs that such a leader still had running, when it crashed and came back.
test('a leader that was behind stays behind in its own list, also while it holds no entry, until it has dropped its old ones', () => {
  const writer = new HolderListWriter(stampOf('z', 5))
  const earlier = listOf('a', 4, ['a'], ['z'])
  const update = (isCleanHere: boolean) =>
    writer.update(
      { holders: [], inMemory: [], incomplete: [], reachable: [], isClean: () => true, isCleanHere: () => isCleanHere },
      earlier
    ).list
  expect(update(false).behind).toContain('z')
  expect(update(true).behind).not.toContain('z')
})

// The durable world with seed 712046: the first list of a leader named no disk, and the peer that came first after a full stop waited for nobody.
test('while no disk has all that a leader has, its list names the earlier holders, which have their old entries', () => {
  const writer = new HolderListWriter(stampOf('z', 5))
  const update = (holders: string[], inMemory: string[], isClean = false, incomplete: string[] = []) =>
    writer.update(
      { holders, inMemory, incomplete, reachable: ['a'], isClean: () => isClean, isCleanHere: () => true },
      listOf('b', 4, ['a'])
    )
  expect(update([], ['z']).list).toMatchObject({ holders: ['a'], inMemory: ['z'], behind: ['a'] })
  expect(update([], ['z'], true).isNew).toBe(false)
  // Seed 908138: the disk of the leader itself failed, too.
  expect(update([], [], false, ['z']).list).toMatchObject({ holders: ['a'], inMemory: [] })
  expect(update(['a'], ['z']).list).toMatchObject({ holders: ['a'], behind: ['a'] })
})

test('the list of a leader without jobs names no holders', () => {
  const writer = new HolderListWriter(stampOf('z', 5))
  const now = {
    holders: [],
    inMemory: [],
    incomplete: [],
    reachable: [],
    isClean: () => false,
    isCleanHere: () => true
  }
  expect(writer.update(now, listOf('b', 4, ['a'])).list).toMatchObject({ holders: [], behind: ['a'] })
})

// Seed 220707 of the core durable: a job waited for ever for the disk of a peer that took entries again.
test('a leader hears from the confirmation of a job that it has forgotten that a disk takes entries again', () => {
  const z = new Leader().live('a').do({ type: 'start' }).heads('a')
  z.write('night', 'completed').do({ type: 'stored', from: 'a', job: 'night', version: 1, isOnDisk: false })
  expect(z.journal.disks).toBe(1)
  z.do({ type: 'forget', job: 'night' }).stored('night', 1, 'a')
  expect(z.journal.disks).toBe(2)
})
