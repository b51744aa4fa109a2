/** What must hold in every view at any moment, whatever goes wrong in the world. */
import { isLive, type Member } from '../../src/membership/member.ts'
import type { SwimEvent } from '../../src/membership/messages.ts'
import type { Profile } from '../../src/membership/profile.ts'
import type { MemberRecord } from '../../src/membership/record.ts'
import type { SwimObserver, SwimProcess } from './membership.ts'
import { accusationsIn } from './membership-story.ts'
import { against, type Truth, Violation } from './membership-truth.ts'
import type { World } from './world.ts'

/** Rounding of times, in ms. */
const ROUNDING = 1
/** A steady member that is accused because of what happened before it was steady can say so within this, in ms. */
const HEARD_MS = 2_000

interface Suspicion {
  incarnation: number
  /** On the observer's clock, and on the world's. */
  since: number
  worldSince: number
}

/** Looks at all that one life of a process sees, after each event. */
export class ViewCheck implements SwimObserver {
  readonly #world: World
  readonly #truth: Truth
  readonly #process: SwimProcess
  readonly #profile: Profile
  readonly #seen = new Map<string, Member>()
  readonly #suspicions = new Map<string, Suspicion>()
  /** By target and incarnation, who was heard to accuse it, this process included. */
  readonly #accusers = new Map<string, Set<string>>()
  /** Which refusals of its own it has taken back. */
  readonly #cancelled = new Set<string>()

  constructor(world: World, truth: Truth, process: SwimProcess, profile: Profile) {
    this.#world = world
    this.#truth = truth
    this.#process = process
    this.#profile = profile
  }

  event(event: SwimEvent): void {
    for (const accusation of accusationsIn(event)) this.#heard(against(accusation), accusation.accuser)
    if (event.type === 'connected') this.#takeBack(this.#seen.get(event.peer))
  }

  signed(record: MemberRecord): void {
    if (record.type !== 'accusation') return
    const target = against(record)
    this.#heard(target, record.accuser)
    if (record.kind === 'refused') this.#cancelled.delete(target)
  }

