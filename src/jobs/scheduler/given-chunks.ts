import type { PeerIdString } from '../../network/types.ts'

/** Runs of neighbouring chunks that are remembered of each worker before those that are folded are forgotten. */
const MOST_RUNS = 4_096

interface Run {
  first: number
  end: number
}

interface Runs {
  list: Run[]
  /** With more of them it is looked which can be forgotten. */
  most: number
}

/**
 * Which chunks of a job each worker has ever had from this leader. What becomes of them (folded, given to another, cancelled) changes nothing: an
 * honest outcome may be late, one of a chunk that its worker never had cannot be honest.
 */
export class GivenChunks {
  readonly #runs = new Map<PeerIdString, Runs>()
  /** Of chunks before it nothing is known any more. */
  #forgotten = 0

  /** @param folded - chunks before it need not be remembered where there are too many */
  add(worker: PeerIdString, indices: readonly number[], folded: number): void {
    const runs = this.#runs.get(worker) ?? { list: [], most: MOST_RUNS }
    this.#runs.set(worker, runs)
    let last = runs.list.at(-1)
    for (const index of indices) {
      if (last?.end === index) last.end += 1
      else {
        last = { first: index, end: index + 1 }
        runs.list.push(last)
      }
    }
    if (runs.list.length > runs.most) this.#forget(runs, folded)
  }

  /** Whether a worker may have had a chunk. */
  mayHaveHad(worker: PeerIdString, index: number): boolean {
    if (index < this.#forgotten) return true
    return this.#runs.get(worker)?.list.some(({ first, end }) => index >= first && index < end) === true
  }

  #forget(runs: Runs, folded: number): void {
    this.#forgotten = Math.max(this.#forgotten, folded)
    // Chunks may be given again and again.
    runs.list = merge(runs.list.filter(({ end }) => end > this.#forgotten))
    runs.most = Math.max(MOST_RUNS, 2 * runs.list.length)
  }
}

function merge(runs: readonly Run[]): Run[] {
  const merged: Run[] = []
  for (const run of runs.toSorted((a, b) => a.first - b.first)) {
    const last = merged.at(-1)
    if (last !== undefined && run.first <= last.end) last.end = Math.max(last.end, run.end)
    else merged.push({ ...run })
  }
  return merged
}
