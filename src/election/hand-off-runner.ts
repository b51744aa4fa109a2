import type { Logger } from '../common/logger.ts'
import type { PeerIdString } from '../network/types.ts'
import type { HandOff } from './types.ts'

/** Runs the registered hand-offs of a leader at the same time, before the leadership moves to another peer. */
export class HandOffRunner {
  readonly #logger: Logger | undefined
  readonly #all = new Set<{ handOff: HandOff; takes: () => number }>()
  #running: AbortController | undefined

  constructor(logger: Logger | undefined) {
    this.#logger = logger
  }

  /** Adds a hand-off. Returns a function that removes it. */
  add(handOff: HandOff, takes: () => number): () => void {
    const added = { handOff, takes }
    this.#all.add(added)
    return () => this.#all.delete(added)
  }

  /** The extra time that the registered hand-offs may take at present, in ms. */
  get extraTime(): number {
    return Math.max(0, ...[...this.#all].map(({ takes }) => this.#extraOf(takes)))
  }

  #extraOf(takes: () => number): number {
    try {
      const extra = takes()
      return Number.isFinite(extra) ? extra : 0
    } catch (error) {
      this.#logger?.warn({ error }, 'a hand-off did not say how long it takes')
      return 0
    }
  }

  /** Whether the hand-offs have started and were not cancelled. */
  get isDone(): boolean {
    return this.#running !== undefined && !this.#running.signal.aborted
  }

  /** Resolves with true if all hand-offs succeeded, with false if one failed, and with undefined if the hand-offs were cancelled. */
  async run(to: PeerIdString): Promise<boolean | undefined> {
    const controller = new AbortController()
    this.#running = controller
    // Waits for all hand-offs, even when one fails: no other peer may lead while a hand-off of this leader still runs.
    const outcomes = await Promise.allSettled(
      [...this.#all].map(async ({ handOff }) => await handOff(to, controller.signal))
    )
    const failed = outcomes.filter(outcome => outcome.status === 'rejected')
    for (const { reason } of failed) this.#logger?.warn({ peerId: to, error: reason }, 'a hand-off failed')
    if (controller.signal.aborted) return undefined
    if (failed.length > 0) controller.abort(new Error('the hand-off failed'))
    return failed.length === 0
  }

  cancel(reason: Error): void {
    this.#running?.abort(reason)
  }

  /** Forgets the hand-off of an earlier leadership, because this peer leads again. */
  forget(): void {
    this.#running = undefined
  }
}