  handled(): void {
    const before = this.#seen.size
    let known = 0
    for (const member of this.#process.members()) {
      const seen = this.#seen.get(member.id)
      if (seen !== undefined) known += 1
      if (seen !== member) this.#check(member, seen)
    }
    if (known < before) {
      const gone = [...this.#seen.keys()].filter(id => this.#process.get(id) === undefined)
      throw new Violation('Nobody is forgotten before its retention is over.', `${this.#process.id} forgets ${gone}`)
    }
    if (this.#suspicions.size > 0) this.#checkSuspicionsEnd()
  }

  /** A new connection to a suspect takes back that this process found it refused. */
  #takeBack(member: Member | undefined): void {
    if (member?.state !== 'suspect') return
    const target = against({ target: member.id, incarnation: member.incarnation })
    const self = this.#process.id
    const isRefused = this.#truth.refusals(member.id, member.incarnation).has(self)
    if (isRefused && this.#accusers.get(target)?.has(self) === true) this.#cancelled.add(target)
  }

  #heard(target: string, accuser: string): void {
    this.#accusers.set(target, (this.#accusers.get(target) ?? new Set()).add(accuser))
  }

  #check(member: Member, before: Member | undefined): void {
    this.#seen.set(member.id, member)
    const { id, state, incarnation, revision, slots } = member
    const sees = `${this.#process.id} sees ${id} ${state} @${incarnation}.${revision}`
    if (incarnation > this.#truth.reached(id))
      throw new Violation('Only a member raises its own incarnation.', `${sees}, which it never had`)
    if (!this.#truth.everSaid(id, state === 'left' ? 'left' : 'alive', incarnation, revision, slots))
      throw new Violation('A view shows what a member said itself.', `${sees} with ${slots} slots, which it never said`)
    if (id === this.#process.id && state !== 'alive' && state !== 'left')
      throw new Violation('A process knows that it is alive.', sees)
    this.#checkEvidence(member, sees)
    this.#checkSince(member, before, sees)
    if (before !== undefined) this.#checkStep(member, before, sees)
    if (state === 'dead' && before?.state !== 'dead') this.#checkVerdict(member, sees)
    this.#noteSuspicion(member)
  }

  #checkStep(member: Member, before: Member, sees: string): void {
    if (member.incarnation < before.incarnation)
      throw new Violation('An incarnation never goes back in a view.', `${sees}, after @${before.incarnation}`)
    if (member.incarnation > before.incarnation) return
    if (before.state === 'left' && member.state !== 'left')
      throw new Violation('Left is final within an incarnation.', `${sees}, after it had left`)
    if (before.state === 'dead' && isLive(member))
      throw new Violation('The dead come back by a refutation only.', `${sees}, after it was dead`)
    if (member.revision < before.revision)
      throw new Violation('A revision never goes back in a view.', `${sees}, after .${before.revision}`)
  }

  #checkEvidence(member: Member, sees: string): void {
    if (member.state !== 'suspect' && member.state !== 'dead') return
    if (!this.#accusers.has(against({ target: member.id, incarnation: member.incarnation })))
      throw new Violation(
        'A suspect was accused, in this very incarnation.',
        `${sees}, but heard no accusation of that`
      )
  }

  #checkSince(member: Member, before: Member | undefined, sees: string): void {
    const isKept = before?.state === member.state && before.since === member.since
    if (!isKept && member.since !== this.#process.now)
      throw new Violation(
        'A state counts from when it began.',
        `${sees} since ${member.since}, now is ${this.#process.now}`
      )
  }

  /** A verdict before the time to refute is over needs two who found the member refused, or one with no other witness. */
  #checkVerdict(member: Member, sees: string): void {
    const { id, incarnation } = member
    const suspicion = this.#suspicions.get(id)
    const isSuspected = suspicion?.incarnation === incarnation
    const suspectedFor = isSuspected ? this.#process.now - suspicion.since : 0
    const worldSince = isSuspected ? suspicion.worldSince : this.#world.now()
    const evidenceSince = this.#truth.evidenceSince(this.#process.id, worldSince - HEARD_MS)
    const isThere = this.#world.isUp(id) && this.#truth.isPresent(id, incarnation)
    if (isThere && this.#truth.isSteady(id, evidenceSince))
      throw new Violation('Who was there all the time is held dead by nobody.', `${sees}, which nothing has befallen`)
    if (suspectedFor >= this.#profile.suspicionMin - ROUNDING || this.#isProven(member)) return
    const by = [...this.#truth.refusals(id, incarnation)].join(' and ')
    throw new Violation(
      'No verdict before the time to refute is over, unless there is proof.',
      `${sees} after ${suspectedFor.toFixed(0)} ms, refused to ${by || 'nobody'}`
    )
  }

  #isProven({ id, incarnation }: Member): boolean {
    const self = this.#process.id
    const refused = new Set(this.#truth.refusals(id, incarnation))
    if (this.#cancelled.has(against({ target: id, incarnation }))) refused.delete(self)
    const heard = this.#accusers.get(against({ target: id, incarnation })) ?? new Set()
    const accusers = [...refused].filter(accuser => heard.has(accuser))
    if (accusers.length >= 2) return true
    const isWitness = (other: Member): boolean =>
      other.id !== self && other.id !== id && !this.#truth.refusals(other.id, other.incarnation).has(self)
    return refused.has(self) && !this.#process.live().some(isWitness)
  }

  #noteSuspicion({ id, state, incarnation }: Member): void {
    if (state !== 'suspect') this.#suspicions.delete(id)
    else if (this.#suspicions.get(id)?.incarnation !== incarnation)
      this.#suspicions.set(id, { incarnation, since: this.#process.now, worldSince: this.#world.now() })
  }

  /** A process that lost time itself gives that much more; one that did not has no reason to. */
  #checkSuspicionsEnd(): void {
    // Who has left draws no conclusions any more.
    if (this.#process.self.state === 'left') return
    for (const [id, { since, worldSince }] of this.#suspicions) {
      const lasts = this.#process.now - since
      if (lasts <= this.#profile.suspicionMax + ROUNDING) continue
      if (this.#world.strainedUntil(this.#process.id) >= worldSince) continue
      throw new Violation(
        'A suspicion ends when the time to refute is over.',
        `${this.#process.id} has suspected ${id} for ${lasts.toFixed(0)} ms`
      )
    }
  }
}
