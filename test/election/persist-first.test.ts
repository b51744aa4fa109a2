import { expect, test } from 'vitest'
import type { CoreEffect } from '../../src/election/core/events.ts'
import type { CoordinatorMessage } from '../../src/election/core/messages.ts'
import { PersistFirst } from '../../src/election/persist-first.ts'
import { coordinator } from './core/core.ts'

/** Returns a disk whose writes end when the test calls a function, and a log of the performed effects. */
function setUp(accepted?: CoordinatorMessage) {
  const done: string[] = []
  const writes: Array<() => void> = []
  const perform = (effect: CoreEffect): void =>
    void done.push('to' in effect ? `${effect.type} ${effect.to}` : effect.type)
  const effects = new PersistFirst<CoreEffect>({ write: (_, end) => void writes.push(end), perform }, accepted)
  return { done, writes, effects }
}

const persist = (epoch: number) => ({ type: 'persist', coordinator: coordinator('a', epoch) }) as const
const handOff = (to: string) => ({ type: 'handOff', to }) as const

test('effects after a persist effect, even effects of later events, wait until the write of the persist effect has ended', () => {
  const { done, writes, effects } = setUp()
  effects.add([handOff('b'), persist(1), handOff('c')])
  effects.add([handOff('d')])
  expect(done).toEqual(['handOff b'])
  writes[0]!()
  expect(done).toEqual(['handOff b', 'handOff c', 'handOff d'])
})

test('a second persist effect is written after the write of the first persist effect', () => {
  const { done, writes, effects } = setUp()
  effects.add([persist(1), handOff('b'), persist(2), handOff('c')])
  expect(writes).toHaveLength(1)
  writes[0]!()
  expect(done).toEqual(['handOff b'])
  writes[1]!()
  expect(done).toEqual(['handOff b', 'handOff c'])
})

test('a timer effect waits together with the effect that follows it', () => {
  const { done, writes, effects } = setUp()
  effects.add([persist(1), { type: 'timer', name: 'handOff', delay: 1 }, handOff('b')])
  expect(done).toEqual([])
  writes[0]!()
  expect(done).toEqual(['timer', 'handOff b'])
})

test('effects on the lease do not wait for the disk', () => {
  const { done, effects } = setUp()
  effects.add([
    persist(1),
    { type: 'leader', leader: undefined },
    { type: 'release', heir: undefined },
    { type: 'seek', above: 1 }
  ])
  expect(done).toEqual(['release', 'seek'])
})

test('other peers receive only a leadership whose write has ended', () => {
  const before = coordinator('b', 3)
  const { writes, effects } = setUp(before)
  effects.add([persist(4)])
  expect(effects.written).toBe(before)
  writes[0]!()
  expect(effects.written?.epoch).toBe(4)
})
