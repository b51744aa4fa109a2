/** How often values fell where. */
export interface Histogram {
  /** The largest value of each bucket but the last, ascending. */
  readonly bounds: readonly number[]
  /** How many values fell into each bucket: one more than `bounds`, the last for those above them all. */
  readonly counts: readonly number[]
  /** Of all values. */
  readonly sum: number
}

/** Counts values by fixed bounds: what it takes does not grow with how many there are. */
export class HistogramRecorder {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  /** @param bounds - the largest value of each bucket but the last, ascending */
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

  /** Adds what was counted elsewhere by the same bounds. */
  add({ counts, sum }: Pick<Histogram, 'counts' | 'sum'>): void {
    for (const [bucket, count] of counts.entries()) this.#counts[bucket]! += count
    this.#sum += sum
  }

  /** As it is now; what is recorded later does not change it. */
  read(): Histogram {
    return { bounds: this.#bounds, counts: [...this.#counts], sum: this.#sum }
  }
}
