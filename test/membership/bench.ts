/** A harness for the membership core without signatures and without a network. Tests feed events and check the effects. */
import type { Member, MemberMetadata, MemberState } from '../../src/membership/core/member.ts'
import type { AckProofs, SwimEffect, SwimEvent, SwimMessage, SyncEntry } from '../../src/membership/core/messages.ts'
import type { Accusation, AccusationKind, MemberRecord, SelfRecord, Signed } from '../../src/membership/core/record.ts'
import { Swim } from '../../src/membership/core/swim.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import { metadataOf } from '../simulation/membership.ts'
import { randomFrom } from '../simulation/world.ts'

const envelope = { payload: new Uint8Array(), signature: new Uint8Array() }

export function signed<R extends MemberRecord>(record: R): Signed<R> {
  return { record, envelope }
}

export function selfRecord(member: string, change: Partial<SelfRecord> = {}): Signed<SelfRecord> {
  const metadata = metadataOf(member)
  return signed({ type: 'self', member, state: 'alive', incarnation: 0, revision: 0, metadata, ...change })
}

export function accusation(accuser: string, target: string, kind: AccusationKind, incarnation = 0): Signed<Accusation> {
  return signed({ type: 'accusation', accuser, target, incarnation, kind })
}

export function entry(record: Signed<SelfRecord>, accusations: Signed<Accusation>[] = [], downFor = 0): SyncEntry {
  return { record, accusations, downFor }
}

export function sync(entries: SyncEntry[], reply = true, state = new Uint8Array()): SwimMessage {
  return { type: 'sync', reply, entries, state }
}

/** Accepts every proof of an ack, for tests that are not about proofs. */
const trusting: AckProofs = { nonce: () => 0, sign: () => new Uint8Array(), verify: () => true }

export class Bench {
  readonly swim: Swim
  readonly profile: Profile
  /** All effects that the core has returned so far, in order. */
  readonly effects: SwimEffect[] = []
  /** The members that answer pings at once. */
  readonly answering = new Set<string>()
  now = 1_000
  readonly #timers = new Map<string, number>()

  /** Starts the member `me`, which learns the members `others` from a push-pull. */
  constructor(
    others: string[] = [],
    options: {
      profile?: Profile
      hasBacklog?: (id: string) => boolean
      localState?: () => Uint8Array
      ackProofs?: AckProofs
      wall?: () => number
      searchedFor?: number
    } = {}
  ) {
    this.profile = options.profile ?? profiles.lan
    this.swim = new Swim({
      self: 'me',
      metadata: metadataOf('me'),
      profile: this.profile,
      sign: signed,
      random: randomFrom(1),
      ...(options.hasBacklog && { hasBacklog: options.hasBacklog }),
      ...(options.wall && { wall: options.wall }),
      ...(options.localState && { localState: options.localState }),
      ackProofs: options.ackProofs ?? trusting
    })
    const { searchedFor } = options
    this.give({ type: 'start', ...(searchedFor !== undefined && { searchedFor }) })
    if (others.length > 0) this.message(others[0]!, sync(others.map(id => entry(selfRecord(id)))))
    this.effects.length = 0
  }

  give(event: SwimEvent): SwimEffect[] {
    const effects = this.swim.handle(event, this.now)
    for (const effect of effects) {
      if (effect.type !== 'timer') continue
      if (effect.delay === undefined) this.#timers.delete(effect.name)
      else this.#timers.set(effect.name, this.now + effect.delay)
    }
    this.effects.push(...effects)
    for (const effect of effects) {
      if (effect.type !== 'send' || effect.message.type !== 'ping' || !this.answering.has(effect.to)) continue
      this.message(effect.to, { type: 'ack', seq: effect.message.seq })
    }
    return effects
  }

  message(from: string, message: SwimMessage): SwimEffect[] {
    return this.give({ type: 'message', from, message })
  }

  /** Lets time pass. Timers fire when they are due. */
  pass(ms: number): void {
    const end = this.now + ms
    for (;;) {
      const [name, due] = [...this.#timers].sort((a, b) => a[1] - b[1])[0] ?? ['', Number.POSITIVE_INFINITY]
      if (due > end) break
      this.now = Math.max(this.now, due)
      this.#timers.delete(name)
      this.give({ type: 'timer', name })
    }
    this.now = end
  }

  /** Simulates SIGSTOP: time passes without timers, and then the overdue timers fire. */
  freeze(ms: number): void {
    this.now += ms
    this.pass(0)
  }

  timers(): string[] {
    return [...this.#timers.keys()]
  }

  get(id: string): Member {
    const member = this.swim.get(id)
    if (member === undefined) throw new Error(`no member ${id}`)
    return member
  }

  state(id: string): MemberState {
    return this.get(id).state
  }

  sent<T extends SwimMessage['type']>(type: T, to?: string): Array<Extract<SwimMessage, { type: T }>> {
    return this.effects.flatMap(effect =>
      effect.type === 'send' && effect.message.type === type && (to === undefined || effect.to === to)
        ? [effect.message as Extract<SwimMessage, { type: T }>]
        : []
    )
  }

  gossiped(): MemberRecord[] {
    return this.effects.flatMap(effect => (effect.type === 'gossip' ? [effect.record.record] : []))
  }

  /** Clears the recorded effects. */
  clear(): void {
    this.effects.length = 0
  }

  update(change: Partial<MemberMetadata>): void {
    this.give({ type: 'update', change })
  }
}
