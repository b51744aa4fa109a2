/** Tasks that are remembered. */
const MOST = 1_000

/** How long (ms) the chunks of tasks took in the last job of each, so that the next one need not begin with a single chunk to see it. */
export class TaskDurations {
  /** Those used last come last. */
  readonly #durations = new Map<string, number>()

  get(task: string): number | undefined {
    return this.#durations.get(task)
  }

  delete(task: string): void {
    this.#durations.delete(task)
  }

  set(task: string, ms: number): void {
    this.#durations.delete(task)
    this.#durations.set(task, ms)
    if (this.#durations.size > MOST) this.#durations.delete(this.#durations.keys().next().value!)
  }
}
