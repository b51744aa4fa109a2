import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import search, { type Judged } from '../../examples/hyper-parameter-search.ts'
import { searchInOneLoop } from './hyper-parameters.ts'
import { chunksOf, runInOneLoop } from './in-one-loop.ts'
import { csv } from './iris.ts'

let printed: string[]

beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation(line => void printed.push(String(line)))
})

afterEach(() => vi.restoreAllMocks())

test('the result of the search equals the result of one plain loop in every bit', async () => {
  const { chunks, result } = await runInOneLoop(search, { table: csv, candidates: 8 })
  expect(chunks).toHaveLength(8)
  expect(result).toEqual(searchInOneLoop(8))
})

test('a larger search tries the candidates of a smaller search first, and lists the best candidate first', async () => {
  const { result } = await runInOneLoop(search, new TextEncoder().encode(csv))
  const { result: fewer } = await runInOneLoop(search, { table: csv, candidates: 3 })
  expect(result.candidates).toBe(24)
  expect(result.best).toHaveLength(5)
  expect(fewer.best).toHaveLength(3)
  expect(result.best.every((each, i) => each.accuracy <= (result.best[i - 1]?.accuracy ?? 1))).toBe(true)
  expect(result.best[0]?.accuracy).toBeGreaterThan(0.95)
  const again = fewer.best.find(each => each.candidate === 0)
  expect(searchInOneLoop(24).best).toEqual(result.best)
  expect(again).toEqual(searchInOneLoop(1).best[0])
})

test('candidates with the same accuracy are ordered by loss, and candidates with the same loss by index', async () => {
  const judged = (candidate: number, accuracy: number, loss: number): Judged => ({
    candidate,
    hidden: 4,
    rate: 0.1,
    decay: 0.001,
    epochs: 5,
    accuracy,
    loss
  })
  let state = { candidates: 0, best: [] as Judged[] }
  const all = [judged(0, 0.9, 0.3), judged(1, 0.9, 0.1), judged(2, 0.9, 0.3), judged(3, 0.95, 0.5)]
  for (const [index, each] of all.entries()) state = await search.reduce!(state, each, index)
  expect(state.best.map(({ candidate }) => candidate)).toEqual([3, 1, 0, 2])
})

test('the example prints the best candidates as a table', async () => {
  await runInOneLoop(search, { table: csv, candidates: 2 })
  expect(printed[0]).toMatch(/^accuracy +loss +hidden +rate +decay +epochs$/)
  expect(printed).toHaveLength(3)
  expect(printed[1]).toMatch(/^\d+\.\d % +\d\.\d{4} +\d+ +[\d.e-]+ +[\d.e-]+ +\d+$/)
})

test('a constant column does not break the search', async () => {
  const table = 'a,b,species\n1,2,x\n1,3,x\n1,4,x\n1,7,y\n1,8,y\n1,9,y\n'
  const { result } = await runInOneLoop(search, { table, candidates: 4 })
  expect(result.best.every(({ loss }) => Number.isFinite(loss))).toBe(true)
})

test('a missing table, too few rows and an invalid number of candidates are refused', () => {
  expect(() => chunksOf(search, undefined)).toThrow('0 rows are too few for 5 folds')
  expect(() => chunksOf(search, 'a,species\n1,x\n')).toThrow('1 rows are too few for 5 folds')
  for (const candidates of [0, 1.5, 100_001])
    expect(() => chunksOf(search, { table: csv, candidates })).toThrow('candidates must be a whole number from 1')
})
