import { expect, test } from 'vitest'
import type { Entry, Head } from '../../src/journal/core/entry.ts'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { JournalReplica, type ReplicaKeeper } from '../../src/journal/core/replica.ts'

/** The journal of the leader z at epoch 5, with a log of its effects. */
class Driver {
  readonly replica: JournalReplica<string>
  readonly journal: Journal<string>
  readonly writer = { epoch: 5, rank: { priority: 0, id: 'z' } }
  #log: string[] = []

  constructor(voters?: string[], keeper?: ReplicaKeeper<string>) {
    this.replica = new JournalReplica<string>(undefined, undefined, keeper)
    this.journal = new Journal({ writer: this.writer, replica: this.replica, voters })
  }

  do(event: JournalEvent<string>): this {
    this.#log.push(...this.journal.handle(event, 0).flatMap(describe))
    return this
  }

  live(...ids: string[]): this {
    for (const id of ids) {
      const electable = id === id.toLowerCase()
      this.do({ type: 'member', member: { rank: { priority: 0, id }, electable, hasDisk: false } })
    }
    return this
  }

  /** Makes the leader ready: all members answer the read, and have no entries. */
  ready(...ids: string[]): this {
    this.live(...ids).do({ type: 'start' })
    for (const from of ids) this.do({ type: 'heads', from, heads: [] })
    this.takeLog()
    return this
  }

  write(job: string, end?: Entry<string>['end']): this {
    return this.do({
      type: 'write',
      job,
      submissionId: job,
      end,
      hasOutcome: end !== undefined,
      next: 0,
      record: 'record'
    })
  }

  stored(job: string, version: number, ...ids: string[]): this {
    for (const from of ids) this.do({ type: 'stored', from, job, version })
    return this
  }

  takeLog(): string[] {
    return this.#log.splice(0)
  }
}

function describe(effect: JournalEffect<string>): string[] {
  switch (effect.type) {
    case 'timer':
    case 'tell':
    case 'held':
      return []
    case 'put':
      return [`put ${effect.entry.job} ${effect.entry.stamp.version} -> ${effect.to}`]
    case 'copy':
      return [`copy ${effect.entry.job} @${effect.entry.stamp.epoch} -> ${effect.to}`]
    case 'adopt':
    case 'overruled':
    case 'advanced':
      return [`${effect.type} ${effect.entry.job}${effect.entry.end === undefined ? '' : ` (${effect.entry.end})`}`]
    case 'replicated':
      return [`replicated ${effect.job} ${effect.version}`]
    case 'read':
      return [`read -> ${effect.to}`]
    case 'fetch':
    case 'forget':
      return [`${effect.type} ${effect.job} -> ${effect.to}`]
    case 'sync':
      return [`sync ${effect.copies.map(([job]) => job).join(' and ') || 'all'}`]
    case 'under-replicated':
      return [`missing ${effect.missing.join(' and ') || 'nobody'}`]
    default:
      return [effect.type]
  }
}

/** Returns a copy from an earlier leader. */
function copy(job: string, epoch: number, rest: Partial<Head> = {}): Entry<string> {
  const stamp = { epoch, rank: { priority: 0, id: 'y' }, version: 1 }
  return {
    job,
    stamp,
    submissionId: job,
    end: undefined,
    hasOutcome: false,
    next: 0,
    durable: 0,
    record: 'old',
    ...rest
  }
}

test('a leader reads the journals of all members before it accepts anything', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' })
  expect(z.takeLog()).toEqual(['read -> a', 'read -> b'])
  expect(z.do({ type: 'heads', from: 'a', heads: [] }).takeLog()).toEqual([])
  expect(z.journal.isReady).toBe(false)
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).takeLog()).toEqual(['ready'])
})

test('a leader waits for a silent member only for a limited time, and reads the journal of this member when the member answers later', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' }).do({ type: 'heads', from: 'a', heads: [] })
  z.takeLog()
  expect(z.do({ type: 'timer', name: 'b' }).takeLog()).toEqual(['ready', 'missing b'])
  z.do({ type: 'heads', from: 'b', heads: [copy('night', 4)] })
  expect(z.takeLog()).toEqual(['fetch night -> b', 'missing nobody'])
})

test('under a quorum an entry is not replicated before a majority of the voters stores it', () => {
  const z = new Driver(['z', 'a', 'b', 'c', 'd']).live('a', 'b', 'x').do({ type: 'start' })
  z.do({ type: 'heads', from: 'x', heads: [] }).do({ type: 'heads', from: 'a', heads: [] })
  expect(z.journal.isReady).toBe(false)
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).journal.isReady).toBe(true)
  z.takeLog()
  expect(z.write('night').stored('night', 1, 'a').takeLog()).toEqual(['put night 1 -> a', 'put night 1 -> b'])
  expect(z.stored('night', 1, 'b').takeLog()).toEqual(['replicated night 1'])
})

