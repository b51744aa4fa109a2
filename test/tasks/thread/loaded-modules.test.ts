import { expect, it } from 'vitest'
import { areEnough } from '../../../src/tasks/thread/loaded-modules.ts'

const HEAP = 1_000

it.each([
  { sizes: [], enough: false, which: 'no modules' },
  { sizes: [5_000], enough: false, which: 'one module of any size' },
  { sizes: [5_000, 1], enough: false, which: 'a large module and a small one' },
  { sizes: [1, 5_000, 249], enough: false, which: 'a large module and small ones of a quarter of the heap' },
  { sizes: [1, 5_000, 250], enough: true, which: 'a large module and small ones of more than a quarter of the heap' },
  { sizes: [300, 300], enough: true, which: 'two large modules' },
  { sizes: new Array(99).fill(0), enough: false, which: 'ninety-nine modules' },
  { sizes: new Array(100).fill(0), enough: true, which: 'a hundred modules of any size' }
])('areEnough returns $enough for $which', ({ sizes, enough }) => {
  expect(areEnough(sizes, HEAP)).toBe(enough)
})
