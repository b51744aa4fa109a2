/** Checks each message and record that a process sends: what the message may contain, and what the process must have done before. */
import { isLive } from '../../src/membership/core/member.ts'
import type { SwimEffect, SwimEvent, SwimMessage } from '../../src/membership/core/messages.ts'
import type { Accusation, MemberRecord, SelfRecord, Signed } from '../../src/membership/core/record.ts'
import type { Profile } from '../../src/membership/profile.ts'
import type { SwimObserver, SwimProcess } from './membership.ts'
import { isAnswerBy } from './membership-answers.ts'
import { accusationsIn } from './membership-story.ts'
import { against, type Truth, Violation } from './membership-truth.ts'

interface Ping {
  target: string
  at: number
  relays: string[]
  /** The nonce that the target must sign when the relays ping it. */
  nonce: number | undefined
  isAnswered: boolean
}

export class SpeechCheck implements SwimObserver {
  readonly #truth: Truth
  readonly #process: SwimProcess
  readonly #profile: Profile
  #own: SelfRecord | undefined
  #event: SwimEvent | undefined
  /** The pings that the process sent, by seq. */
  readonly #pings = new Map<number, Ping>()
  /** The ping with which the current period began. */
  #probe: Ping | undefined
  #lastPing: Ping | undefined
  /** The time when the current period ends. */
  #probeDue = 0
  /** `from seq` of each received ping, and `from seq target` of each ping-req. The seq of a restarted process begins at its first value again. */
  readonly #received = new Set<string>()
  readonly #requests = new Set<string>()
  /** The accusations that the process itself makes, by target. */
  readonly #accuses = new Map<string, Accusation>()

  constructor(truth: Truth, process: SwimProcess, profile: Profile) {
    this.#truth = truth
    this.#process = process
    this.#profile = profile
  }

