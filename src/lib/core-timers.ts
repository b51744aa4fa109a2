import type { TimerEffect, TimerEvent } from './core.ts'

/** Runs the timers that a core asks for. */
export class CoreTimers {
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #onDue: (event: TimerEvent) => void

  constructor(onDue: (event: TimerEvent) => void) {
    this.#onDue = onDue
  }

  set({ name, delay }: TimerEffect): void {
    clearTimeout(this.#timers.get(name))
    if (delay !== undefined)
      this.#timers.set(
        name,
        setTimeout(() => this.#onDue({ type: 'timer', name }), delay)
      )
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }
}
