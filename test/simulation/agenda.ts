/** The future events of a simulated world: a binary heap ordered by time and then by scheduling. */

interface Scheduled {
  at: number
  order: number
  run: () => void
}

export class Agenda {
  now = 0
  #order = 0
  readonly #queue: Scheduled[] = []

  /** Schedules `run` in `delay` ms. Events of equal times run in the order of their scheduling, so that a seed always replays exactly. */
  at(delay: number, run: () => void): void {
    const item = { at: this.now + Math.max(0, delay), order: this.#order++, run }
    const queue = this.#queue
    let i = queue.push(item) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!before(item, queue[parent]!)) break
      queue[i] = queue[parent]!
      i = parent
    }
    queue[i] = item
  }

  /** Removes the next event that is due by `end`, and advances the clock to its time. */
  next(end: number): (() => void) | undefined {
    const next = this.#queue[0]
    if (next === undefined || next.at > end) return undefined
    this.#pop()
    this.now = Math.max(this.now, next.at)
    return next.run
  }

  #pop(): void {
    const queue = this.#queue
    const last = queue.pop()
    if (last === undefined || queue.length === 0) return
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= queue.length) break
      if (child + 1 < queue.length && before(queue[child + 1]!, queue[child]!)) child += 1
      if (!before(queue[child]!, last)) break
      queue[i] = queue[child]!
      i = child
    }
    queue[i] = last
  }
}

function before(a: Scheduled, b: Scheduled): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
