/** A histogram: the number of values in each bucket. */
export interface Histogram {
  /** The largest value of each bucket except the last bucket, in ascending order. */
  readonly bounds: readonly number[]
  /** The number of values in each bucket. There is one more bucket than `bounds`, because the last bucket is for larger values. */
  readonly counts: readonly number[]
  /** The sum of all values. */
  readonly sum: number
}

/** Counts values in fixed buckets, so that the memory does not grow with the number of values. */
export class HistogramRecorder {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** @param bounds - the largest value of each bucket except the last bucket, in ascending order */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  record(value: number): void {
    let bucket = 0
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket += 1
    this.#counts[bucket]! += 1
    this.#sum += value
  }

  /** Adds the counts of another histogram with the same bounds. */
  add({ counts, sum }: Pick<Histogram, 'counts' | 'sum'>): void {
    for (const [bucket, count] of counts.entries()) this.#counts[bucket]! += count
    this.#sum += sum
  }

  /** Returns a snapshot of the histogram. Later values do not change the snapshot. */
  read(): Histogram {
    return { bounds: this.#bounds, counts: [...this.#counts], sum: this.#sum }
  }
}
