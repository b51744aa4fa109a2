/** The invariants that every view must keep at every moment, whichever faults occur. */
import { isLive, type Member } from '../../src/membership/core/member.ts'
import type { SwimEffect, SwimEvent } from '../../src/membership/core/messages.ts'
import type { MemberRecord } from '../../src/membership/core/record.ts'
import type { Profile } from '../../src/membership/profile.ts'
import type { SwimObserver, SwimProcess } from './membership.ts'
import { WORST_DRIFT } from './membership-faults.ts'
import { accusationsIn } from './membership-story.ts'
import { against, type Truth, Violation } from './membership-truth.ts'
import type { World } from './world.ts'

/** The rounding of times, in ms. */
const ROUNDING = 1
/** The time, in ms, within which an undisturbed member can refute an accusation that stems from an earlier disturbance. */
const HEARD_MS = 2_000

interface Suspicion {
  incarnation: number
  /** The start of the suspicion, by the observer's clock and by the world's clock. */
  since: number
  worldSince: number
  /** The number and the total time of the observer's pauses until the suspicion began. */
  pauses: number
  pausedFor: number
  /** The longest probe period of the observer since the suspicion began. */
  longestPeriod: number
}

/** Checks the view of one life of a process after each event. */
export class ViewCheck implements SwimObserver {
  readonly #world: World
  readonly #truth: Truth
  readonly #process: SwimProcess
  readonly #profile: Profile
  readonly #seen = new Map<string, Member>()
  readonly #suspicions = new Map<string, Suspicion>()
  /** The accusers of each target and incarnation, as far as the process heard of them. The process itself may be among the accusers. */
  readonly #accusers = new Map<string, Set<string>>()
  #period = 0
  /** The accusations of refusal that the process has made and withdrawn. */
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

  handled(effects: readonly SwimEffect[]): void {
    this.#noteTimes(effects)
    const before = this.#seen.size
    let known = 0
    for (const member of this.#process.members()) {
      const seen = this.#seen.get(member.id)
      if (seen !== undefined) known += 1
      if (seen !== member) this.#check(member, seen, effects)
    }
    if (known < before) {
      const gone = [...this.#seen.keys()].filter(id => this.#process.get(id) === undefined)
      throw new Violation('No member is forgotten before its retention is over.', `${this.#process.id} forgets ${gone}`)
    }
    if (this.#suspicions.size > 0) this.#checkSuspicionsEnd()
  }

  /** Records that a new connection to a suspect withdraws this process's accusation of refusal. */
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

  #check(member: Member, before: Member | undefined, effects: readonly SwimEffect[]): void {
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
    this.#checkSince(member, before, effects, sees)
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
      throw new Violation('A dead member comes back only by a refutation.', `${sees}, after it was dead`)
    if (member.revision < before.revision)
      throw new Violation('A revision never goes back in a view.', `${sees}, after .${before.revision}`)
  }

  #checkEvidence(member: Member, sees: string): void {
    if (member.state !== 'suspect' && member.state !== 'dead') return
    if (!this.#accusers.has(against({ target: member.id, incarnation: member.incarnation })))
      throw new Violation(
        'A suspect was accused in its present incarnation.',
        `${sees}, but heard no accusation of that`
      )
  }

  #checkSince(member: Member, before: Member | undefined, effects: readonly SwimEffect[], sees: string): void {
    const { id, state, since } = member
    // In one step the state may have changed and then returned to its earlier value.
    const isOther = (effect: SwimEffect): boolean =>
      effect.type === 'member' && effect.member.id === id && effect.member.state !== state
    const isKept = before?.state === state && !effects.some(isOther)
    const expected = isKept ? before.since : this.#process.now
    if (since !== expected)
      throw new Violation('A state counts from when it began.', `${sees} since ${since}, but that was ${expected}`)
  }

  /** Checks that an early verdict is proved by refusals: the refusals of two accusers, or of a single accuser if no other witness exists. */
  #checkVerdict(member: Member, sees: string): void {
    const { id, incarnation } = member
    const suspicion = this.#suspicions.get(id)
    const isSuspected = suspicion?.incarnation === incarnation
    const suspectedFor = isSuspected ? this.#process.now - suspicion.since : 0
    const worldSince = isSuspected ? suspicion.worldSince : this.#world.now()
    const evidenceSince = this.#truth.evidenceSince(this.#process.id, worldSince - HEARD_MS)
    const isThere = this.#world.isUp(id) && this.#truth.isPresent(id, incarnation)
    if (isThere && this.#truth.isSteady(id, evidenceSince))
      throw new Violation(
        'A member that was present all the time is dead in no view.',
        `${sees}, which nothing has befallen`
      )
    if (this.#isProven(member)) return
    if (isSuspected && suspectedFor >= this.#profile.suspicionMin - ROUNDING) {
      this.#checkWasThere(suspicion, suspectedFor, sees)
      return
    }
    const by = [...this.#truth.refusals(id, incarnation)].join(' and ')
    throw new Violation(
      'No verdict comes before the time to refute is over, unless there is proof.',
      `${sees} after ${suspectedFor.toFixed(0)} ms, refused to ${by || 'nobody'}`
    )
  }

  /**
   * Checks that the suspect had enough time to refute. The observer's pauses do not count, because a paused observer hears no refutation. The
   * observer detects a pause by late timers. So the observer may miss the part of a pause before the first late timer: at most one probe period plus
   * the tolerance.
   */
  #checkWasThere({ pauses, pausedFor, longestPeriod }: Suspicion, suspectedFor: number, sees: string): void {
    const now = this.#world.pausesOf(this.#process.id)
    const unnoticed = (now.count - pauses) * (longestPeriod + this.#profile.stallTolerance)
    // A fast clock counts more time for the same pause.
    const active = suspectedFor - (now.ms - pausedFor) * (1 - WORST_DRIFT)
    if (active >= this.#profile.suspicionMin - unnoticed - ROUNDING) return
    throw new Violation(
      'No verdict punishes a member for what the observer missed in a pause.',
      `${sees} after ${active.toFixed(0)} ms in which it was there itself`
    )
  }

  #noteTimes(effects: readonly SwimEffect[]): void {
    for (const effect of effects) {
      if (effect.type !== 'timer' || effect.name !== 'probe' || effect.delay === undefined) continue
      this.#period = effect.delay
      for (const suspicion of this.#suspicions.values())
        suspicion.longestPeriod = Math.max(suspicion.longestPeriod, effect.delay)
    }
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
    else if (this.#suspicions.get(id)?.incarnation !== incarnation) {
      const { count: pauses, ms: pausedFor } = this.#world.pausesOf(this.#process.id)
      const since = { since: this.#process.now, worldSince: this.#world.now() }
      this.#suspicions.set(id, { incarnation, ...since, pauses, pausedFor, longestPeriod: this.#period })
    }
  }

  /** Checks that suspicions end in time. Only an observer that was paused may extend a suspicion, by the length of its pauses. */
  #checkSuspicionsEnd(): void {
    // A member that has left draws no conclusions any more.
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
