import { expect, test } from 'vitest'
import type { Entry, Head, Stamp } from '../../src/journal/core/entry.ts'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import type { HolderList } from '../../src/journal/core/holder-list.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { headOf, JournalReplica, type ReplicaKeeper } from '../../src/journal/core/replica.ts'

const stampOf = (id: string, epoch: number, version = 1): Stamp => ({ epoch, rank: { priority: 0, id }, version })
const FLOOR = stampOf('a', 4, 10)
const listOf = (rest: Partial<HolderList> = {}): HolderList => ({
  stamp: stampOf('a', 4),
  holders: [],
  inMemory: [],
  behind: [],
  ...rest
})
const copy = (job: string, stamp: Stamp, rest: Partial<Head> = {}): Entry<string> => ({
  job,
  stamp,
  submissionId: job,
  end: undefined,
  hasOutcome: false,
  next: 0,
  durable: 0,
  record: 'record',
  ...rest
})
const OLD = copy('night', stampOf('a', 4, 3))
const NEW = copy('night', stampOf('a', 4, 11))

interface Init {
  list?: HolderList
  entries?: Entry<string>[]
  /** Default: 5. */
  epoch?: number
  /** Whether the disk has taken nothing yet. */
  isSlow?: boolean
}

/** The journal of the leader z, whose replica is on a disk. */
class Leader {
  readonly replica: JournalReplica<string>
  readonly journal: Journal<string>
  readonly #isSlow: boolean
  #effects: JournalEffect<string>[] = []

  constructor({ list, entries = [], epoch = 5, isSlow = false }: Init = {}) {
    const nothing = (): void => {}
    const keeper: ReplicaKeeper<string> = { put: nothing, remove: nothing, obey: nothing, note: nothing, mark: nothing }
    this.#isSlow = isSlow
    this.replica = new JournalReplica<string>(undefined, undefined, keeper)
    this.replica.restore({ entries, reader: undefined, list })
    this.journal = new Journal({ writer: stampOf('z', epoch), replica: this.replica })
  }

