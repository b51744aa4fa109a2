/** What runs as soon as a condition holds. */
export interface Waiting {
  isDue: () => boolean
  run: () => void
  /** Ends the wait when it aborts. */
  signal?: AbortSignal | undefined
}

export class Waits {
  #waiting: Waiting[] = []

  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
  }

  delete(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter(each => each !== waiting)
  }

  clear(): void {
    this.#waiting = []
  }

  runDue(): void {
    const due = new Set(this.#waiting.filter(({ isDue, signal }) => signal?.aborted === true || isDue()))
    if (due.size === 0) return
    this.#waiting = this.#waiting.filter(each => !due.has(each))
    for (const { run, signal } of due) if (signal?.aborted !== true) run()
  }
}
