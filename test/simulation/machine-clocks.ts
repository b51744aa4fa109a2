/** The clocks of a simulated machine: they drift, stand still while the machine is suspended, and are corrected. */
import { LeaseClock } from '../../src/election/lease-clock.ts'
import type { World } from './world.ts'

/** The resolutions of the uptime on different systems, in ms. */
const UPTIME_STEPS = [10, 1_000] as const

export class MachineClocks {
  readonly #world: World
  readonly #rate: number
  readonly #offset: number
  readonly #uptimeStep: number
  /** The suspends of the machine, during which its monotonic clock stops. */
  readonly #suspends: [from: number, until: number][] = []
  /** The sum of all corrections of the wall clock, in ms, and the time of the last correction. */
  #corrected = 0
  #correctedAt = 0

  /** `drift`: how much the clocks may run fast or slow at most, e.g. 0.01. */
  constructor(world: World, drift: number) {
    const { random } = world
    this.#world = world
    this.#rate = 1 + (random() * 2 - 1) * drift
    this.#offset = random() * 1e6
    this.#uptimeStep = UPTIME_STEPS[random() < 0.7 ? 0 : 1]
  }

  /** Returns the clock of a process that starts on the machine. */
  leaseClock(): LeaseClock {
    const now = (): number => this.#world.now()
    const suspended = (): number =>
      this.#suspends.reduce((sum, [from, until]) => sum + Math.max(0, Math.min(now(), until) - from), 0)
    return new LeaseClock({
      monotonic: () => this.#offset + (now() - suspended()) * this.#rate,
      uptime: () => Math.floor((this.#offset + now() * this.#rate) / this.#uptimeStep) * this.#uptimeStep,
      wall: () => this.#offset + now() * this.#rate + this.#corrected
    })
  }

  /** Stops the monotonic clock for `ms`. */
  suspend(ms: number): void {
    const now = this.#world.now()
    // Suspending a machine that is already suspended prolongs the first suspend.
    const from = Math.max(now, this.#suspends.at(-1)?.[1] ?? 0)
    if (now + ms > from) this.#suspends.push([from, now + ms])
  }

  /** Ends the suspend, because a process starts on the machine. */
  wake(): void {
    const last = this.#suspends.at(-1)
    if (last !== undefined) last[1] = Math.min(last[1], Math.max(last[0], this.#world.now()))
  }

  /** Sets the wall clock forward, or back with a negative `ms`. */
  correct(ms: number): void {
    this.#corrected += ms
    this.#correctedAt = this.#world.now()
  }

  /** Whether the clocks explain why a process on this machine reacted late in the last `ms`. */
  wereDisturbed(ms: number): boolean {
    // With a coarse uptime, a process counts a short suspend a second time, long after the wall clock showed the suspend. That is safe.
    if (this.#uptimeStep > UPTIME_STEPS[0] && this.#suspends.length > 0) return true
    return this.#correctedAt + ms >= this.#world.now()
  }
}
