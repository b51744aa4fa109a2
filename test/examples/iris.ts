/** Reads the irises, and runs k-means and SGD on the irises as plain loops without a cluster. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const csv = readFileSync(fileURLToPath(new URL('../../examples/data/iris.csv', import.meta.url)), 'utf8')

const lines = csv.trim().split('\n').slice(1)
export const species = lines.map(line => line.split(',')[4]!)
export const rows = lines.map(line => line.split(',').slice(0, 4).map(Number))

/** Runs 50 rounds of k-means with 3 groups. Like the shards, this loop sums 10 rows at a time and then adds these sums. */
export function kMeansInOneLoop() {
  let centres = [rows[0]!, rows[50]!, rows[100]!]
  let sizes: number[] = []
  let inertia = 0
  for (let round = 0; round < 50; round++) {
    const counts = [0, 0, 0]
    const sums = [0, 1, 2].map(() => [0, 0, 0, 0])
    inertia = 0
    for (let from = 0; from < rows.length; from += 10) {
      const partSums = [0, 1, 2].map(() => [0, 0, 0, 0])
      let partInertia = 0
      for (const row of rows.slice(from, from + 10)) {
        let nearest = 0
        let least = Number.POSITIVE_INFINITY
        for (const [group, centre] of centres.entries()) {
          let distance = 0
          for (let i = 0; i < 4; i++) distance += (row[i]! - centre[i]!) ** 2
          if (distance >= least) continue
          least = distance
          nearest = group
        }
        partInertia += least
        counts[nearest]! += 1
        for (let i = 0; i < 4; i++) partSums[nearest]![i]! += row[i]!
      }
      inertia += partInertia
      for (const [group, part] of partSums.entries()) for (let i = 0; i < 4; i++) sums[group]![i]! += part[i]!
    }
    centres = sums.map((sum, group) => sum.map(value => value / counts[group]!))
    sizes = counts
  }
  return { rounds: 50, centres, sizes, inertia }
}

/** Runs 50 rounds of local SGD with 5 shards. */
export function sgdInOneLoop() {
  const names = ['setosa', 'versicolor', 'virginica']
  const means = [0, 1, 2, 3].map(i => rows.reduce((sum, row) => sum + row[i]!, 0) / 150)
  const variances = means.map((mean, i) => rows.reduce((sum, row) => sum + (row[i]! - mean) ** 2, 0) / 150)
  const features = rows.map(row => [...row.map((value, i) => (value - means[i]!) / Math.sqrt(variances[i]!)), 1])
  const likelihoods = (weights: number[][], x: number[]): number[] => {
    const powers = weights.map(row => row.reduce((sum, weight, i) => sum + weight * x[i]!, 0))
    const most = Math.max(...powers)
    const scaled = powers.map(power => Math.exp(power - most))
    const total = scaled[0]! + scaled[1]! + scaled[2]!
    return scaled.map(power => power / total)
  }
  let weights = names.map(() => [0, 0, 0, 0, 0])
  let right = 0
  for (let round = 0; round < 50; round++) {
    const before = weights
    right = rows.filter((_, i) => {
      const likely = likelihoods(before, features[i]!)
      return names[likely.indexOf(Math.max(...likely))] === species[i]
    }).length
    const sums = names.map(() => [0, 0, 0, 0, 0])
    for (let shard = 0; shard < 5; shard++) {
      const own = before.map(row => [...row])
      const order = Array.from({ length: 30 }, (_, i) => i)
      let random = round * 40 + shard
      for (let last = 29; last > 0; last--) {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
        const other = random % (last + 1)
        ;[order[last], order[other]] = [order[other]!, order[last]!]
      }
      for (const position of order) {
        const i = position * 5 + shard
        const likely = likelihoods(own, features[i]!)
        for (const [k, row] of own.entries()) {
          const error = likely[k]! - (names[k] === species[i] ? 1 : 0)
          for (let j = 0; j < 5; j++) row[j]! -= (0.2 / (1 + round / 10)) * error * features[i]![j]!
        }
      }
      for (const [k, row] of own.entries()) for (let j = 0; j < 5; j++) sums[k]![j]! += row[j]!
    }
    weights = sums.map(row => row.map(sum => sum / 5))
  }
  return { rounds: 50, accuracy: right / 150, weights }
}