test('the standbys are the two followers of highest rank, and a worker is a standby only if no other follower is left', () => {
  const z = new Driver().ready('a', 'b', 'c', 'Worker').write('night')
  expect(z.takeLog()).toEqual(['put night 1 -> c', 'put night 1 -> b'])
  expect(new Driver().ready('a', 'Worker').write('night').takeLog()).toEqual([
    'put night 1 -> a',
    'put night 1 -> Worker'
  ])
})

test('under a quorum a leader reports exactly the voters that do not answer or are gone', () => {
  const z = new Driver(['a', 'b', 'c', 'd', 'z']).ready('a', 'b', 'worker').do({ type: 'gone', id: 'b' })
  z.do({ type: 'disconnected', id: 'worker' }).do({ type: 'timer', name: 'worker' })
  expect(z.takeLog().filter(each => each.startsWith('missing'))).toEqual(['missing b and c and d'])
  expect(z.live('b').do({ type: 'heads', from: 'b', heads: [] }).takeLog()).toContain('missing nobody')
})

test('the entry of a running job is replicated when both standbys store it, and an outcome is replicated when one standby stores it', () => {
  const z = new Driver().ready('a', 'b').write('night')
  z.takeLog()
  expect(z.stored('night', 1, 'a').takeLog()).toEqual([])
  expect(z.stored('night', 1, 'b').takeLog()).toEqual(['replicated night 1'])
  z.write('night', 'completed').takeLog()
  expect(z.stored('night', 2, 'b').takeLog()).toEqual(['replicated night 2'])
})

test('an entry of a leader without followers counts as replicated immediately', () => {
  expect(new Driver().ready().write('night').takeLog()).toEqual(['replicated night 1'])
})

test('a standby that is gone is replaced, and an entry is not replicated until the new standby stores it', () => {
  const z = new Driver().ready('a', 'b', 'c').write('night').stored('night', 1, 'c')
  z.takeLog()
  expect(z.do({ type: 'gone', id: 'b' }).takeLog()).toEqual(['put night 1 -> a'])
  expect(z.stored('night', 1, 'a').takeLog()).toEqual(['replicated night 1'])
})

test('a leader lets a former standby drop its copy only after the new standby stores the newest version', () => {
  const z = new Driver().ready('a', 'b').write('night').stored('night', 1, 'a', 'b').live('c')
  z.takeLog()
  expect(z.do({ type: 'heads', from: 'c', heads: [] }).takeLog()).toEqual(['put night 1 -> c'])
  expect(z.stored('night', 1, 'c').takeLog()).toEqual(['forget night -> a'])
  expect(z.do({ type: 'gone', id: 'c' }).takeLog(), 'and is given it again when it must').toEqual(['put night 1 -> a'])
})

test('a leader adopts the newest copy of a job, and lets other peers drop their copies only after both standbys store the entry', () => {
  const z = new Driver().live('a', 'b', 'c').do({ type: 'start' })
  z.takeLog()
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 3)] })
  z.do({ type: 'heads', from: 'b', heads: [] })
  expect(z.takeLog()).toEqual(['fetch night -> a'])
  expect(z.do({ type: 'heads', from: 'c', heads: [copy('night', 4)] }).takeLog()).toEqual(['fetch night -> c'])
  z.do({ type: 'entry', from: 'c', job: 'night', entry: copy('night', 4) })
  expect(z.takeLog()).toEqual(['adopt night', 'ready', 'put night 1 -> c', 'put night 1 -> b'])
  expect(z.stored('night', 1, 'b', 'c').takeLog()).toEqual(['replicated night 1', 'forget night -> a'])
})

test('a leader fetches the second-newest copy when the holder of the newest copy dies', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' })
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 3)] })
  z.do({ type: 'heads', from: 'b', heads: [copy('night', 4)] })
  expect(z.takeLog().at(-1)).toBe('fetch night -> b')
  expect(z.do({ type: 'gone', id: 'b' }).takeLog()).toEqual(['fetch night -> a'])
})

