/** The truth of a simulated world, to which views are compared: what its members said, and which member was disturbed when. */
import type { Accusation, MemberRecord, SelfRecord } from '../../src/membership/core/record.ts'

/** An invariant, as a sentence, and what broke it. */
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
  /** The begin and end of the latest uninterrupted time with a disturbance. */
  lastBegin: number
  lastEnd: number
}

/** Stands for all members at once, for example when messages are lost. */
const EVERYBODY = '*'

export class Truth {
  readonly #now: () => number
  /** The highest incarnation that a member ever had, over all its lives. */
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
    // A member could not answer before it started.
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

  /** Whether this incarnation belongs to the member's present life: accusations of an earlier life may well be true. */
  isPresent(id: string, incarnation: number): boolean {
    return incarnation > (this.#reachedBefore.get(id) ?? -1)
  }

  /** Whether a member ever said this about itself. */
  everSaid(id: string, state: SelfRecord['state'], incarnation: number, revision: number, slots: number): boolean {
    return this.#said.get(id)?.has(keyOf(state, incarnation, revision, slots)) === true
  }

  refusals(target: string, incarnation: number): ReadonlySet<string> {
    return this.#refusals.get(against({ target, incarnation })) ?? new Set()
  }

  /** From now on, until `end` and up to `trailing` ms longer, something keeps a member (or everybody) from answering in time. */
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

  /** The time from which the observer's evidence may come. Messages that it missed while it was disturbed may reach it later. */
  evidenceSince(observer: string, since: number): number {
    const disturbances = this.#disturbances.get(observer)
    if (disturbances === undefined || (disturbances.underWay === 0 && disturbances.lastEnd < since)) return since
    return Math.min(since, disturbances.lastBegin)
  }

  /** Whether nothing has kept this member from answering in time since then. */
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

/** Names one incarnation of a member. */
export function against({ target, incarnation }: Pick<Accusation, 'target' | 'incarnation'>): string {
  return `${target} @${incarnation}`
}
