/** The number of runs above which a set forgets runs of low indices. */
const MOST_RUNS = 4_096

interface Run {
  first: number
  end: number
}

/**
 * A set of indices, stored as runs of consecutive indices. If there are too many runs, the set forgets the runs below a given
 * index, and then claims to contain all indices below it.
 */
export class IndexRuns {
  #runs: Run[] = []
  /** The number of runs above which the set forgets runs. */
  #most = MOST_RUNS
  #forgotten = 0

  /** @param settled - the set may forget indices below `settled` */
  add(index: number, settled: number): void {
    const last = this.#runs.at(-1)
    if (last?.end === index) last.end += 1
    else if (this.#runs.push({ first: index, end: index + 1 }) > this.#most) this.#forget(settled)
  }

  /** Whether the index was added, or was forgotten. */
  mayHave(index: number): boolean {
    return index < this.#forgotten || this.#runs.some(({ first, end }) => index >= first && index < end)
  }

  #forget(settled: number): void {
    this.#forgotten = Math.max(this.#forgotten, settled)
    const merged: Run[] = []
    // Merge runs here: the same index may have been added many times.
    for (const run of this.#runs.filter(({ end }) => end > settled).sort((a, b) => a.first - b.first)) {
      const last = merged.at(-1)
      if (last !== undefined && run.first <= last.end) last.end = Math.max(last.end, run.end)
      else merged.push(run)
    }
    this.#runs = merged
    this.#most = Math.max(MOST_RUNS, 2 * merged.length)
  }
}