test('a leader sends found copies to the standbys while it still waits for the answer of a member', () => {
  const z = new Driver().live('a', 'b', 'c', 'd').do({ type: 'start' })
  z.takeLog()
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 4)] }).do({ type: 'heads', from: 'c', heads: [] })
  expect(z.takeLog()).toEqual(['fetch night -> a'])
  z.do({ type: 'entry', from: 'a', job: 'night', entry: copy('night', 4) })
  expect(z.takeLog(), 'd has not answered').toEqual(['copy night @4 -> c'])
  expect(z.replica.get('night')).toMatchObject(copy('night', 4))
  expect(z.do({ type: 'gone', id: 'd' }).takeLog(), 'then b is the next').toEqual([])
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).takeLog()).toEqual([
    'adopt night',
    'ready',
    'put night 1 -> c',
    'put night 1 -> b'
  ])
  expect(z.stored('night', 1, 'b', 'c').takeLog()).toEqual(['replicated night 1', 'forget night -> a'])
})

test('a leader sends the entry in its own replica to a standby that has no entry of the job', () => {
  const z = new Driver()
  z.replica.read({ epoch: 4, rank: { priority: 0, id: 'y' } })
  z.replica.write(copy('night', 4))
  z.live('a', 'b', 'c').do({ type: 'start' }).takeLog()
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).takeLog()).toEqual(['copy night @4 -> b'])
  // The standby has an older entry, and the leader does not know yet which of the two entries wins.
  expect(z.do({ type: 'heads', from: 'c', heads: [copy('night', 3)] }).takeLog()).toEqual([])
})

test('a found outcome overrules an adopted job while the leader still fetches other entries', () => {
  const over = { ...copy('night', 4, { end: 'completed', hasOutcome: true }), record: 'outcome' }
  const z = new Driver().live('a').do({ type: 'start' })
  // Member a has two jobs, and the leader has not received the second job yet.
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 4), copy('day', 4)] })
  z.do({ type: 'entry', from: 'a', job: 'night', entry: copy('night', 4) })
  z.live('b', 'c').do({ type: 'heads', from: 'b', heads: [over] })
  z.takeLog()
  z.do({ type: 'heads', from: 'c', heads: [] }).do({ type: 'entry', from: 'a', job: 'day', entry: copy('day', 4) })
  expect(z.takeLog()).toContain('fetch night -> b')
  expect(z.do({ type: 'entry', from: 'b', job: 'night', entry: over }).takeLog()).toContain(
    'overruled night (completed)'
  )
  expect(z.journal.get('night')).toMatchObject({ end: 'completed', record: 'outcome' })
})

test('a copy never replaces the entry of a replica', () => {
  const replica = new JournalReplica<string>()
  const writer = { epoch: 5, rank: { priority: 0, id: 'z' } }
  replica.read({ epoch: 4, rank: { priority: 0, id: 'y' } })
  replica.write(copy('night', 4, { end: 'completed', hasOutcome: true }))
  expect(replica.copy(writer, copy('night', 4)), 'z has not read').toBe(false)
  replica.read(writer)
  expect(replica.copy(writer, copy('night', 4))).toBe(false)
  expect(replica.get('night')).toMatchObject({ end: 'completed' })
  expect(replica.copy(writer, copy('day', 3))).toBe(true)
  expect(replica.get('day')).toMatchObject({ stamp: { epoch: 3 } })
})

test('a refusal fences the leader, unless the refusal comes from a member that is gone', () => {
  const z = new Driver().ready('a', 'b')
  expect(z.do({ type: 'gone', id: 'a' }).do({ type: 'refused', from: 'a' }).takeLog()).toEqual([])
  expect(z.do({ type: 'refused', from: 'b' }).takeLog()).toEqual(['fenced'])
})

test('a leader becomes ready without an unreachable suspect, but replicates no entry on a single peer while the suspect is live', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' }).do({ type: 'heads', from: 'a', heads: [] })
  z.takeLog()
  expect(z.do({ type: 'unreachable', id: 'b' }).takeLog()).toEqual(['ready', 'missing b'])
  expect(z.write('night').stored('night', 1, 'a').takeLog()).toEqual(['put night 1 -> a'])
  expect(z.do({ type: 'gone', id: 'b' }).takeLog()).toEqual(['missing nobody', 'replicated night 1'])
})

test('a silent standby is replaced, and an entry is replicated when two other peers store it', () => {
  const z = new Driver().ready('a', 'b', 'c').do({ type: 'disconnected', id: 'c' }).write('night')
  z.stored('night', 1, 'b').takeLog()
  expect(z.do({ type: 'timer', name: 'c' }).takeLog()).toEqual(['put night 1 -> a'])
  expect(z.stored('night', 1, 'a').takeLog()).toEqual(['replicated night 1'])
})

