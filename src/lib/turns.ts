/** So many at a time; whoever comes then waits for a turn, in order. */
export class Turns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  /** How many have a turn. */
  get taken(): number {
    return this.#taken
  }

  /** Waits for a turn, which is given back by {@link release}; false when the signal came first. */
  async take(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && this.#taken >= this.#most) {
      await new Promise<void>(resolve => {
        const go = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          this.#waiting.splice(this.#waiting.indexOf(go), 1)
          resolve()
        }
        this.#waiting.push(go)
        signal.addEventListener('abort', leave, { once: true })
      })
    }
    if (signal.aborted) {
      // The turn that came together with the signal is the next one's.
      if (this.#taken < this.#most) this.#waiting.shift()?.()
      return false
    }
    this.#taken++
    return true
  }

  /**
   * Runs `work` in a turn.
   *
   * @param gap - between its end and the next turn, in ms
   * @throws the signal's reason when that comes before the turn; `work` has to look at the signal itself
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, gap = 0): Promise<T> {
    if (!(await this.take(signal))) throw signal.reason
    try {
      return await work()
    } finally {
      setTimeout(() => this.release(), gap).unref()
    }
  }

  release(): void {
    this.#taken--
    this.#waiting.shift()?.()
  }
}
