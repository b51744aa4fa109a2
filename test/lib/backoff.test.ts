import { expect, test } from 'vitest'
import { longestRetry } from '../../src/lib/backoff.ts'

const isLost = (peer: string): boolean => peer === 'lost'
const peers = (lost: number, others: number): string[] => [
  ...Array.from({ length: lost }, () => 'lost'),
  ...Array.from({ length: others }, () => 'reached')
]

test('a peer tries a thousand lost peers at most a hundred times a second together', () => {
  const pause = longestRetry(1_000, peers(1_000, 0), isLost)
  expect((1_000 * 1_000) / pause).toBeLessThanOrEqual(100)
})

test('among a thousand peers that can be reached, a lost peer is tried as often as alone', () => {
  expect(longestRetry(1_000, peers(1, 1_000), isLost)).toBe(1_000)
})