test('a standby that answers the read but confirms no entry counts as silent', () => {
  const z = new Driver().ready('a', 'b', 'c').write('night').stored('night', 1, 'b')
  z.takeLog()
  expect(z.do({ type: 'timer', name: 'c' }).takeLog()).toEqual(['read -> c', 'put night 1 -> a'])
  expect(z.stored('night', 1, 'a').takeLog()).toEqual(['replicated night 1'])
  const head = z.journal.get('night')!
  expect(z.do({ type: 'heads', from: 'c', heads: [head] }).takeLog(), 'and is one again').toEqual(['forget night -> a'])
})

test('a standby that confirms one entry after another never counts as silent, even if all confirmations take long', () => {
  const z = new Driver().ready('a', 'b', 'c').write('night').write('day').stored('night', 1, 'c')
  z.takeLog()
  expect(z.do({ type: 'timer', name: 'c' }).takeLog()).toEqual([])
  expect(z.do({ type: 'timer', name: 'c' }).takeLog().slice(0, 1)).toEqual(['read -> c'])
})

test('nothing is replicated while members are silent and no other member can replace them', () => {
  const z = new Driver().ready('a', 'b')
  for (const id of ['a', 'b']) z.do({ type: 'disconnected', id }).do({ type: 'timer', name: id })
  z.takeLog()
  expect(z.write('night').takeLog(), 'neither by this leader alone').toEqual([])
  z.do({ type: 'heads', from: 'a', heads: [] }).stored('night', 1, 'a')
  expect(z.takeLog(), 'nor by one of two').toEqual(['missing b', 'put night 1 -> a'])
  z.do({ type: 'heads', from: 'b', heads: [] }).stored('night', 1, 'b')
  expect(z.takeLog()).toEqual(['missing nobody', 'put night 1 -> b', 'replicated night 1'])
})

test('an outcome is not replicated until one other peer stores it, even while all members are silent', () => {
  const z = new Driver().ready('a').do({ type: 'disconnected', id: 'a' }).do({ type: 'timer', name: 'a' })
  z.takeLog()
  expect(z.write('night', 'completed').takeLog()).toEqual([])
  z.do({ type: 'heads', from: 'a', heads: [] }).stored('night', 1, 'a')
  expect(z.takeLog()).toContain('replicated night 1')
})

test.each(['cancelled', 'abandoned'] as const)(
  'an entry of a job that is %s does not wait for a silent member',
  end => {
    const z = new Driver().ready('a').do({ type: 'disconnected', id: 'a' }).do({ type: 'timer', name: 'a' })
    z.takeLog()
    expect(z.write('night', end).takeLog()).toContain('replicated night 1')
  }
)

test('a job that ended on the other side of a partition also ends on this side', () => {
  const z = new Driver().ready('a').write('night').stored('night', 1, 'a').live('b')
  z.takeLog()
  const over = copy('night', 4, { end: 'completed', hasOutcome: true })
  z.do({ type: 'heads', from: 'b', heads: [over] })
  expect(z.takeLog(), 'and is not written over meanwhile').toEqual(['fetch night -> b'])
  z.do({ type: 'entry', from: 'b', job: 'night', entry: over })
  expect(z.takeLog()).toEqual(['overruled night (completed)', 'put night 2 -> b', 'put night 2 -> a'])
})

test('a leader sends a lost entry again when the connection to the standby is back', () => {
  const z = new Driver().ready('a').write('night')
  z.takeLog()
  expect(z.do({ type: 'disconnected', id: 'a' }).takeLog()).toEqual(['read -> a'])
  expect(z.do({ type: 'disconnected', id: 'a' }).takeLog(), 'the read may be lost as well').toEqual(['read -> a'])
  expect(z.stored('night', 1, 'a').takeLog(), 'a late answer of the old connection').toEqual([])
  expect(z.do({ type: 'heads', from: 'a', heads: [] }).takeLog()).toEqual(['put night 1 -> a'])
})

test('members with a disk are standbys before higher-ranked members without one, and before electable ones', () => {
  const z = new Driver().live('d', 'c')
  const onDisk = (id: string, electable: boolean): JournalEvent<string> => ({
    type: 'member',
    member: { rank: { priority: 0, id }, electable, hasDisk: true }
  })
  z.do(onDisk('a', true)).do(onDisk('B', false)).do({ type: 'start' })
  for (const from of ['a', 'B', 'c', 'd']) z.do({ type: 'heads', from, heads: [] })
  expect(z.journal.standbys).toEqual(['a', 'B'])
  z.do({ type: 'gone', id: 'B' })
  expect(z.journal.standbys).toEqual(['a', 'd'])
})

