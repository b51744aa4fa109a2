import { expect, test } from 'vitest'
import type { Entry, Head } from '../../src/journal/core/entry.ts'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { JournalKeeper } from '../../src/journal/core/keeper.ts'

/** The journal of the leader z @5; says what it does in short words. */
class Driver {
  readonly keeper = new JournalKeeper<string>()
  readonly journal: Journal<string>
  readonly writer = { epoch: 5, rank: { priority: 0, id: 'z' } }
  #said: string[] = []

  constructor(voters?: string[]) {
    this.journal = new Journal({ writer: this.writer, keeper: this.keeper, voters })
  }

  do(event: JournalEvent<string>): this {
    this.#said.push(...this.journal.handle(event, 0).flatMap(tell))
    return this
  }

  live(...ids: string[]): this {
    for (const id of ids) {
      const electable = id === id.toLowerCase()
      this.do({ type: 'member', member: { rank: { priority: 0, id }, electable } })
    }
    return this
  }

  /** Everybody answers that there is nothing. */
  ready(...ids: string[]): this {
    this.live(...ids).do({ type: 'start' })
    for (const from of ids) this.do({ type: 'heads', from, heads: [] })
    this.said()
    return this
  }

  write(job: string, end?: Entry<string>['end']): this {
    return this.do({ type: 'write', job, submissionId: job, end, hasOutcome: end !== undefined, record: 'record' })
  }

  held(job: string, version: number, ...ids: string[]): this {
    for (const from of ids) this.do({ type: 'held', from, job, version })
    return this
  }

  said(): string[] {
    return this.#said.splice(0)
  }
}

function tell(effect: JournalEffect<string>): string[] {
  switch (effect.type) {
    case 'timer':
      return []
    case 'put':
      return [`put ${effect.entry.job} ${effect.entry.stamp.version} -> ${effect.to}`]
    case 'copy':
      return [`copy ${effect.entry.job} @${effect.entry.stamp.epoch} -> ${effect.to}`]
    case 'adopt':
    case 'overruled':
      return [`${effect.type} ${effect.entry.job}${effect.entry.end === undefined ? '' : ` (${effect.entry.end})`}`]
    case 'held':
      return [`held ${effect.job} ${effect.version}`]
    case 'read':
      return [`read -> ${effect.to}`]
    case 'fetch':
    case 'forget':
      return [`${effect.type} ${effect.job} -> ${effect.to}`]
    case 'short':
      return [`short of ${effect.silent.join(' and ') || 'nobody'}`]
    default:
      return [effect.type]
  }
}

/** A copy of an earlier leader. */
function copy(job: string, epoch: number, rest: Partial<Head> = {}): Entry<string> {
  const stamp = { epoch, rank: { priority: 0, id: 'y' }, version: 1 }
  return { job, stamp, submissionId: job, end: undefined, hasOutcome: false, record: 'old', ...rest }
}

test('what all others keep is read before anything is accepted', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' })
  expect(z.said()).toEqual(['read -> a', 'read -> b'])
  expect(z.do({ type: 'heads', from: 'a', heads: [] }).said()).toEqual([])
  expect(z.journal.isReady).toBe(false)
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).said()).toEqual(['ready'])
})

test('a live member that does not answer is not waited for any longer than its time, and read when it does', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' }).do({ type: 'heads', from: 'a', heads: [] })
  z.said()
  expect(z.do({ type: 'timer', name: 'b' }).said()).toEqual(['ready', 'short of b'])
  z.do({ type: 'heads', from: 'b', heads: [copy('night', 4)] })
  expect(z.said()).toEqual(['fetch night -> b', 'short of nobody'])
})

test('under a quorum a majority of the voters is enough, and less is not', () => {
  const z = new Driver(['z', 'a', 'b', 'c', 'd']).live('a', 'b', 'x').do({ type: 'start' })
  z.do({ type: 'heads', from: 'x', heads: [] }).do({ type: 'heads', from: 'a', heads: [] })
  expect(z.journal.isReady).toBe(false)
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).journal.isReady).toBe(true)
  z.said()
  expect(z.write('night').held('night', 1, 'a').said()).toEqual(['put night 1 -> a', 'put night 1 -> b'])
  expect(z.held('night', 1, 'b').said()).toEqual(['held night 1'])
})

test('the two others that rank highest keep the journal, workers only where there are no others', () => {
  const z = new Driver().ready('a', 'b', 'c', 'Worker').write('night')
  expect(z.said()).toEqual(['put night 1 -> c', 'put night 1 -> b'])
  expect(new Driver().ready('a', 'Worker').write('night').said()).toEqual(['put night 1 -> a', 'put night 1 -> Worker'])
})

