import { describe, expect, it } from 'vitest'
import type { Head, Stamp, Writer } from '../../src/journal/core/entry.ts'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { JournalReplica, type ReplicaKeeper } from '../../src/journal/core/replica.ts'

const writer: Writer = { epoch: 5, rank: { priority: 0, id: 'z' } }
const stamp: Stamp = { epoch: 4, rank: { priority: 0, id: 'a' }, version: 1 }
const night: Head = {
  job: 'night',
  stamp,
  submissionId: 'night',
  end: undefined,
  hasOutcome: false,
  next: 0,
  durable: 0
}

/** The leader z of the voters z, a and b, which keeps its own copies on a disk. */
class Leader {
  /** The marks on the disk. */
  readonly marks: boolean[] = []
  readonly replica: JournalReplica<string>
  readonly journal: Journal<string>
  readonly effects: JournalEffect<string>[] = []

  constructor(isIncomplete = false) {
    const mark = (isIncomplete: boolean): void => void this.marks.push(isIncomplete)
    const keeper: ReplicaKeeper<string> = { put: () => {}, remove: () => {}, obey: () => {}, note: () => {}, mark }
    this.replica = new JournalReplica<string>(undefined, undefined, keeper)
    this.replica.restore({ entries: [], reader: undefined, list: undefined, isIncomplete })
    this.journal = new Journal({ writer, replica: this.replica, voters: ['z', 'a', 'b'] })
    for (const id of ['a', 'b'])
      this.do({ type: 'member', member: { rank: { priority: 0, id }, electable: true, hasDisk: true } })
    this.do({ type: 'start' }).sync()
  }

  do(event: JournalEvent<string>): this {
    this.effects.push(...this.journal.handle(event, 0))
    return this
  }

  heads(from: string, heads: Head[] = [], isIncomplete = false): this {
    return this.do({ type: 'heads', from, heads, isIncomplete, isOnDisk: true })
  }

  unreachable(id: string): this {
    return this.do({ type: 'unreachable', id })
  }

  /** Lets the disk sync all that it was given. */
  sync(): this {
    for (const { copies } of this.of('sync')) this.do({ type: 'synced', copies, isOnDisk: true })
    return this
  }

  of<Type extends JournalEffect<string>['type']>(type: Type): Extract<JournalEffect<string>, { type: Type }>[] {
    return this.effects.filter(
      (effect): effect is Extract<JournalEffect<string>, { type: Type }> => effect.type === type
    )
  }
}

describe('a voter that has lost entries', () => {
  it('counts in no majority of readers, and the leader says whose folders have lost something', () => {
    const z = new Leader().unreachable('b').heads('a', [], true)
    expect(z.journal.isReady).toBe(false)
    expect(z.of('incomplete').at(-1)).toEqual({ type: 'incomplete', voters: ['a'] })
    expect(z.heads('b').journal.isReady).toBe(true)
    expect(z.of('incomplete').at(-1)).toEqual({ type: 'incomplete', voters: [] })
  })

  it('does not count itself either when it leads', () => {
    const z = new Leader(true).unreachable('b').heads('a')
    expect(z.journal.isReady).toBe(false)
    expect(z.of('incomplete').at(-1)).toEqual({ type: 'incomplete', voters: ['z'] })
    expect(z.heads('b').journal.isReady).toBe(true)
  })

  it('is told that it is whole when it stores all that was acknowledged, and not before', () => {
    const z = new Leader().heads('b', [night])
    z.do({ type: 'entry', from: 'b', job: 'night', entry: { ...night, record: 'record' } })
    z.heads('a', [], true)
    expect(z.journal.isReady).toBe(true)
    expect(z.of('whole')).toEqual([])
    const { version } = z.journal.get('night')!.stamp
    z.sync().do({ type: 'stored', from: 'b', job: 'night', version, isOnDisk: true })
    expect(z.of('whole')).toEqual([])
    z.do({ type: 'stored', from: 'a', job: 'night', version, isOnDisk: true })
    expect(z.of('whole')).toEqual([{ type: 'whole', to: 'a' }])
  })

  it('is told so again after it has lost something again', () => {
    const z = new Leader().heads('b').heads('a', [], true)
    expect(z.of('whole')).toHaveLength(1)
    z.do({ type: 'disconnected', id: 'a' }).heads('a')
    expect(z.of('whole')).toHaveLength(1)
    z.do({ type: 'disconnected', id: 'a' }).heads('a', [], true)
    expect(z.of('whole')).toHaveLength(2)
  })

  it('is not whole with an old version of an entry of the present leadership', () => {
    const z = new Leader().heads('a').heads('b')
    const write = (next: number): Leader =>
      z.do({
        type: 'write',
        job: 'day',
        submissionId: 'day',
        end: undefined,
        hasOutcome: false,
        next,
        record: 'record'
      })
    write(0)
    write(1).sync()
    z.do({ type: 'stored', from: 'a', job: 'day', version: 2, isOnDisk: true })
    expect(z.of('replicated')).toContainEqual({ type: 'replicated', job: 'day', version: 2 })
    const day = { ...night, job: 'day', submissionId: 'day', stamp: { ...writer, version: 1 } }
    z.do({ type: 'disconnected', id: 'a' }).heads('a', [day], true)
    expect(z.of('whole')).toEqual([])
    z.do({ type: 'stored', from: 'a', job: 'day', version: 2, isOnDisk: true })
    expect(z.of('whole')).toEqual([{ type: 'whole', to: 'a' }])
  })

  it('that leads is whole when what it has read is on its own disk', () => {
    const z = new Leader(true).heads('a', [night]).heads('b')
    z.do({ type: 'entry', from: 'a', job: 'night', entry: { ...night, record: 'record' } })
    expect(z.journal.isReady).toBe(true)
    expect({ isIncomplete: z.replica.isIncomplete, marks: z.marks }).toEqual({ isIncomplete: true, marks: [] })
    z.sync()
    expect({ isIncomplete: z.replica.isIncomplete, marks: z.marks }).toEqual({ isIncomplete: false, marks: [false] })
  })

  it('keeps the mark when an older leader says that it is whole', () => {
    const replica = new JournalReplica<string>()
    replica.restore({ entries: [], reader: writer, list: undefined, isIncomplete: true })
    replica.markWhole({ ...writer, epoch: 4 })
    expect(replica.isIncomplete).toBe(true)
    replica.markWhole(writer)
    expect(replica.isIncomplete).toBe(false)
  })
})
