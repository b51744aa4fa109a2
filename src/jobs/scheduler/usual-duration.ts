/** A chunk is slow only when it has taken this many times the usual duration … */
const TIMES_USUAL = 3
/** … and is this many standard deviations above it. */
const SPREADS_ABOVE = 4

/** How long the chunks of one job usually take, wherever they run, in ms of thread time. */
export class UsualDuration {
  #measured = 0
  #mean = 0
  /** Sum of the squared distances from the mean (Welford's method). */
  #squares = 0

  /** Chunks that were measured. */
  get measured(): number {
    return this.#measured
  }

  /** 0 before the first measurement. */
  get mean(): number {
    return this.#mean
  }

  /** Takes in chunks that took `busyMs` together. Within one message they count as equally long: tiny ones are measured together. */
  measure(chunks: number, busyMs: number): void {
    if (chunks === 0) return
    this.#measured += chunks
    const distance = busyMs / chunks - this.#mean
    this.#mean += (distance * chunks) / this.#measured
    this.#squares += chunks * distance * (busyMs / chunks - this.#mean)
  }

  /**
   * From what duration on a chunk is clearly slower than usual.
   *
   * @param least - the least that it may be: below it, threads that start and messages that travel look like slow chunks
   */
  slowFrom(least: number): number {
    const spread = this.#measured === 0 ? 0 : Math.sqrt(this.#squares / this.#measured)
    return Math.max(least, TIMES_USUAL * this.#mean, this.#mean + SPREADS_ABOVE * spread)
  }
}