test('under a quorum the voters are named that do not answer or are gone, and nobody else', () => {
  const z = new Driver(['a', 'b', 'c', 'd', 'z']).ready('a', 'b', 'worker').do({ type: 'gone', id: 'b' })
  z.do({ type: 'disconnected', id: 'worker' }).do({ type: 'timer', name: 'worker' })
  expect(z.said().filter(each => each.startsWith('short'))).toEqual(['short of b and c and d'])
  expect(z.live('b').do({ type: 'heads', from: 'b', heads: [] }).said()).toContain('short of nobody')
})

test('what runs is held when both have it; an outcome when one has', () => {
  const z = new Driver().ready('a', 'b').write('night')
  z.said()
  expect(z.held('night', 1, 'a').said()).toEqual([])
  expect(z.held('night', 1, 'b').said()).toEqual(['held night 1'])
  z.write('night', 'completed').said()
  expect(z.held('night', 2, 'b').said()).toEqual(['held night 2'])
})

test('alone, a leader holds for itself', () => {
  expect(new Driver().ready().write('night').said()).toEqual(['held night 1'])
})

test('when one of them is gone another one gets all, and nothing is held until it has', () => {
  const z = new Driver().ready('a', 'b', 'c').write('night').held('night', 1, 'c')
  z.said()
  expect(z.do({ type: 'gone', id: 'b' }).said()).toEqual(['put night 1 -> a'])
  expect(z.held('night', 1, 'a').said()).toEqual(['held night 1'])
})

test('whoever need not keep it any more forgets, but not before the newest version is held elsewhere', () => {
  const z = new Driver().ready('a', 'b').write('night').held('night', 1, 'a', 'b').live('c')
  z.said()
  expect(z.do({ type: 'heads', from: 'c', heads: [] }).said()).toEqual(['put night 1 -> c'])
  expect(z.held('night', 1, 'c').said()).toEqual(['forget night -> a'])
  expect(z.do({ type: 'gone', id: 'c' }).said(), 'and is given it again when it must').toEqual(['put night 1 -> a'])
})

test('the newest copy is gone on with, and the others are forgotten when it is safe', () => {
  const z = new Driver().live('a', 'b', 'c').do({ type: 'start' })
  z.said()
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 3)] })
  z.do({ type: 'heads', from: 'b', heads: [] })
  expect(z.said()).toEqual(['fetch night -> a'])
  expect(z.do({ type: 'heads', from: 'c', heads: [copy('night', 4)] }).said()).toEqual(['fetch night -> c'])
  z.do({ type: 'entry', from: 'c', job: 'night', entry: copy('night', 4) })
  expect(z.said()).toEqual(['adopt night', 'ready', 'put night 1 -> c', 'put night 1 -> b'])
  expect(z.held('night', 1, 'b', 'c').said()).toEqual(['held night 1', 'forget night -> a'])
})

test('when whoever has the newest copy dies before it has given it, the next-best counts', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' })
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 3)] })
  z.do({ type: 'heads', from: 'b', heads: [copy('night', 4)] })
  expect(z.said().at(-1)).toBe('fetch night -> b')
  expect(z.do({ type: 'gone', id: 'b' }).said()).toEqual(['fetch night -> a'])
})

test('while somebody is still waited for, what was found is copied to the standbys, so that it survives those who hold it', () => {
  const z = new Driver().live('a', 'b', 'c', 'd').do({ type: 'start' })
  z.said()
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 4)] }).do({ type: 'heads', from: 'c', heads: [] })
  expect(z.said()).toEqual(['fetch night -> a'])
  z.do({ type: 'entry', from: 'a', job: 'night', entry: copy('night', 4) })
  expect(z.said(), 'd has not said what it holds').toEqual(['copy night @4 -> c'])
  expect(z.keeper.get('night')).toMatchObject(copy('night', 4))
  expect(z.do({ type: 'gone', id: 'd' }).said(), 'then b is the next').toEqual([])
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).said()).toEqual([
    'adopt night',
    'ready',
    'put night 1 -> c',
    'put night 1 -> b'
  ])
  expect(z.held('night', 1, 'b', 'c').said()).toEqual(['held night 1', 'forget night -> a'])
})

test('what this peer itself keeps is copied as soon as a standby has said that it holds nothing of it', () => {
  const z = new Driver()
  z.keeper.read({ epoch: 4, rank: { priority: 0, id: 'y' } })
  z.keeper.write(copy('night', 4))
  z.live('a', 'b', 'c').do({ type: 'start' }).said()
  expect(z.do({ type: 'heads', from: 'b', heads: [] }).said()).toEqual(['copy night @4 -> b'])
  // It has an older one: which of the two counts is not known yet.
  expect(z.do({ type: 'heads', from: 'c', heads: [copy('night', 3)] }).said()).toEqual([])
})

