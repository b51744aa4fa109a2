/** The hyper-parameter search as one plain loop, without a cluster. */
import { rows, species } from './iris.ts'

function mulberry32(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Returns the best five networks of four inputs and three outputs, by five-fold cross-validation. Each fold is every fifth flower. */
export function searchInOneLoop(candidates: number) {
  const means = [0, 1, 2, 3].map(i => rows.reduce((sum, row) => sum + row[i]!, 0) / 150)
  const variances = means.map((mean, i) => rows.reduce((sum, row) => sum + (row[i]! - mean) ** 2, 0) / 150)
  const xs = rows.map(row => row.map((value, i) => (value - means[i]!) / Math.sqrt(variances[i]!)))
  const ys = species.map(name => ['setosa', 'versicolor', 'virginica'].indexOf(name))
  const all = []
  for (let candidate = 0; candidate < candidates; candidate++) {
    const draw = mulberry32(candidate + 1)
    const hidden = 2 + Math.floor(draw() * 11)
    const rate = Number((10 ** (-3 + draw() * 2.5)).toPrecision(2))
    const decay = Number((10 ** (-6 + draw() * 4)).toPrecision(2))
    const epochs = 5 + 5 * Math.floor(draw() * 8)
    let right = 0
    let loss = 0
    for (let fold = 0; fold < 5; fold++) {
      const random = mulberry32(candidate * 5 + fold)
      const inner = Array.from({ length: hidden }, () => Array.from({ length: 5 }, () => random() - 0.5))
      const outer = Array.from({ length: 3 }, () => Array.from({ length: hidden + 1 }, () => random() - 0.5))
      const active = new Array<number>(hidden).fill(0)
      const likely = [0, 0, 0]
      const forward = (x: number[]): void => {
        for (const [j, weights] of inner.entries()) {
          let sum = weights[4]!
          for (let i = 0; i < 4; i++) sum += weights[i]! * x[i]!
          active[j] = Math.max(0, sum)
        }
        const sums = [0, 0, 0]
        for (const [k, weights] of outer.entries()) {
          let sum = weights[hidden]!
          for (let j = 0; j < hidden; j++) sum += weights[j]! * active[j]!
          sums[k] = sum
        }
        const most = Math.max(...sums)
        const powers = sums.map(sum => Math.exp(sum - most))
        for (let k = 0; k < 3; k++) likely[k] = powers[k]! / (powers[0]! + powers[1]! + powers[2]!)
      }
      const learnt = [...xs.keys()].filter(i => i % 5 !== fold)
      for (let step = 0; step < epochs * learnt.length; step++) {
        const flower = learnt[Math.floor(random() * learnt.length)]!
        const x = xs[flower]!
        forward(x)
        const errors = likely.map((each, k) => each - Number(k === ys[flower]))
        const back = active.map((each, j) => {
          let sum = 0
          for (let k = 0; k < 3; k++) sum += errors[k]! * outer[k]![j]!
          return each > 0 ? sum : 0
        })
        for (let k = 0; k < 3; k++) {
          for (let j = 0; j < hidden; j++) outer[k]![j]! -= rate * (errors[k]! * active[j]! + decay * outer[k]![j]!)
          outer[k]![hidden]! -= rate * errors[k]!
        }
        for (let j = 0; j < hidden; j++) {
          for (let i = 0; i < 4; i++) inner[j]![i]! -= rate * (back[j]! * x[i]! + decay * inner[j]![i]!)
          inner[j]![4]! -= rate * back[j]!
        }
      }
      for (let flower = fold; flower < 150; flower += 5) {
        forward(xs[flower]!)
        if (likely.every((each, k) => k === ys[flower] || each < likely[ys[flower]!]!)) right += 1
        loss -= Math.log(likely[ys[flower]!]!)
      }
    }
    all.push({ candidate, hidden, rate, decay, epochs, accuracy: right / 150, loss: loss / 150 })
  }
  all.sort((a, b) => (a.accuracy === b.accuracy ? a.loss - b.loss : b.accuracy - a.accuracy))
  return { candidates, best: all.slice(0, 5) }
}
