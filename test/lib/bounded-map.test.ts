import { expect, test } from 'vitest'
import { BoundedMap } from '../../src/lib/bounded-map.ts'

test('a bounded map that is full drops the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3]
  ])
})

test('setting a key again makes it the newest and drops nothing', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3]
  ])
  expect([...map.set('c', 4).keys()]).toEqual(['a', 'c'])
})

test('a deleted entry makes room', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2)
  map.delete('b')
  expect([...map.set('c', 3).keys()]).toEqual(['a', 'c'])
})
