import type { PeerIdString } from '../../network/types.ts'
import { majority } from './lease.ts'
import type { Promised } from './voter.ts'

export interface PromiseAnswer {
  /** The number of the query. */
  sequence: number
  /** The newest promise of the answering voter. Undefined if it gave none. */
  promised: Promised | undefined
  /** Whether the answering voter has lost promises itself. */
  isIncomplete: boolean
}

interface LostPromisesInit {
  self: PeerIdString
  voters: readonly PeerIdString[]
  /** The time from which no promise of an earlier run holds any more, by the monotonic clock. */
  from: number
  /** The number of the first query. It differs from run to run, so that old answers do not count. */
  sequence: number
}

/**
 * Finds what a voter must not contradict that has lost promises. An epoch that a majority granted, this voter among them, is still known to one of any
 * majority of the other voters. They are asked when the lost promises hold no longer: then no majority needs them any more.
 */
export class LostPromises {
  readonly #init: LostPromisesInit
  #sequence: number
  #askedAt: number | undefined
  /** The newest promise of each voter that has lost nothing. */
  readonly #answers = new Map<PeerIdString, Promised | undefined>()
  /** The voters that have answered that they have lost promises themselves. */
  readonly #incomplete = new Set<PeerIdString>()

  constructor(init: LostPromisesInit) {
    this.#init = init
    this.#sequence = init.sequence
  }

  /** The voters that have answered, but do not count. */
  get incomplete(): PeerIdString[] {
    return [...this.#incomplete].sort()
  }

  /** The number of answers that are missing. */
  get missing(): number {
    return majority(this.#init.voters.length) - this.#answers.size
  }

  get wasAsked(): boolean {
    return this.#askedAt !== undefined
  }

  /** Returns how long to wait until the voters are asked again, in ms. 0: now. */
  wait(pause: number, now: number): number {
    const due = this.#askedAt === undefined ? this.#init.from : this.#askedAt + pause
    return Math.max(0, due - now)
  }

  /** Returns the number of the next query, and the voters that are asked. */
  ask(now: number): { sequence: number; to: PeerIdString[] } {
    this.#askedAt = now
    this.#sequence += 1
    const { self, voters } = this.#init
    return { sequence: this.#sequence, to: voters.filter(id => id !== self && !this.#answers.has(id)) }
  }

  /** Handles an answer. Returns whether enough voters have answered. */
  answered(from: PeerIdString, { sequence, promised, isIncomplete }: PromiseAnswer): boolean {
    const { self, voters } = this.#init
    if (sequence !== this.#sequence || from === self || !voters.includes(from)) return false
    if (isIncomplete) this.#incomplete.add(from)
    else {
      this.#incomplete.delete(from)
      this.#answers.set(from, promised)
    }
    return this.missing <= 0
  }

  /** The newest promise of all answers. */
  get newest(): Promised | undefined {
    const all = [...this.#answers.values()].filter(promised => promised !== undefined)
    return all.sort((a, b) => b.epoch - a.epoch)[0]
  }
}
