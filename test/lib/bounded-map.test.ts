import { expect, test } from 'vitest'
import { BoundedMap } from '../../src/lib/bounded-map.ts'

test('adding an entry to a full bounded map drops the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3]
  ])
})

test('setting an existing key of a bounded map makes the key the newest key and drops no entry', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3]
  ])
  expect([...map.set('c', 4).keys()]).toEqual(['a', 'c'])
})

test('deleting an entry of a full bounded map makes room for a new entry', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2)
  map.delete('b')
  expect([...map.set('c', 3).keys()]).toEqual(['a', 'c'])
})