test('an end that is found of a job that was taken already counts, though others are still being read', () => {
  const over = { ...copy('night', 4, { end: 'completed', hasOutcome: true }), record: 'outcome' }
  const z = new Driver().live('a').do({ type: 'start' })
  // Of the two that a holds, one is still on its way.
  z.do({ type: 'heads', from: 'a', heads: [copy('night', 4), copy('day', 4)] })
  z.do({ type: 'entry', from: 'a', job: 'night', entry: copy('night', 4) })
  z.live('b', 'c').do({ type: 'heads', from: 'b', heads: [over] })
  z.said()
  z.do({ type: 'heads', from: 'c', heads: [] }).do({ type: 'entry', from: 'a', job: 'day', entry: copy('day', 4) })
  expect(z.said()).toContain('fetch night -> b')
  expect(z.do({ type: 'entry', from: 'b', job: 'night', entry: over }).said()).toContain('overruled night (completed)')
  expect(z.journal.get('night')).toMatchObject({ end: 'completed', record: 'outcome' })
})

test('a copy never takes the place of what is kept of the job', () => {
  const keeper = new JournalKeeper<string>()
  const writer = { epoch: 5, rank: { priority: 0, id: 'z' } }
  keeper.read({ epoch: 4, rank: { priority: 0, id: 'y' } })
  keeper.write(copy('night', 4, { end: 'completed', hasOutcome: true }))
  expect(keeper.copy(writer, copy('night', 4)), 'it has not been read by z').toBe(false)
  keeper.read(writer)
  expect(keeper.copy(writer, copy('night', 4))).toBe(false)
  expect(keeper.get('night')).toMatchObject({ end: 'completed' })
  expect(keeper.copy(writer, copy('day', 3))).toBe(true)
  expect(keeper.get('day')).toMatchObject({ stamp: { epoch: 3 } })
})

test('a newer leader that somebody obeys ends this one, unless that one is gone', () => {
  const z = new Driver().ready('a', 'b')
  expect(z.do({ type: 'gone', id: 'a' }).do({ type: 'refused', from: 'a' }).said()).toEqual([])
  expect(z.do({ type: 'refused', from: 'b' }).said()).toEqual(['fenced'])
})

test('what a suspect holds that cannot be reached is not waited for, but nothing is held by one alone while it is live', () => {
  const z = new Driver().live('a', 'b').do({ type: 'start' }).do({ type: 'heads', from: 'a', heads: [] })
  z.said()
  expect(z.do({ type: 'unreachable', id: 'b' }).said()).toEqual(['ready', 'short of b'])
  expect(z.write('night').held('night', 1, 'a').said()).toEqual(['put night 1 -> a'])
  expect(z.do({ type: 'gone', id: 'b' }).said()).toEqual(['short of nobody', 'held night 1'])
})

test('a standby that is silent is replaced, and what runs is held when two others have it', () => {
  const z = new Driver().ready('a', 'b', 'c').do({ type: 'disconnected', id: 'c' }).write('night')
  z.held('night', 1, 'b').said()
  expect(z.do({ type: 'timer', name: 'c' }).said()).toEqual(['put night 1 -> a'])
  expect(z.held('night', 1, 'a').said()).toEqual(['held night 1'])
})

test('a standby that answers and confirms nothing of what it is given is silent, too', () => {
  const z = new Driver().ready('a', 'b', 'c').write('night').held('night', 1, 'b')
  z.said()
  expect(z.do({ type: 'timer', name: 'c' }).said()).toEqual(['read -> c', 'put night 1 -> a'])
  expect(z.held('night', 1, 'a').said()).toEqual(['held night 1'])
  const head = z.journal.get('night')!
  expect(z.do({ type: 'heads', from: 'c', heads: [head] }).said(), 'and is one again').toEqual(['forget night -> a'])
})

test('a standby that confirms one thing after the other is not silent, however long it takes', () => {
  const z = new Driver().ready('a', 'b', 'c').write('night').write('day').held('night', 1, 'c')
  z.said()
  expect(z.do({ type: 'timer', name: 'c' }).said()).toEqual([])
  expect(z.do({ type: 'timer', name: 'c' }).said().slice(0, 1)).toEqual(['read -> c'])
})

