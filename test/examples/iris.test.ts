import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import kMeans from '../../examples/k-means.ts'
import sgd from '../../examples/sgd.ts'
import type { IterationDefinition } from '../../src/tasks/define/iteration.ts'
import { csv, kMeansInOneLoop, rows, sgdInOneLoop, species } from './iris.ts'

// The examples also print their results, which would clutter the output of the tests.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Runs an iteration in one loop without a cluster. A cluster must return the same result. */
async function iterate<Input, Shard, Partial, State, Accumulator, Result>(
  task: IterationDefinition<Input, Shard, Partial, State, Accumulator, Result>,
  input: Input
): Promise<Awaited<Result>> {
  const { split, start, run, initial, reduce, next, until, finish } = task
  const signal = new AbortController().signal
  const shards: Shard[] = []
  for await (const shard of await split!(input, { slots: 2 })) shards.push(shard)
  let state = await start(input)
  for (let round = 0; !(await until(state, { round })); round++) {
    const partials: Partial[] = []
    for (const [index, shard] of shards.entries())
      partials.push(await run(structuredClone(shard), { state, round, index, signal, log: () => {} }))
    let accumulator: unknown = partials
    if (reduce !== undefined) {
      let folded = (initial as () => Accumulator)()
      for (const [index, partial] of partials.entries()) folded = await reduce(folded, partial, index)
      accumulator = folded
    }
    state = structuredClone(await next(state, accumulator as Accumulator, { round }))
  }
  return await finish!(state)
}

describe('the irises in examples/data', () => {
  it("the table contains Fisher's data: 50 flowers of each species, with the published column means", () => {
    for (const name of ['setosa', 'versicolor', 'virginica'])
      expect(species.filter(each => each === name)).toHaveLength(50)
    const means = [0, 1, 2, 3].map(i => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length)
    expect(means.map(mean => mean.toFixed(4))).toEqual(['5.8433', '3.0573', '3.7580', '1.1993'])
    // The rows in which the UCI copy differs from the paper.
    expect([rows[34], rows[37]]).toEqual([
      [4.9, 3.1, 1.5, 0.2],
      [4.9, 3.6, 1.4, 0.1]
    ])
  })
})

describe('k-means on the irises', () => {
  it('the result of k-means equals the result of one plain loop in every bit', async () => {
    expect(await iterate(kMeans, csv)).toEqual(kMeansInOneLoop())
  })

  it('k-means finds the known groups of 50, 62 and 38 flowers, with an inertia of 78.85', () => {
    const { sizes, inertia } = kMeansInOneLoop()
    expect(sizes).toEqual([50, 62, 38])
    expect(inertia).toBeCloseTo(78.851441, 6)
  })
})

describe('SGD on the irises', () => {
  it('the result of SGD equals the result of one plain loop in every bit', async () => {
    expect(await iterate(sgd, csv)).toEqual(sgdInOneLoop())
  })

  it('SGD classifies 146 of the 150 flowers correctly', () => {
    expect(sgdInOneLoop().accuracy).toBe(146 / 150)
  })

  it('SGD learns from the other columns if one column is constant', async () => {
    const { accuracy, weights } = await iterate(sgd, 'a,b,species\n1,2,x\n1,3,x\n1,4,x\n1,7,y\n1,8,y\n1,9,y\n')
    expect(accuracy).toBe(1)
    expect(weights.flat().every(Number.isFinite)).toBe(true)
  })

  it('SGD refuses an empty table and a missing table', () => {
    for (const table of ['a,b,species\n', ''])
      expect(() => sgd.start(table)).toThrow('sgd needs a table: give it a file with --input-file')
  })
})
