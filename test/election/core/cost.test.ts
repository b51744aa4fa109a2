import { expect, test } from 'vitest'
import { messagesAfterCrash } from './crash-cost.ts'

test.each([5, 50, 500])('a crash of the leader costs %i peers at most three messages per peer', size => {
  expect(messagesAfterCrash(size)).toBeLessThanOrEqual(3 * size)
})
