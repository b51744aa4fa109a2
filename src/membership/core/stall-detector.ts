/**
 * Notices that this process was paused or starved: timers that should have fired long ago have not. A message that the process missed meanwhile
 * proves nothing about its sender (Lifeguard: a peer doubts itself first).
 */
export class StallDetector {
  readonly #tolerance: number
  readonly #due = new Map<string, number>()
  /** The time at which the last stall was noticed. */
  lastAt = Number.NEGATIVE_INFINITY

  constructor(tolerance: number) {
    this.#tolerance = tolerance
  }

  /** Records the due time of a started timer; undefined: the timer was stopped. */
  set(name: string, due: number | undefined): void {
    if (due === undefined) this.#due.delete(name)
    else this.#due.set(name, due)
  }

  /**
   * The time (ms) that this process lost up to now; 0 within the tolerance. Each stall is reported once. Delays within the tolerance add up while
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
