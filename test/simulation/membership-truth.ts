/** The truth of a simulated world, for comparison with the members' views: what the members said, and when each member was disturbed. */
import type { Accusation, MemberRecord, SelfRecord } from '../../src/membership/core/record.ts'

/** A broken invariant: the invariant as a sentence, and the event that broke the invariant. */
export class Violation extends Error {
  readonly invariant: string

  constructor(invariant: string, what: string) {
    super(what)
    this.name = 'Violation'
    this.invariant = invariant
  }
}

interface Disturbances {
  underWay: number
  /** The begin and the end of the latest uninterrupted disturbance. */
  lastBegin: number
  lastEnd: number
}

/** The key of a disturbance of all members, for example while messages are lost. */
const EVERYBODY = '*'

export class Truth {
  readonly #now: () => number
  /** The highest incarnation of each member, over all its lives. */
  readonly #reached = new Map<string, number>()
  /** The highest incarnation of each member in its earlier lives. */
  readonly #reachedBefore = new Map<string, number>()
  readonly #said = new Map<string, Set<string>>()
  /** The accusers that signed a refusal of an incarnation. */
  readonly #refusals = new Map<string, Set<string>>()
  readonly #disturbances = new Map<string, Disturbances>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Records the start or restart of a member. */
  begins(id: string): void {
    this.#reachedBefore.set(id, this.reached(id))
    // Before its start a member could not answer, so this time counts as a disturbance.
    this.disturb(id).end()
  }

  signed(record: MemberRecord): void {
    if (record.type === 'self') {
      this.#reached.set(record.member, Math.max(this.reached(record.member), record.incarnation))
      const said = this.#said.get(record.member) ?? new Set()
      const { state, incarnation, revision, metadata } = record
      this.#said.set(record.member, said.add(keyOf(state, incarnation, revision, metadata.slots)))
    } else if (record.kind === 'refused') {
      const key = against(record)
      this.#refusals.set(key, (this.#refusals.get(key) ?? new Set()).add(record.accuser))
    }
  }

  reached(id: string): number {
    return this.#reached.get(id) ?? -1
  }

  /** Returns whether this incarnation belongs to the member's current life. Accusations of an earlier life may be true, because that life has ended. */
  isPresent(id: string, incarnation: number): boolean {
    return incarnation > (this.#reachedBefore.get(id) ?? -1)
  }

  /** Returns whether the member ever sent a record with these values about itself. */
  everSaid(id: string, state: SelfRecord['state'], incarnation: number, revision: number, slots: number): boolean {
    return this.#said.get(id)?.has(keyOf(state, incarnation, revision, slots)) === true
  }

  refusals(target: string, incarnation: number): ReadonlySet<string> {
    return this.#refusals.get(against({ target, incarnation })) ?? new Set()
  }

  /** Begins a disturbance, which keeps a member (or all members) from answering in time. It lasts until `end` is called, plus `trailing` ms. */
  disturb(id: string = EVERYBODY): { end(trailing?: number): void } {
    const disturbances = this.#disturbances.get(id) ?? { underWay: 0, lastBegin: 0, lastEnd: Number.NEGATIVE_INFINITY }
    this.#disturbances.set(id, disturbances)
    if (disturbances.underWay === 0 && disturbances.lastEnd < this.#now()) disturbances.lastBegin = this.#now()
    disturbances.underWay += 1
    let isOver = false
    return {
      end: (trailing = 0) => {
        if (isOver) return
        isOver = true
        disturbances.underWay -= 1
        disturbances.lastEnd = Math.max(disturbances.lastEnd, this.#now() + trailing)
      }
    }
  }

  /** Returns the earliest time from which the observer's evidence may stem. Messages that the observer missed during a disturbance may arrive later. */
  evidenceSince(observer: string, since: number): number {
    const disturbances = this.#disturbances.get(observer)
    if (disturbances === undefined || (disturbances.underWay === 0 && disturbances.lastEnd < since)) return since
    return Math.min(since, disturbances.lastBegin)
  }

  /** Returns whether no disturbance has kept this member from answering in time since the time `since`. */
  isSteady(id: string, since: number): boolean {
    return [id, EVERYBODY].every(who => {
      const disturbances = this.#disturbances.get(who)
      return disturbances === undefined || (disturbances.underWay === 0 && disturbances.lastEnd < since)
    })
  }
}

function keyOf(state: SelfRecord['state'], incarnation: number, revision: number, slots: number): string {
  return `${state} ${incarnation}.${revision} ${slots}`
}

/** Returns a key for one incarnation of a member. */
export function against({ target, incarnation }: Pick<Accusation, 'target' | 'incarnation'>): string {
  return `${target} @${incarnation}`
}
