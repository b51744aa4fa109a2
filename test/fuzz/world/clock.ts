/** Virtual time that passes on request. This clock manages all timers of the fuzzed peers. */
import { enter, ProcessTimers, settled } from '../../simulation/cluster/virtual-time.ts'
import type { Host } from '../../simulation/world.ts'

export class Clock {
  readonly #due = new Map<string, number>()
  readonly #timers: ProcessTimers
  #now = 1_000_000
  /** No timer is due before this time. */
  #next = Number.POSITIVE_INFINITY

  constructor() {
    // ProcessTimers uses only these two methods of a host.
    const host: Pick<Host, 'now' | 'timer'> = {
      now: () => this.#now,
      timer: (name, delay) => {
        if (delay === undefined) {
          this.#due.delete(name)
          return
        }
        this.#due.set(name, this.#now + delay)
        this.#next = Math.min(this.#next, this.#now + delay)
      }
    }
    this.#timers = new ProcessTimers(host as Host)
  }

  get timers(): number {
    return this.#due.size
  }

  /** Calls `run` in the world, and waits until everything that `run` causes has run. */
  async do<T>(run: () => T): Promise<T> {
    enter(this.#timers)
    try {
      return run()
    } finally {
      await settled()
    }
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms
    for (;;) {
      const name = until < this.#next ? undefined : this.#soonest(until)
      if (name === undefined) break
      this.#now = Math.max(this.#now, this.#due.get(name)!)
      this.#due.delete(name)
      await this.do(() => this.#timers.fire(name))
    }
    this.#now = until
  }

  #soonest(until: number): string | undefined {
    let soonest: string | undefined
    let due = Number.POSITIVE_INFINITY
    for (const [name, at] of this.#due) {
      if (at >= due) continue
      soonest = name
      due = at
    }
    this.#next = due
    return due <= until ? soonest : undefined
  }
}
