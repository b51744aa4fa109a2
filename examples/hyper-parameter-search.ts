// npx p2p-worker run examples/hyper-parameter-search.ts --input-file examples/data/iris.csv
//
// A random search for the settings ("hyper-parameters") of a small neural network. Each chunk is one choice of settings, judged by five-fold
// cross-validation. Five times the network learns from four fifths of the irises and classifies the other fifth. So the network never classifies
// a flower from which it has learnt. The result is the table of the best choices, which the example also prints.
//
// The search is random but reproducible: a seeded generator makes the settings and the first weights. A choice depends only on its number, so a
// larger search begins with the same choices. `--input` accepts the table and the number of candidates:
// {"table": "sepal_length,…\n5.1,…\n", "candidates": 200}.

import { defineTask } from 'p2p-worker'

const CANDIDATES = 24
const MOST_CANDIDATES = 100_000
const FOLDS = 5
const BEST = 5

/** One choice of settings. */
export interface Settings {
  /** The number of neurons in the hidden layer. */
  hidden: number
  /** The learning rate. */
  rate: number
  /** The weight decay: the share by which each weight shrinks in a step, so that no weight grows without need. */
  decay: number
  /** How often the network sees each flower. */
  epochs: number
}

export interface Judged extends Settings {
  candidate: number
  /** The share of flowers that the network classifies correctly. The network has not learnt from the flowers that it classifies. */
  accuracy: number
  /** The mean of -log of the probability of the right species. A lower loss is better. The loss distinguishes candidates of the same accuracy. */
  loss: number
}

interface Flower {
  /** The measurements, scaled to a mean of 0 and a variance of 1. */
  features: number[]
  species: number
}

/** A row of weights for each neuron. The last weight of a row is the bias of the neuron. */
interface Network {
  hidden: number[][]
  output: number[][]
}

type Input = Uint8Array | string | { table: string; candidates?: number }

/** Returns a generator of numbers in [0, 1). The same seed gives the same numbers (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws the settings of a candidate. Rates and decays have a logarithmic scale, as usual: 0.001 to 0.01 is as likely as 0.1 to 1. */
function settingsOf(candidate: number): Settings {
  const random = randomFrom(candidate + 1)
  const magnitude = (least: number, most: number): number => {
    const value = 10 ** (least + random() * (most - least))
    return Number(value.toPrecision(2))
  }
  return {
    hidden: 2 + Math.floor(random() * 11),
    rate: magnitude(-3, -0.5),
    decay: magnitude(-6, -2),
    epochs: 5 + 5 * Math.floor(random() * 8)
  }
}

function flowersOf(table: string): Flower[] {
  const rows = table
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','))
  if (rows.length < FOLDS) throw new RangeError(`${rows.length} rows are too few for ${FOLDS} folds`)
  const names = [...new Set(rows.map(row => row.at(-1)))].sort()
  const columns = (rows[0] ?? []).slice(0, -1).map((_, column) => {
    const values = rows.map(row => Number(row[column]))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
    // A constant column contains no information, so its values become 0.
    return values.map(value => (value - mean) / (Math.sqrt(variance) || 1))
  })
  return rows.map((row, i) => ({
    features: columns.map(values => values[i] ?? 0),
    species: names.indexOf(row.at(-1))
  }))
}

function newNetwork(inputs: number, hidden: number, outputs: number, random: () => number): Network {
  const layer = (neurons: number, before: number): number[][] =>
    Array.from({ length: neurons }, () => Array.from({ length: before + 1 }, () => random() - 0.5))
  return { hidden: layer(hidden, inputs), output: layer(outputs, hidden) }
}

function weightedSum(weights: readonly number[], values: readonly number[]): number {
  let sum = weights[values.length] ?? 0
  for (let i = 0; i < values.length; i++) sum += (weights[i] ?? 0) * (values[i] ?? 0)
  return sum
}

