import { expect, test } from 'vitest'
import type { BullyEffect } from '../../src/election/core/events.ts'
import type { CoordinatorMessage } from '../../src/election/core/messages.ts'
import { PersistFirst } from '../../src/election/persist-first.ts'
import { coordinator } from './core/core.ts'

/** A disk whose writes end when the test says so, and what was performed. */
function setUp(accepted?: CoordinatorMessage) {
  const done: string[] = []
  const writes: Array<() => void> = []
  const perform = (effect: BullyEffect): void =>
    void done.push('to' in effect ? `${effect.type} ${effect.to}` : effect.type)
  const effects = new PersistFirst<BullyEffect>({ write: (_, end) => void writes.push(end), perform }, accepted)
  return { done, writes, effects }
}

const persist = (epoch: number) => ({ type: 'persist', coordinator: coordinator('a', epoch) }) as const
const handOff = (to: string) => ({ type: 'handOff', to }) as const

test('effects after a persist effect wait until its write has ended, those of later events too', () => {
  const { done, writes, effects } = setUp()
  effects.add([handOff('b'), persist(1), handOff('c')])
  effects.add([handOff('d')])
  expect(done).toEqual(['handOff b'])
  writes[0]!()
  expect(done).toEqual(['handOff b', 'handOff c', 'handOff d'])
})

test('a second persist effect is written after the first one', () => {
  const { done, writes, effects } = setUp()
  effects.add([persist(1), handOff('b'), persist(2), handOff('c')])
  expect(writes).toHaveLength(1)
  writes[0]!()
  expect(done).toEqual(['handOff b'])
  writes[1]!()
  expect(done).toEqual(['handOff b', 'handOff c'])
})

test('a timer keeps its place beside the effect that it times', () => {
  const { done, writes, effects } = setUp()
  effects.add([persist(1), { type: 'timer', name: 'handOff', delay: 1 }, handOff('b')])
  expect(done).toEqual([])
  writes[0]!()
  expect(done).toEqual(['timer', 'handOff b'])
})

test('effects on the lease do not wait for the disk', () => {
  const { done, effects } = setUp()
  effects.add([persist(1), { type: 'leader', leader: undefined }, { type: 'release' }, { type: 'seek', above: 1 }])
  expect(done).toEqual(['release', 'seek'])
})

test('others hear only of a leadership whose write has ended', () => {
  const before = coordinator('b', 3)
  const { writes, effects } = setUp(before)
  effects.add([persist(4)])
  expect(effects.written).toBe(before)
  writes[0]!()
  expect(effects.written?.epoch).toBe(4)
})
