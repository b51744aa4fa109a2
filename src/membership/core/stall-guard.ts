/**
 * Notices that this process was paused or starved: timers that should have fired long ago have not. What it missed
 * meanwhile proves nothing about others (Lifeguard's point: doubt yourself first).
 */
export class StallGuard {
  readonly #tolerance: number
  readonly #due = new Map<string, number>()

  constructor(tolerance: number) {
    this.#tolerance = tolerance
  }

  /** A timer was started (its due time) or stopped (undefined). */
  set(name: string, due: number | undefined): void {
    if (due === undefined) this.#due.delete(name)
    else this.#due.set(name, due)
  }

  /**
   * How many ms of this process's time were lost up to now; 0 within the tolerance. Reported once per stall. What is tolerated
   * is not forgotten: a timer that waits while one event after the other takes its time is late all the same.
   */
  lost(now: number): number {
    let lost = 0
    for (const due of this.#due.values()) lost = Math.max(lost, now - due)
    if (lost <= this.#tolerance) return 0
    for (const [name, due] of this.#due) if (now > due) this.#due.set(name, now)
    return lost
  }
}