/** Returns the outputs of the hidden neurons, and the probability of each species (softmax). */
function ask({ hidden, output }: Network, features: readonly number[]): { active: number[]; likely: number[] } {
  const active = hidden.map(weights => Math.max(0, weightedSum(weights, features)))
  const sums = output.map(weights => weightedSum(weights, active))
  const most = Math.max(...sums)
  const powers = sums.map(sum => Math.exp(sum - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return { active, likely: powers.map(power => power / total) }
}

function adjust(weights: number[], values: readonly number[], error: number, { rate, decay }: Settings): void {
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i] ?? 0
    weights[i] = weight - rate * (error * (values[i] ?? 0) + decay * weight)
  }
  weights[values.length] = (weights[values.length] ?? 0) - rate * error
}

/** Does one step of gradient descent (backpropagation). */
function learn(network: Network, { features, species }: Flower, settings: Settings): void {
  const { active, likely } = ask(network, features)
  const errors = likely.map((each, k) => each - (k === species ? 1 : 0))
  const back = active.map((each, j) =>
    each === 0 ? 0 : errors.reduce((sum, error, k) => sum + error * (network.output[k]?.[j] ?? 0), 0)
  )
  for (const [k, weights] of network.output.entries()) adjust(weights, active, errors[k] ?? 0, settings)
  for (const [j, weights] of network.hidden.entries()) adjust(weights, features, back[j] ?? 0, settings)
}

/** Compares candidates so that the best candidates come first: by accuracy, then by loss, then by number. */
function betterFirst(a: Judged, b: Judged): number {
  return b.accuracy - a.accuracy || a.loss - b.loss || a.candidate - b.candidate
}

export default defineTask({
  name: 'hyper-parameter-search',

  // Each chunk contains all flowers, which have some kilobytes. For a large table, each chunk would name a file that all peers have.
  *split(input: Input) {
    const isText = typeof input === 'string' || input instanceof Uint8Array
    const { table, candidates = CANDIDATES } = isText
      ? { table: typeof input === 'string' ? input : new TextDecoder().decode(input) }
      : (input ?? { table: '' })
    if (!Number.isInteger(candidates) || candidates < 1 || candidates > MOST_CANDIDATES)
      throw new RangeError(`candidates must be a whole number from 1 to ${MOST_CANDIDATES}`)
    const flowers = flowersOf(table)
    for (let candidate = 0; candidate < candidates; candidate++) yield { candidate, flowers }
  },

  run({ candidate, flowers }): Judged {
    const settings = settingsOf(candidate)
    const species = 1 + Math.max(...flowers.map(flower => flower.species))
    let right = 0
    let loss = 0
    for (let fold = 0; fold < FOLDS; fold++) {
      const random = randomFrom(candidate * FOLDS + fold)
      const network = newNetwork(flowers[0]?.features.length ?? 0, settings.hidden, species, random)
      // A fold classifies every fifth flower, so that the fold has all species.
      const learnt = flowers.filter((_, i) => i % FOLDS !== fold)
      for (let epoch = 0; epoch < settings.epochs; epoch++) {
        for (let step = 0; step < learnt.length; step++) {
          const flower = learnt[Math.floor(random() * learnt.length)]
          if (flower !== undefined) learn(network, flower, settings)
        }
      }
      for (const flower of flowers.filter((_, i) => i % FOLDS === fold)) {
        const { likely } = ask(network, flower.features)
        if (likely.indexOf(Math.max(...likely)) === flower.species) right += 1
        loss -= Math.log(Math.max(likely[flower.species] ?? 0, Number.MIN_VALUE))
      }
    }
    return { candidate, ...settings, accuracy: right / flowers.length, loss: loss / flowers.length }
  },

  initial: (): { candidates: number; best: Judged[] } => ({ candidates: 0, best: [] }),

  // Keeps only the best candidates, so that a search among many thousands of candidates takes no more memory.
  reduce: ({ candidates, best }, judged) => ({
    candidates: candidates + 1,
    best: [...best, judged].sort(betterFirst).slice(0, BEST)
  }),

  finish(result) {
    console.log('accuracy  loss    hidden  rate    decay     epochs')
    for (const { accuracy, loss, hidden, rate, decay, epochs } of result.best) {
      const cells = [`${(100 * accuracy).toFixed(1)} %`, loss.toFixed(4), hidden, rate, decay, epochs]
      const widths = [8, 6, 6, 6, 8, 6]
      console.log(
        cells
          .map((cell, i) => String(cell).padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()
      )
    }
    return result
  }
})
