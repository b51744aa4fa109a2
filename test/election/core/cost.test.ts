import { expect, test } from 'vitest'
import { messagesAfterCrash } from './crash-cost.ts'

test.each([5, 50, 500])('a crash of the leader costs %i peers at most three messages per peer', size => {
  expect(messagesAfterCrash(size)).toBeLessThanOrEqual(3 * size)
})

test.each([5, 50])('under the strategy lowest a crash of the leader costs %i peers no more than under bully', size => {
  expect(messagesAfterCrash(size, 'lowest')).toBeLessThanOrEqual(messagesAfterCrash(size))
})

test.each([5, 50])(
  'under the strategy ring a crash of the leader costs %i peers at most six messages per peer',
  size => {
    expect(messagesAfterCrash(size, 'ring')).toBeLessThanOrEqual(6 * size)
  }
)