  do(event: JournalEvent<string>): this {
    for (const effect of this.journal.handle(event, 0)) {
      this.#effects.push(effect)
      if (effect.type !== 'sync' || (this.#isSlow && (effect.copies.length > 0 || this.journal.isReady))) continue
      this.do({ type: 'synced', copies: effect.copies, isOnDisk: true })
    }
    return this
  }

  start(...ids: string[]): this {
    return this.live(...ids).do({ type: 'start' })
  }

  live(...ids: string[]): this {
    for (const id of ids)
      this.do({ type: 'member', member: { rank: { priority: 0, id }, electable: true, hasDisk: true } })
    return this
  }

  /** Answers the read in the name of a peer with these entries, and then all fetches from it. */
  answers(from: string, list?: HolderList, entries: Entry<string>[] = []): this {
    this.do({ type: 'heads', from, heads: entries.map(({ record: _, ...head }) => head), isOnDisk: true, list })
    return this.gives(from, entries)
  }

  gives(from: string, entries: Entry<string>[]): this {
    for (const entry of entries) this.do({ type: 'entry', from, job: entry.job, entry })
    return this
  }

  write(job: string, end?: 'completed'): this {
    const hasOutcome = end !== undefined
    return this.do({ type: 'write', job, submissionId: job, end, hasOutcome, next: 0, record: 'record' })
  }

  stored(job: string, version: number, ...ids: string[]): this {
    for (const from of ids) this.do({ type: 'stored', from, job, version, isOnDisk: true })
    return this
  }

  /** Answers all lists that a peer was told. */
  noted(from: string): this {
    for (let last = 0; last !== this.list.stamp.version; ) {
      last = this.list.stamp.version
      this.do({ type: 'noted', from, version: last })
    }
    return this
  }

  /** The effects of these kinds since the last call. */
  take<Type extends JournalEffect<string>['type']>(...types: Type[]): Extract<JournalEffect<string>, { type: Type }>[] {
    const effects = this.#effects.splice(0)
    return effects.filter((effect): effect is Extract<JournalEffect<string>, { type: Type }> =>
      (types as string[]).includes(effect.type)
    )
  }

  get list(): HolderList {
    return this.replica.known.list!
  }
}

const current = listOf({ floor: FLOOR })

test('a leader tells all peers the floor before it forgets the end of a job', () => {
  const z = new Leader().start('a', 'b').answers('a').answers('b')
  z.write('night', 'completed').stored('night', 1, 'a', 'b').noted('a').noted('b')
  z.take()
  z.do({ type: 'forget', job: 'night' })
  const effects = z.take('tell', 'forget')
  expect(effects.slice(0, 4).map(({ type }) => type)).toEqual(['tell', 'tell', 'forget', 'forget'])
  expect(effects[0]).toMatchObject({ list: { floor: stampOf('z', 5, 1), outdated: [] } })
})

test('a leader raises the floor once for all ends that it may forget, and not above one that a standby has not confirmed', () => {
  const z = new Leader().start('a', 'b').answers('a').answers('b')
  for (const [i, job] of ['one', 'two', 'three', 'four'].entries())
    z.write(job, 'completed').stored(job, i + 1, 'a', ...(job === 'three' ? [] : ['b']))
  z.noted('a').noted('b').take()
  z.do({ type: 'forget', job: 'one' }).do({ type: 'forget', job: 'two' })
  expect(z.take('tell')).toHaveLength(2)
  expect(z.list.floor).toEqual(stampOf('z', 5, 2))
})

// Seed 103185 of the core durable: the floor was above ends that were still remembered, and their old copies went on later.
test('a leader that forgets an end early does not raise the floor above newer ends, although the oldest is not confirmed', () => {
  const z = new Leader().start('a', 'b').answers('a').answers('b')
  for (const [i, job] of ['one', 'two', 'three'].entries())
    z.write(job, 'completed').stored(job, i + 1, 'a', ...(job === 'one' ? [] : ['b']))
  z.noted('a').noted('b').do({ type: 'forget', job: 'two' })
  expect(z.list.floor).toEqual(stampOf('z', 5, 2))
})

test('a leader that forgets an end below the floor marks the peers that may have an older entry of this job', () => {
  const z = new Leader().start('a', 'b').answers('a').answers('b')
  z.write('zero', 'completed').stored('zero', 1, 'a', 'b').noted('a').noted('b')
  z.write('one', 'completed').stored('one', 2, 'a')
  z.write('two', 'completed').stored('two', 3, 'a', 'b').noted('a').noted('b')
  z.do({ type: 'forget', job: 'two' })
  expect(z.list).toMatchObject({ floor: stampOf('z', 5, 3), outdated: [] })
  z.do({ type: 'forget', job: 'one' })
  expect(z.list).toMatchObject({ floor: stampOf('z', 5, 3), outdated: ['b'] })
})

// Seed 103395 of the core durable: the leader came back with an entry of which only the removal was not synced.
test('a leader that forgets an end early which is not on its disk is outdated until all that it has removed is synced', () => {
  const z = new Leader({ isSlow: true }).start('a', 'b').answers('a').answers('b')
  z.write('night', 'completed').stored('night', 1, 'a', 'b').noted('a').noted('b')
  z.do({ type: 'forget', job: 'night' })
  expect(z.list.outdated).toEqual(['z'])
  z.do({ type: 'synced', copies: [], isOnDisk: false })
  expect(z.list.outdated).toEqual(['z'])
  z.do({ type: 'synced', copies: [], isOnDisk: true })
  expect(z.list.outdated).toEqual([])
})

// Seed 3134 of the core durable: a folder from before had the floor of that list, and passed for one that had always known it.
test('a leader that reads again tells the list of earlier leaders with all peers that are outdated', () => {
  const z = new Leader({ list: current }).start('a')
  z.do({ type: 'heads', from: 'a', heads: [headOf(OLD)], isOnDisk: true, list: current })
  z.live('b', 'c').take()
  z.answers('b', listOf(), [copy('day', stampOf('a', 4, 2))])
  expect(z.take('tell').findLast(({ to }) => to === 'b')).toMatchObject({ list: { floor: FLOOR, outdated: ['b'] } })
})

test('while a peer is behind, the leader marks it as outdated when it raises the floor, until the peer has dropped its old entries', () => {
  const z = new Leader().start('a', 'b', 'c').answers('a').answers('b').answers('c')
  z.write('night').stored('night', 1, 'b', 'c')
  z.do({ type: 'gone', id: 'c' }).stored('night', 1, 'a')
  z.write('night', 'completed').stored('night', 2, 'a', 'b').noted('a').noted('b')
  z.do({ type: 'forget', job: 'night' })
  expect(z.list).toMatchObject({ floor: stampOf('z', 5, 2), outdated: ['c'] })
  z.live('c').answers('c', undefined, [copy('night', stampOf('z', 5, 1))])
  z.noted('a').noted('b').noted('c')
  expect(z.list).toMatchObject({ behind: [], outdated: [] })
})

test('the old copy of a job whose end is forgotten is suspended when the peer that was away returns with it', () => {
  const z = new Leader().start('a', 'b', 'c').answers('a').answers('b').answers('c')
  z.write('night').stored('night', 1, 'b', 'c')
  const { list } = z
  z.do({ type: 'gone', id: 'c' }).stored('night', 1, 'a')
  z.write('night', 'completed').stored('night', 2, 'a', 'b')
  z.do({ type: 'forget', job: 'night' })
  const next = new Leader({ list: z.list, epoch: 6 }).start('b', 'c').answers('b', z.list)
  next.answers('c', list, [copy('night', stampOf('z', 5, 1))])
  expect(next.take('adopt')).toMatchObject([{ entry: { job: 'night', isSuspended: true } }])
})

test.each([
  ['is of a peer that did not know the floor', listOf(), OLD, true],
  ['was on a disk without a list', undefined, OLD, true],
  ['is of a peer that was outdated already', listOf({ floor: FLOOR, outdated: ['b'] }), OLD, true],
  ['is of a peer that knows the floor', current, OLD, undefined],
  ['is of such a peer, and has a stamp above the floor', listOf(), NEW, true]
])('a running copy that %s: suspended %s', (_, list, entry, isSuspended) => {
  const z = new Leader().start('a', 'b').answers('a', current).answers('b', list, [entry])
  z.gives('b', [entry])
  expect(z.take('adopt')).toMatchObject([{ entry: { job: 'night', isSuspended } }])
})

test('without a floor every running copy goes on', () => {
  const z = new Leader().start('a', 'b').answers('a', listOf()).answers('b', undefined, [OLD])
  expect(z.take('adopt')).toMatchObject([{ entry: { job: 'night', isSuspended: undefined } }])
})

// The durable world with seed 725355: an older copy that was read later ran the job again.
test('a leader that still reads forgets no end until it has read all', () => {
  const end = copy('night', stampOf('a', 4), { end: 'completed', hasOutcome: true })
  const z = new Leader().start('a')
  z.do({ type: 'heads', from: 'a', heads: [headOf(end), headOf(copy('day', stampOf('a', 4, 2)))], isOnDisk: true })
  z.gives('a', [end]).do({ type: 'forget', job: 'night' })
  expect(z.journal.get('night')).toMatchObject({ end: 'completed' })
  expect(z.take('forget')).toEqual([])
  z.gives('a', [copy('day', stampOf('a', 4, 2))])
  expect(z.journal.get('night')).toBeUndefined()
  expect(z.take('forget')).toMatchObject([{ to: 'a', job: 'night' }])
})

test('a leader that still reads keeps a job that was submitted again after its end was forgotten', () => {
  const end = copy('night', stampOf('a', 4), { end: 'completed', hasOutcome: true })
  const z = new Leader().start('a')
  z.do({ type: 'heads', from: 'a', heads: [headOf(end), headOf(copy('day', stampOf('a', 4, 2)))], isOnDisk: true })
  z.gives('a', [end]).do({ type: 'forget', job: 'night' }).write('night')
  z.gives('a', [copy('day', stampOf('a', 4, 2))])
  expect(z.journal.isReady).toBe(true)
  expect(z.journal.get('night')).toMatchObject({ end: undefined })
})

test('a lock is never suspended', () => {
  const replica = new JournalReplica<string>()
  const journal = new Journal({ writer: stampOf('z', 5), replica, canEnd: record => record !== 'lock' })
  const lock = { ...OLD, record: 'lock' }
  const events: JournalEvent<string>[] = [
    { type: 'member', member: { rank: { priority: 0, id: 'b' }, electable: true, hasDisk: true } },
    { type: 'member', member: { rank: { priority: 0, id: 'a' }, electable: true, hasDisk: true } },
    { type: 'start' },
    { type: 'heads', from: 'a', heads: [], list: current },
    { type: 'heads', from: 'b', heads: [lock], list: listOf() },
    { type: 'entry', from: 'b', job: lock.job, entry: lock }
  ]
  for (const event of events) journal.handle(event, 0)
  expect(journal.get('night')?.isSuspended).toBeUndefined()
})

test('a suspended job stays suspended under the next leader', () => {
  const entry = { ...OLD, stamp: stampOf('a', 4, 12), isSuspended: true }
  const z = new Leader().start('a').answers('a', current, [entry])
  expect(z.take('adopt')).toMatchObject([{ entry: { job: 'night', isSuspended: true } }])
})

test('the copy of a peer that knows the floor awakens a suspended job, also when it turns up late', () => {
  const z = new Leader({ list: current }).start('a').answers('a', listOf(), [OLD])
  expect(z.take('adopt')).toMatchObject([{ entry: { isSuspended: true } }])
  z.live('b').answers('b', current, [OLD])
  expect(z.take('adopt')).toMatchObject([{ entry: { job: 'night', isSuspended: undefined, stamp: { version: 2 } } }])
})

test('a later checkpoint of an outdated peer does not awaken a suspended job', () => {
  const z = new Leader({ list: current }).start('a').answers('a', listOf(), [OLD])
  z.take()
  z.live('b').answers('b', listOf(), [{ ...OLD, next: 7 }])
  expect(z.take('adopt', 'advanced')).toMatchObject([{ entry: { next: 7, isSuspended: true } }])
})

test('an end wins over a suspended job', () => {
  const z = new Leader({ list: current }).start('a').answers('a', listOf(), [OLD])
  z.live('b').answers('b', current, [{ ...OLD, end: 'completed', hasOutcome: true }])
  expect(z.take('overruled')).toMatchObject([{ entry: { end: 'completed' } }])
  expect(z.journal.get('night')?.isSuspended).toBeUndefined()
})

test('an entry that the leader writes awakens a suspended job', () => {
  const z = new Leader({ list: current }).start('a').answers('a', listOf(), [OLD])
  expect(z.write('night').journal.get('night')).toMatchObject({ stamp: { version: 2 } })
  expect(z.journal.get('night')?.isSuspended).toBeUndefined()
})

test('a leader that still reads tells the floor and who is outdated before it sends a copy, which is suspended', () => {
  const z = new Leader({ list: current }).start('a', 'b', 'c').answers('c', listOf())
  z.answers('a', listOf(), [OLD])
  const sent = z.take('tell', 'copy')
  expect(sent.at(-1)).toMatchObject({ type: 'copy', to: 'c', entry: { isSuspended: true } })
  expect(sent.find(({ to }) => to === 'c')).toMatchObject({ type: 'tell', list: { floor: FLOOR } })
  expect(z.list).toMatchObject({ floor: FLOOR, outdated: ['a'] })
  expect(z.replica.get('night')?.isSuspended).toBe(true)
})

test('what a leader has fetched does not show that the job runs when a peer turns up that knows a higher floor', () => {
  const z = new Leader().start('a', 'b').answers('b', listOf(), [OLD])
  expect(z.replica.get('night')?.isSuspended).toBeUndefined()
  expect(z.answers('a', current).take('adopt')).toMatchObject([{ entry: { isSuspended: true } }])
})

// The durable world with seed 612798.
test('a leader that meets a peer with a higher floor tells that those are outdated which it has read before', () => {
  const b = { rank: { priority: 0, id: 'b' }, electable: true, hasDisk: false }
  const z = new Leader()
    .do({ type: 'member', member: b })
    .start()
    .answers('b', listOf({ inMemory: ['b'] }), [OLD])
  expect(z.journal.isReady).toBe(true)
  expect(z.live('a').answers('a', current).list).toMatchObject({
    floor: FLOOR,
    outdated: expect.arrayContaining(['b'])
  })
})

test('a leader that was outdated itself says so until its own entries are on its disk', () => {
  const z = new Leader({ list: listOf(), entries: [OLD], isSlow: true }).start('a').answers('a', current)
  expect(z.take('adopt')).toMatchObject([{ entry: { isSuspended: true } }])
  expect(z.list).toMatchObject({ stamp: { epoch: 5 }, floor: FLOOR, outdated: ['z'] })
  z.do({ type: 'synced', copies: [['night', 1]], isOnDisk: true })
  expect(z.list.outdated).toEqual([])
})

test('a peer keeps the higher floor of two lists, and all that are outdated in one of them', () => {
  const { replica } = new Leader({ list: listOf({ outdated: ['b'] }) })
  replica.read(stampOf('z', 5))
  replica.copyList(stampOf('z', 5), listOf({ stamp: stampOf('a', 3), floor: FLOOR, outdated: ['c'] }))
  expect(replica.known.list).toMatchObject({ stamp: { epoch: 4 }, floor: FLOOR, outdated: ['b', 'c'] })
})
