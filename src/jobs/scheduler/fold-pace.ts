/** How long (ms) one fold is to take about: a checkpoint, and with it a hand-over, waits for the fold that is under way. */
const FOLD_MS = 50
/** Until it is known how long folding takes. */
const FIRST_FOLD = 256

/** How many partials of one job go into one fold, by how long those before took. */
export class FoldPace {
  #most = FIRST_FOLD
  #count = 0
  #startedAt = 0

  /** The most for the next fold. */
  get most(): number {
    return this.#most
  }

  started(count: number, now: number): void {
    this.#count = count
    this.#startedAt = now
  }

  ended(now: number): void {
    const took = now - this.#startedAt
    // Of what took less, most may have been the way to the thread and back.
    if (took > FOLD_MS) this.#most = Math.max(1, Math.floor((this.#count * FOLD_MS) / took))
    else if (this.#count >= this.#most && took < FOLD_MS / 2) this.#most *= 2
  }
}
