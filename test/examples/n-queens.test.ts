import { expect, test } from 'vitest'
import nQueens from '../../examples/n-queens.ts'
import { chunksOf, runInOneLoop } from './in-one-loop.ts'

test('the numbers of solutions for boards up to 10 by 10 match OEIS A000170', async () => {
  const published = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724]
  for (const [index, solutions] of published.entries()) {
    const n = index + 1
    expect((await runInOneLoop(nQueens, { n })).result).toEqual({ n, solutions, verified: true })
  }
})

test('`split` makes one chunk of each placement of the first two queens', async () => {
  const { chunks } = await runInOneLoop(nQueens, { n: 8 })
  expect(chunks).toHaveLength(42)
  expect(new Set(chunks.map(chunk => chunk.columns.join())).size).toBe(42)
  expect(chunks.every(({ columns: [first = 0, second = 0] }) => Math.abs(first - second) >= 2)).toBe(true)
})

test('a wrong number of solutions is not verified, and the result for a board larger than the known boards has no verdict', async () => {
  expect(await nQueens.finish?.({ n: 8, solutions: 91 })).toEqual({ n: 8, solutions: 91, verified: false })
  expect(await nQueens.finish?.({ n: 19, solutions: 1 })).toEqual({ n: 19, solutions: 1 })
})

test('an n that is missing, fractional or too large is refused', () => {
  for (const input of [undefined, {}, { n: 0 }, { n: 1.5 }, { n: '8' }, { n: 21 }]) {
    const chunks = () => chunksOf(nQueens, input)
    expect(chunks).toThrow('n must be a whole number from 1 to 20')
  }
})