test('where nobody can take the place of those who are silent, nothing is held until they answer or are gone', () => {
  const z = new Driver().ready('a', 'b')
  for (const id of ['a', 'b']) z.do({ type: 'disconnected', id }).do({ type: 'timer', name: id })
  z.said()
  expect(z.write('night').said(), 'neither by this leader alone').toEqual([])
  z.do({ type: 'heads', from: 'a', heads: [] }).held('night', 1, 'a')
  expect(z.said(), 'nor by one of two').toEqual(['short of b', 'put night 1 -> a'])
  z.do({ type: 'heads', from: 'b', heads: [] }).held('night', 1, 'b')
  expect(z.said()).toEqual(['short of nobody', 'put night 1 -> b', 'held night 1'])
})

test('an outcome is held by one other at least, also while all are silent', () => {
  const z = new Driver().ready('a').do({ type: 'disconnected', id: 'a' }).do({ type: 'timer', name: 'a' })
  z.said()
  expect(z.write('night', 'completed').said()).toEqual([])
  z.do({ type: 'heads', from: 'a', heads: [] }).held('night', 1, 'a')
  expect(z.said()).toContain('held night 1')
})

test.each(['cancelled', 'abandoned'] as const)('a job that is %s does not wait for a member that is silent', end => {
  const z = new Driver().ready('a').do({ type: 'disconnected', id: 'a' }).do({ type: 'timer', name: 'a' })
  z.said()
  expect(z.write('night', end).said()).toContain('held night 1')
})

test('a job that has ended on the other side of a cut ends here, too', () => {
  const z = new Driver().ready('a').write('night').held('night', 1, 'a').live('b')
  z.said()
  const over = copy('night', 4, { end: 'completed', hasOutcome: true })
  z.do({ type: 'heads', from: 'b', heads: [over] })
  expect(z.said(), 'and is not written over meanwhile').toEqual(['fetch night -> b'])
  z.do({ type: 'entry', from: 'b', job: 'night', entry: over })
  expect(z.said()).toEqual(['overruled night (completed)', 'put night 2 -> b', 'put night 2 -> a'])
})

test('what was lost on the way is put again when the connection is back', () => {
  const z = new Driver().ready('a').write('night')
  z.said()
  expect(z.do({ type: 'disconnected', id: 'a' }).said()).toEqual(['read -> a'])
  expect(z.do({ type: 'disconnected', id: 'a' }).said(), 'the read may be lost as well').toEqual(['read -> a'])
  expect(z.held('night', 1, 'a').said(), 'a late answer of the old connection').toEqual([])
  expect(z.do({ type: 'heads', from: 'a', heads: [] }).said()).toEqual(['put night 1 -> a'])
})

test('a leader that finds somebody obeying a newer one is done', () => {
  const z = new Driver().ready('a').do({ type: 'refused', from: 'a' })
  expect(z.said()).toEqual(['fenced'])
  expect(z.write('night').said()).toEqual([])
  const late = new Driver()
  late.keeper.read({ epoch: 6, rank: { priority: 0, id: 'y' } })
  expect(late.do({ type: 'start' }).said()).toEqual(['fenced'])
})

test('a leadership that goes on after a hand-off was given up knows its own jobs again', () => {
  const z = new Driver().ready('a').write('night').held('night', 1, 'a')
  const journal = new Journal({ writer: z.writer, keeper: z.keeper })
  const said: string[] = []
  const play = (event: JournalEvent<string>): void => void said.push(...journal.handle(event, 0).flatMap(tell))
  play({ type: 'member', member: { rank: { priority: 0, id: 'a' }, electable: true } })
  play({ type: 'start' })
  play({ type: 'heads', from: 'a', heads: [z.journal.get('night')!] })
  expect(said).toEqual(['read -> a', 'adopt night', 'ready', 'put night 2 -> a'])
})

test('a keeper obeys only the newest leader that has read what it keeps', () => {
  const keeper = new JournalKeeper<string>()
  const entry = copy('night', 4)
  expect(keeper.write(entry), 'who writes has read').toBe(false)
  expect(keeper.read(entry.stamp)).toEqual([])
  expect(keeper.write(entry)).toBe(true)
  const newer = { epoch: 5, rank: entry.stamp.rank }
  expect(keeper.read(newer)?.map(({ job }) => job)).toEqual(['night'])
  expect(keeper.write({ ...entry, stamp: { ...entry.stamp, version: 2 } })).toBe(false)
  expect(keeper.forget(entry.stamp, 'night', entry.stamp)).toBe(false)
  expect(keeper.read(entry.stamp)).toBeUndefined()
  expect(keeper.get('night')).toBe(entry)
  expect(keeper.forget(newer, 'night', entry.stamp)).toBe(true)
  expect(keeper.get('night')).toBeUndefined()
})