/** A leader that keeps its own copies on a disk. */
function onDisk(): { z: Driver; kept: string[] } {
  const kept: string[] = []
  const keeper: ReplicaKeeper<string> = {
    put: ({ job, stamp }) => kept.push(`put ${job} ${stamp.version}`),
    remove: job => kept.push(`remove ${job}`),
    obey: ({ epoch }) => kept.push(`obey ${epoch}`),
    note: () => {},
    mark: () => {}
  }
  return { z: new Driver(undefined, keeper), kept }
}

test('a leader with a disk is ready when it is on the disk that it has read the journals', () => {
  const { z, kept } = onDisk()
  z.live('a').do({ type: 'start' }).do({ type: 'heads', from: 'a', heads: [] })
  expect(kept).toEqual(['obey 5'])
  expect(z.takeLog()).toEqual(['read -> a', 'sync all'])
  expect(z.do(synced()).takeLog()).toEqual(['ready'])
})

/** The disk of the leader has taken these copies. */
function synced(...copies: [job: string, version: number][]): JournalEvent<string> {
  return { type: 'synced', copies, isOnDisk: true }
}

test('a leader with a disk acknowledges an entry when its own copy is on disk as well, and waits for no copy of another job', () => {
  const { z, kept } = onDisk()
  z.ready('a').do(synced())
  z.takeLog()
  z.write('night').stored('night', 1, 'a')
  expect(z.takeLog()).toEqual(['put night 1 -> a', 'sync night'])
  z.write('day').write('dawn').stored('dawn', 3, 'a')
  expect(z.takeLog()).toEqual(['put day 2 -> a', 'sync day', 'put dawn 3 -> a', 'sync dawn'])
  expect(z.do(synced(['dawn', 3])).takeLog()).toEqual(['replicated dawn 3'])
  expect(z.do(synced(['night', 1], ['day', 2])).takeLog()).toEqual(['replicated night 1'])
  expect(z.stored('day', 2, 'a').takeLog()).toEqual(['replicated day 2'])
  z.do({ type: 'forget', job: 'day' })
  expect(kept).toEqual(['obey 5', 'put night 1', 'put day 2', 'put dawn 3', 'remove day'])
})

test('a replica that is restored obeys the leader that it obeyed before, and has its entries', () => {
  const { z, kept } = onDisk()
  const entry = copy('night', 6)
  z.replica.restore({ entries: [entry], reader: entry.stamp, list: undefined })
  expect(kept).toEqual([])
  expect(z.do({ type: 'start' }).takeLog()).toEqual(['fenced'])
  expect(z.replica.get('night')).toBe(entry)
})

test('a leader is fenced when a member or its own replica obeys a newer leader', () => {
  const z = new Driver().ready('a').do({ type: 'refused', from: 'a' })
  expect(z.takeLog()).toEqual(['fenced'])
  expect(z.write('night').takeLog()).toEqual([])
  const late = new Driver()
  late.replica.read({ epoch: 6, rank: { priority: 0, id: 'y' } })
  expect(late.do({ type: 'start' }).takeLog()).toEqual(['fenced'])
})

test('a leader that keeps leading after a failed hand-off adopts its own jobs again', () => {
  const z = new Driver().ready('a').write('night').stored('night', 1, 'a')
  const journal = new Journal({ writer: z.writer, replica: z.replica })
  const log: string[] = []
  const play = (event: JournalEvent<string>): void => void log.push(...journal.handle(event, 0).flatMap(describe))
  play({ type: 'member', member: { rank: { priority: 0, id: 'a' }, electable: true, hasDisk: false } })
  play({ type: 'start' })
  play({ type: 'heads', from: 'a', heads: [z.journal.get('night')!] })
  expect(log).toEqual(['read -> a', 'adopt night', 'ready', 'put night 2 -> a'])
})

test('a replica obeys only the newest leader that has read it', () => {
  const replica = new JournalReplica<string>()
  const entry = copy('night', 4)
  expect(replica.write(entry), 'the writer has not read').toBe(false)
  expect(replica.read(entry.stamp)).toEqual([])
  expect(replica.write(entry)).toBe(true)
  const newer = { epoch: 5, rank: entry.stamp.rank }
  expect(replica.read(newer)?.map(({ job }) => job)).toEqual(['night'])
  expect(replica.write({ ...entry, stamp: { ...entry.stamp, version: 2 } })).toBe(false)
  replica.forget(entry.stamp, 'night', entry.stamp)
  expect(replica.read(entry.stamp)).toBeUndefined()
  expect(replica.get('night')).toBe(entry)
  replica.forget(newer, 'night', entry.stamp)
  expect(replica.get('night')).toBeUndefined()
})
