/**
 * Detects that this process was paused or starved, by timers that are overdue. A message that the process missed during the pause
 * proves nothing about the member that should have sent the message (Lifeguard).
 */
export class StallDetector {
  readonly #tolerance: number
  readonly #due = new Map<string, number>()
  /** The time at which the last stall was detected. */
  lastAt = Number.NEGATIVE_INFINITY

  constructor(tolerance: number) {
    this.#tolerance = tolerance
  }

  /** Records the due time of a started timer. `due` is undefined if the timer was stopped. */
  set(name: string, due: number | undefined): void {
    if (due === undefined) this.#due.delete(name)
    else this.#due.set(name, due)
  }

  /**
   * Returns the time (ms) that this process has lost since the last report, or 0 within the tolerance. Delays within the tolerance add up while
   * a timer waits behind other events.
   */
  lost(now: number): number {
    let lost = 0
    for (const due of this.#due.values()) lost = Math.max(lost, now - due)
    if (lost <= this.#tolerance) return 0
    this.lastAt = now
    for (const [name, due] of this.#due) if (now > due) this.#due.set(name, now)
    return lost
  }
}
