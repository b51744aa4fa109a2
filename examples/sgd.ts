// npx p2p-worker run examples/sgd.ts --input-file examples/data/iris.csv
//
// Learns to classify irises by their measurements: logistic regression by local stochastic gradient descent (local SGD). The task is an iteration.
// In each round the workers get the weights, and each worker takes a step for every flower of its shard. The next round begins with the mean of
// the workers' weights. The flowers stay at the workers.

import { defineTask } from 'p2p-worker'

const ROUNDS = 50
/** The least and the largest number of shards. A small table has few shards. The number must not depend on the cluster. */
const LEAST_SHARDS = 5
const MOST_SHARDS = 40
const SHARD_FLOWERS = 1_000
const RATE = 0.2

interface Flower {
  /** The measurements, scaled to a mean of 0 and a variance of 1. The last feature is always 1, for the bias. */
  features: number[]
  /** The number of the flower's species. */
  species: number
}

interface State {
  /** The weights, with a row for each species. */
  weights: number[][]
  /** The number of flowers, out of `all`, that the weights of the previous round classify correctly. */
  right: number
  all: number
}

function flowersOf(input: Uint8Array | string): Flower[] {
  const text = typeof input === 'string' ? input : new TextDecoder().decode(input)
  const rows = text
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))
  if (rows.length === 0) throw new RangeError('sgd needs a table: give it a file with --input-file')
  const names = [...new Set(rows.map(row => row.at(-1)))].sort()
  const columns = (rows[0] ?? []).slice(0, -1).map((_, column) => {
    const values = rows.map(row => Number(row[column]))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
    // A constant column contains no information, so its values become 0.
    return values.map(value => (value - mean) / (Math.sqrt(variance) || 1))
  })
  return rows.map((row, i) => ({
    features: [...columns.map(values => values[i] ?? 0), 1],
    species: names.indexOf(row.at(-1))
  }))
}

/** Returns the probability of each species with these weights: the softmax of the weighted sums. */
function likelihoods(weights: readonly number[][], features: readonly number[]): number[] {
  const sums = weights.map(row => row.reduce((sum, weight, i) => sum + weight * (features[i] ?? 0), 0))
  const most = Math.max(...sums)
  const powers = sums.map(sum => Math.exp(sum - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map(power => power / total)
}

/** Returns 0 to `count` - 1 in a pseudo-random order. The order depends only on the seed, because a task must not use random numbers. */
function shuffled(count: number, seed: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i)
  let random = seed
  for (let last = count - 1; last > 0; last--) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    const other = random % (last + 1)
    const kept = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = kept
  }
  return order
}

export default defineTask({
  name: 'sgd',

  // With five shards each shard gets every fifth flower, so that each shard has all species.
  split(input: Uint8Array | string) {
    const flowers = flowersOf(input)
    const shards = Math.min(MOST_SHARDS, Math.max(LEAST_SHARDS, Math.floor(flowers.length / SHARD_FLOWERS)))
    return Array.from({ length: shards }, (_, shard) => flowers.filter((_, i) => i % shards === shard))
  },

  start(input): State {
    const flowers = flowersOf(input)
    const species = new Set(flowers.map(flower => flower.species))
    const features = flowers[0]?.features ?? []
    return { weights: Array.from(species, () => features.map(() => 0)), right: 0, all: flowers.length }
  },

  run(flowers, { state, round, index }) {
    let right = 0
    for (const { features, species } of flowers) {
      const likely = likelihoods(state.weights, features)
      if (likely.indexOf(Math.max(...likely)) === species) right += 1
    }
    let { weights } = state
    const rate = RATE / (1 + round / 10)
    for (const i of shuffled(flowers.length, round * MOST_SHARDS + index)) {
      const { features, species } = flowers[i] ?? { features: [], species: -1 }
      const likely = likelihoods(weights, features)
      weights = weights.map((row, k) => {
        const error = (likely[k] ?? 0) - (k === species ? 1 : 0)
        return row.map((weight, j) => weight - rate * error * (features[j] ?? 0))
      })
    }
    return { weights, right }
  },

  // Without `reduce`, `next` gets the array of partials, in the order of the shards.
  next: ({ weights, all }, parts) => ({
    weights: weights.map((row, k) =>
      row.map((_, j) => parts.reduce((sum, part) => sum + (part.weights[k]?.[j] ?? 0), 0) / parts.length)
    ),
    right: parts.reduce((sum, part) => sum + part.right, 0),
    all
  }),

  until: (_, { round }) => round === ROUNDS,

  finish({ weights, right, all }) {
    console.log(`${right} of ${all} told right after ${ROUNDS} rounds`)
    return { rounds: ROUNDS, accuracy: right / all, weights }
  }
})
