/** What really happened in a simulated world: what its members said, and who was disturbed when. Views are compared to it. */
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
  /** Of the latest uninterrupted time with a disturbance. */
  lastBegin: number
  lastEnd: number
}

/** Stands for all at once, e.g. when messages are lost. */
const EVERYBODY = '*'

export class Truth {
  readonly #now: () => number
  /** The highest incarnation that a member ever had, over all its lives. */
  readonly #reached = new Map<string, number>()
  /** The same, over all its lives but the present one. */
  readonly #reachedBefore = new Map<string, number>()
  readonly #said = new Map<string, Set<string>>()
  /** Who signed that an incarnation of a member refused. */
  readonly #refusals = new Map<string, Set<string>>()
  readonly #disturbances = new Map<string, Disturbances>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** A member starts, or starts again. */
  begins(id: string): void {
    this.#reachedBefore.set(id, this.reached(id))
    // Before it was there it could not answer.
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

  /** Whether this incarnation is of the member's present life: what is said of earlier ones may well be true. */
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

  /** From now on, something keeps a member (or everybody) from answering in time, until `end`; `trailing` ms longer at most. */
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

  /** Since when the observer saw what it acts on: what it missed while it was away may reach it later, so from before that. */
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
