import { expect, test } from 'vitest'
import { comparePeerIds } from '../../src/election/core/rank.ts'
import { electorateOf, orderOf, strategyOf } from '../../src/election/electorate.ts'

const terms = { voters: ['a', 'b', 'c'], leaseTime: 1_000, drift: 0.01 }

test('an electorate tells its strategy, and two strategies are never one electorate', () => {
  const texts = [
    electorateOf({ strategy: 'bully' }),
    electorateOf({ strategy: 'bully', terms }),
    electorateOf({ strategy: 'lowest' }),
    electorateOf({ strategy: 'ring' })
  ]
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.map(strategyOf)).toEqual(['bully', 'bully', 'lowest', 'ring'])
})

test('the highest PeerId ranks highest, except under the strategy lowest, and the priority counts first', () => {
  const [a, b] = [
    { priority: 0, id: 'a' },
    { priority: 0, id: 'b' }
  ]
  for (const electorate of ['', 'ring', 'a strategy of a later release'])
    expect(orderOf(electorate)(a, b)).toBe(comparePeerIds('a', 'b'))
  expect(orderOf('lowest')(a, b)).toBe(comparePeerIds('b', 'a'))
  expect(orderOf('lowest')({ ...a, priority: -1 }, b)).toBeLessThan(0)
})
