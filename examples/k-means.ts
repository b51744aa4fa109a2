// npx p2p-worker run examples/k-means.ts --input-file examples/data/iris.csv
//
// Finds groups among irises by their measurements, without using the species: k-means (Lloyd's algorithm). The task is an iteration. In each round
// the workers get the centres. For each centre, a worker counts and sums the flowers of its shard that are nearest to this centre. The means are
// the centres of the next round. The flowers stay at the workers.

import { defineTask } from 'p2p-worker'

const GROUPS = 3
const ROUNDS = 50

/** The most shards, and the fewest rows of a shard. The shards must not depend on the cluster, because sums would be rounded differently. */
const MOST_SHARDS = 60
const LEAST_SHARD_ROWS = 10

/** Reads the measurements from a table. The first line of the table contains the headings, and the last column the species. */
function measurementsOf(input: Uint8Array | string): number[][] {
  const text = typeof input === 'string' ? input : new TextDecoder().decode(input)
  const lines = text.trim().split('\n').slice(1)
  return lines.map(line => line.split(',').slice(0, -1).map(Number))
}

function squaredDistance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0)
}

interface Groups {
  /** For each centre, the number of rows nearest to this centre. `sums` contains the column sums of these rows. */
  counts: number[]
  sums: number[][]
  /** The sum of the squared distances of all rows to their nearest centre. */
  inertia: number
}

interface State {
  centres: number[][]
  /** The sizes of the groups. `sizes` and `inertia` belong to the centres of the previous round. */
  sizes: number[]
  inertia: number
}

export default defineTask({
  name: 'k-means',

  *split(input: Uint8Array | string) {
    const rows = measurementsOf(input)
    const shardRows = Math.max(LEAST_SHARD_ROWS, Math.ceil(rows.length / MOST_SHARDS))
    for (let from = 0; from < rows.length; from += shardRows) yield rows.slice(from, from + shardRows)
  },

  // The first centres are rows at equal distances in the table, so that each run is the same.
  start(input): State {
    const rows = measurementsOf(input)
    if (rows.length < GROUPS) throw new RangeError(`${rows.length} rows are too few for ${GROUPS} groups`)
    const centres = Array.from({ length: GROUPS }, (_, group) => rows[Math.floor((group * rows.length) / GROUPS)] ?? [])
    return { centres, sizes: [], inertia: Number.POSITIVE_INFINITY }
  },

  run(rows, { state }): Groups {
    const counts = state.centres.map(() => 0)
    const sums = state.centres.map(centre => centre.map(() => 0))
    let inertia = 0
    for (const row of rows) {
      const distances = state.centres.map(centre => squaredDistance(row, centre))
      const least = Math.min(...distances)
      const nearest = distances.indexOf(least)
      inertia += least
      counts[nearest] = (counts[nearest] ?? 0) + 1
      sums[nearest] = (sums[nearest] ?? []).map((sum, i) => sum + (row[i] ?? 0))
    }
    return { counts, sums, inertia }
  },

  initial: (): Groups => ({ counts: [], sums: [], inertia: 0 }),

  reduce(total, part) {
    return {
      counts: part.counts.map((count, group) => (total.counts[group] ?? 0) + count),
      sums: part.sums.map((sums, group) => sums.map((sum, i) => (total.sums[group]?.[i] ?? 0) + sum)),
      inertia: total.inertia + part.inertia
    }
  },

  // A centre without rows keeps its place.
  next: ({ centres }, { counts, sums, inertia }) => ({
    centres: centres.map((centre, group) => {
      const count = counts[group] ?? 0
      return count === 0 ? centre : (sums[group] ?? []).map(sum => sum / count)
    }),
    sizes: counts,
    inertia
  }),

  until: (_, { round }) => round === ROUNDS,

  finish(state) {
    console.log('rows  centre')
    for (const [group, centre] of state.centres.entries())
      console.log(`${String(state.sizes[group]).padEnd(4)}  ${centre.map(value => value.toFixed(2)).join('  ')}`)
    return { rounds: ROUNDS, ...state }
  }
})