  event(event: SwimEvent): void {
    this.#event = event
    // Other members send the accusations of this process back, including accusations of an earlier life of the process.
    for (const accusation of accusationsIn(event)) {
      if (accusation.accuser === this.#process.id) this.#holds(accusation)
    }
    if (event.type === 'connected') this.#takeBack(event.peer)
    if (event.type !== 'message') return
    const { from, message } = event
    if (message.type === 'ping') this.#received.add(`${from} ${message.seq}`)
    else if (message.type === 'ping-req') this.#requests.add(`${from} ${message.seq} ${message.target}`)
    else if (message.type === 'ack') {
      const ping = this.#pings.get(message.seq)
      if (ping !== undefined && this.#isAnswer(ping, from, message.proof)) ping.isAnswered = true
    }
  }

  signed(record: MemberRecord): void {
    this.#truth.signed(record)
    if (record.type === 'self') this.#signsOwn(record)
    else this.#signsAccusation(record)
  }

  handled(effects: readonly SwimEffect[], event: SwimEvent): void {
    if (this.#own?.state === 'left' && event.type !== 'leave' && effects.length > 0)
      throw new Violation(
        'A member that has left sends nothing more.',
        `${this.#process.id} has left and does something`
      )
    this.#lastPing = undefined
    for (const effect of effects) {
      if (effect.type === 'send') this.#sends(effect.to, effect.message)
      else if (effect.type === 'gossip' && effect.record.record.type === 'accusation') this.#holds(effect.record.record)
    }
    if (event.type === 'timer' && event.name === 'probe') this.#begins(this.#lastPing)
    for (const effect of effects)
      if (effect.type === 'timer' && effect.name === 'probe') this.#probeDue = this.#process.now + (effect.delay ?? 0)
  }

  /** Begins a period with this probe, or without a probe if no member can be probed. */
  #begins(probe: Ping | undefined): void {
    this.#probe = probe
    const target = probe && this.#process.get(probe.target)
    if (target !== undefined && !isLive(target))
      throw new Violation(
        'Only a live member is probed.',
        `${this.#process.id} probes ${target.id}, ${target.state} to it`
      )
  }

  /** Returns whether this is an answer to the ping: an ack from the target, or a relayed ack whose proof was signed for this ping and this asker. */
  #isAnswer({ target, relays, nonce }: Ping, from: string, proof: Uint8Array | undefined): boolean {
    if (from === target) return true
    if (!relays.includes(from) || nonce === undefined || proof === undefined) return false
    return isAnswerBy(target, { origin: this.#process.id, nonce }, proof)
  }

  /** Records an accusation. A later accusation of silence does not replace an accusation of refusal. */
  #holds(accusation: Accusation): void {
    const target = against(accusation)
    if (this.#accuses.get(target)?.kind !== 'refused') this.#accuses.set(target, accusation)
  }

  #takeBack(peer: string): void {
    const member = this.#process.get(peer)
    if (member?.state !== 'suspect') return
    const target = against({ target: peer, incarnation: member.incarnation })
    if (this.#accuses.get(target)?.kind === 'refused') this.#accuses.delete(target)
  }

  #signsOwn(record: SelfRecord): void {
    const before = this.#own
    this.#own = record
    const says = `${this.#process.id} says @${record.incarnation}.${record.revision} of ${record.member}`
    if (record.member !== this.#process.id) throw new Violation('A member speaks for itself only.', says)
    if (before === undefined) return
    const isNewer =
      record.incarnation > before.incarnation ||
      (record.incarnation === before.incarnation && record.revision > before.revision)
    if (!isNewer || before.state === 'left')
      throw new Violation(
        'Each record of a member about itself is newer than the one before.',
        `${says} after @${before.incarnation}.${before.revision} ${before.state}`
      )
  }

  #signsAccusation(accusation: Accusation): void {
    const { accuser, target, incarnation, kind } = accusation
    const says = `${this.#process.id} accuses ${target} @${incarnation}`
    if (accuser !== this.#process.id) throw new Violation('A member speaks for itself only.', `${says} for ${accuser}`)
    const member = this.#process.get(target)
    if (member === undefined || !isLive(member) || member.incarnation !== incarnation || target === accuser)
      throw new Violation(
        'Only a live member is accused, in its present incarnation.',
        `${says}, but sees ${member?.state}`
      )
    if (kind === 'silent') this.#checkSilence(target, says)
    else if (this.#event?.type !== 'refused' || this.#event.peer !== target)
      throw new Violation('Only a member whose port refused is accused of a refusal.', says)
  }

  /** Checks that the process pinged the target a whole period ago, that it asked other members to ping the target, and that no answer came. */
  #checkSilence(target: string, says: string): void {
    const invariant = 'A member is accused of silence only after a ping and indirect pings went unanswered.'
    const probe = this.#probe
    const { now } = this.#process
    const { period } = this.#profile
    if (probe?.target !== target) throw new Violation(invariant, `${says}, which it did not probe`)
    if (now - probe.at < period - 1) throw new Violation(invariant, `${says} after ${now - probe.at} ms`)
    if (now - this.#probeDue > this.#profile.stallTolerance + 1)
      throw new Violation(
        'A process that is late itself accuses nobody.',
        `${says}, ${now - this.#probeDue} ms after it was to`
      )
    if (probe.isAnswered) throw new Violation(invariant, `${says}, whose answer it has`)
    // The process could not ask members that returned in the middle of the period.
    const helpers = this.#process
      .members()
      .filter(
        ({ id, state, since }) => id !== this.#process.id && id !== target && state === 'alive' && since < probe.at
      )
    if (probe.relays.length === 0 && helpers.length > 0)
      throw new Violation(invariant, `${says}, but asked none of ${helpers.map(({ id }) => id)} to ping it`)
  }

  #sends(to: string, message: SwimMessage): void {
    switch (message.type) {
      case 'ping': {
        this.#lastPing = { target: to, at: this.#process.now, relays: [], nonce: undefined, isAnswered: false }
        this.#pings.set(message.seq, this.#lastPing)
        this.#checkTold(to, message.accusations)
        this.#checkAsker(to, message)
        break
      }
      case 'ping-req': {
        const ping = this.#pings.get(message.seq)
        if (ping?.target !== message.target)
          throw new Violation(
            'A process asks relays only for its own probe.',
            `${this.#process.id} has not pinged ${message.target}`
          )
        ping.relays.push(to)
        ping.nonce = message.nonce
        break
      }
      case 'ack':
        this.#checkAck(to, message)
        break
      case 'sync':
        this.#checkSync(message)
        break
    }
  }

  /** Checks that every ping to a suspect carries the accusations against the suspect, so that it can refute them soon (Lifeguard). */
  #checkTold(to: string, accusations: readonly Signed<Accusation>[]): void {
    const state = this.#process.get(to)?.state
    if ((state === 'suspect' || state === 'dead') && accusations.length === 0)
      throw new Violation(
        'A suspect is told the accusations against it.',
        `${this.#process.id} pings ${to}, sees it ${state}`
      )
    this.#checkAccusations(to, accusations)
  }

  /** Checks that a relayed ping names its asker, without which the answer would prove nothing. */
  #checkAsker(to: string, { asker }: Extract<SwimMessage, { type: 'ping' }>): void {
    const event = this.#event
    if (event?.type !== 'message' || event.message.type !== 'ping-req' || event.message.target !== to) return
    if (asker?.origin !== event.from || asker.nonce !== event.message.nonce)
      throw new Violation('A relayed ping names its asker.', `${this.#process.id} pings ${to} for ${event.from}`)
  }

  #checkAck(to: string, { seq, proof }: Extract<SwimMessage, { type: 'ack' }>): void {
    const event = this.#event
    if (event?.type === 'message' && event.message.type === 'ping') {
      const { asker } = event.message
      const isProven = asker === undefined || (proof !== undefined && isAnswerBy(this.#process.id, asker, proof))
      if (!isProven)
        throw new Violation('The answer to a relayed ping has a proof for its asker.', `${this.#process.id} does not`)
    }
    if (this.#received.has(`${to} ${seq}`)) return
    const isTold = event?.type === 'message' && event.message.type === 'ack'
    if (isTold && this.#requests.has(`${to} ${seq} ${event.from}`)) return
    throw new Violation(
      'A process acknowledges only what it has heard itself.',
      `${this.#process.id} acknowledges ${seq} of ${to}`
    )
  }

  #checkSync({ entries }: Extract<SwimMessage, { type: 'sync' }>): void {
    const tells = `${this.#process.id} tells`
    const invariant = 'A push-pull contains the whole view with its evidence.'
    const members = this.#process.members()
    if (entries.length !== members.length)
      throw new Violation(invariant, `${tells} of ${entries.length} of ${members.length} members`)
    for (const { record, accusations, downFor } of entries) {
      const { member: id, state, incarnation, revision } = record.record
      const member = this.#process.get(id)
      const what = `${tells} of ${id} @${incarnation}.${revision}, which it sees ${member?.state}`
      if (member === undefined || member.incarnation !== incarnation || member.revision !== revision)
        throw new Violation(invariant, `${what} @${member?.incarnation}.${member?.revision}`)
      if ((state === 'left') !== (member.state === 'left')) throw new Violation(invariant, `${what}, as ${state}`)
      const isAccused = member.state === 'suspect' || member.state === 'dead'
      if (isAccused !== accusations.length > 0)
        throw new Violation(invariant, `${what}, with ${accusations.length} accusations`)
      if (downFor > 0 === isLive(member)) throw new Violation(invariant, `${what}, as down for ${downFor} ms`)
      this.#checkAccusations(id, accusations)
    }
  }

  #checkAccusations(id: string, accusations: readonly Signed<Accusation>[]): void {
    const incarnation = this.#process.get(id)?.incarnation
    for (const { record } of accusations) {
      const tells = `${this.#process.id} tells that ${record.accuser} accuses ${against(record)} (${record.kind})`
      if (record.target !== id || record.incarnation !== incarnation || record.accuser === id)
        throw new Violation('An accusation counts against its own incarnation only.', `${tells}, sees @${incarnation}`)
      const own = record.accuser === this.#process.id ? this.#accuses.get(against(record)) : record
      if (own === undefined || (record.kind === 'refused' && own.kind !== 'refused'))
        throw new Violation('A new connection withdraws an own refusal.', tells)
    }
  }
}
