/** The duties of a process: steps of the protocol that the process must take at once, although other members would repair a missed step later. */
import { isLive, type MemberState } from '../../src/membership/core/member.ts'
import type { SwimEffect, SwimEvent, SwimMessage } from '../../src/membership/core/messages.ts'
import type { Accusation } from '../../src/membership/core/record.ts'
import type { Profile } from '../../src/membership/profile.ts'
import type { SwimObserver, SwimProcess } from './membership.ts'
import { accusationsIn } from './membership-story.ts'
import { Violation } from './membership-truth.ts'

export class DutyCheck implements SwimObserver {
  readonly #process: SwimProcess
  readonly #profile: Profile
  /** The states of all members before the event, including the state of the process itself. */
  readonly #states = new Map<string, MemberState>()
  #hadLeft = false
  #incarnation = 0
  /** The time of the last refutation, and the incarnation that the process owes a refutation in its next period. */
  #refutedAt = Number.NEGATIVE_INFINITY
  #owed: number | undefined
  /** The time when the process last gossiped its own record. */
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(process: SwimProcess, profile: Profile) {
    this.#process = process
    this.#profile = profile
  }

  handled(effects: readonly SwimEffect[], event: SwimEvent): void {
    if (this.#hadLeft) return
    if (event.type === 'message') {
      this.#checkAnswer(event.from, event.message, effects)
      this.#checkSetRight(event, effects)
    } else if (event.type === 'leave') this.#checkGoodBye(effects)
    this.#checkRefutation(event, effects)
    this.#checkSuspectsTold(event, effects)
    this.#note(effects)
  }

  #note(effects: readonly SwimEffect[]): void {
    const { id, now } = this.#process
    for (const effect of effects) {
      if (effect.type === 'gossip' && effect.record.record.type === 'self') this.#toldAt = now
      if (effect.type !== 'member') continue
      const { member } = effect
      if (member.id !== id) this.#states.set(member.id, member.state)
      else {
        this.#hadLeft = member.state === 'left'
        if (member.incarnation > this.#incarnation) this.#refutedAt = now
        this.#incarnation = member.incarnation
      }
    }
  }

  #checkAnswer(from: string, message: SwimMessage, effects: readonly SwimEffect[]): void {
    const does = `${this.#process.id} does not answer the ${message.type} of ${from}`
    const isSent = (type: SwimMessage['type']): boolean =>
      effects.some(effect => effect.type === 'send' && effect.to === from && effect.message.type === type)
    if (message.type === 'ping' && !isSent('ack')) throw new Violation('Each ping is answered.', does)
    if (message.type === 'sync') {
      if (!message.reply && !isSent('sync')) throw new Violation('Each push-pull is answered.', does)
      return
    }
    const member = this.#process.get(from)
    if (message.type !== 'records' && member !== undefined && !isLive(member) && !isSent('records'))
      throw new Violation('A dead or left member that speaks is told why.', `${does}, which it sees ${member.state}`)
  }

  #checkSetRight(event: Extract<SwimEvent, { type: 'message' }>, effects: readonly SwimEffect[]): void {
    const { id, self } = this.#process
    const isWrong = accusationsIn(event).some(
      ({ target, incarnation }) => target === id && incarnation < self.incarnation
    )
    const isSetRight = effects.some(
      effect =>
        effect.type === 'send' &&
        effect.to === event.from &&
        (effect.message.type === 'records' || effect.message.type === 'sync')
    )
    if (isWrong && !isSetRight)
      throw new Violation(
        'A sender with an outdated view gets the present record.',
        `${id} does not send ${event.from} its record`
      )
  }

  #checkGoodBye(effects: readonly SwimEffect[]): void {
    for (const [id, state] of this.#states) {
      if (!isLive({ state })) continue
      const isTold = effects.some(
        effect => effect.type === 'send' && effect.to === id && effect.message.type === 'records'
      )
      if (!isTold)
        throw new Violation('A leaving member tells each live member.', `${this.#process.id} does not tell ${id}`)
    }
  }

  #checkRefutation(event: SwimEvent, effects: readonly SwimEffect[]): void {
    const { id, self, now } = this.#process
    if (self.incarnation !== this.#owed) this.#owed = undefined
    else if (event.type === 'timer' && event.name === 'probe')
      throw new Violation(
        'A member that is accused right after a refutation refutes in its next period.',
        `${id} stays @${self.incarnation}`
      )
    const accusations = accusationsIn(event).filter(({ target, accuser }) => target === id && accuser !== id)
    if (accusations.length === 0 || self.state === 'left') return
    const tells = effects.some(effect => effect.type === 'gossip' && effect.record.record.type === 'self')
    const says = ({ accuser, incarnation }: Accusation): string => `${accuser} accuses ${id} @${incarnation}, and it`
    for (const accusation of accusations) {
      if (accusation.incarnation === self.incarnation && now - this.#refutedAt < this.#profile.probeTimeout)
        this.#owed = self.incarnation
      else if (accusation.incarnation === this.#incarnation && (self.incarnation <= accusation.incarnation || !tells))
        throw new Violation(
          'A member that hears an accusation refutes it.',
          `${says(accusation)} stays @${self.incarnation}`
        )
      const isOld = event.type === 'gossip' && accusation.incarnation < this.#incarnation
      if (isOld && !tells && now - this.#toldAt > this.#profile.probeTimeout)
        throw new Violation('A refutation is repeated to those who missed it.', `${says(accusation)} says nothing`)
    }
  }

  /** Checks that a suspect hears of each accusation. Gossip reaches the suspect anyway; after other accusations the process must ping the suspect. */
  #checkSuspectsTold(event: SwimEvent, effects: readonly SwimEffect[]): void {
    const isSync = event.type === 'message' && event.message.type === 'sync'
    for (const effect of effects) {
      if (effect.type !== 'member' || effect.member.state !== 'suspect') continue
      const { id } = effect.member
      if (this.#process.get(id)?.state !== 'suspect' || this.#states.get(id) === 'suspect') continue
      const isOwn = effects.some(effect => accusedBy(effect) === id)
      const isPinged = effects.some(
        effect => effect.type === 'send' && effect.to === id && effect.message.type === 'ping'
      )
      if ((isSync || isOwn) && !isPinged)
        throw new Violation('The suspect is told first.', `${this.#process.id} suspects ${id} and does not ping it`)
    }
  }
}

/** Returns the member that an effect accuses. */
function accusedBy(effect: SwimEffect): string | undefined {
  if (effect.type !== 'gossip' || effect.record.record.type !== 'accusation') return undefined
  return effect.record.record.target
}
