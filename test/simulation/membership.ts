/** A process of the simulated world that runs the membership core, for the simulations of all layers. */
import { isLive, type Member, type MemberMetadata } from '../../src/membership/core/member.ts'
import type { AckProofs, SwimEffect, SwimEvent, SwimMessage } from '../../src/membership/core/messages.ts'
import type { MemberRecord, Sign, Signed } from '../../src/membership/core/record.ts'
import type { SwimRules } from '../../src/membership/core/rules.ts'
import { Swim } from '../../src/membership/core/swim.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import { proofsOf } from './membership-answers.ts'
import type { Host, Process } from './world.ts'

/** The name of the membership's direct protocol and of its gossip topic, for Process.receive and Process.gossip. */
export const SWIM = 'swim'
export const MEMBERS = 'members'
/** The prefix of the membership's timers. A process with several cores recognises the timers of the membership by this prefix. */
export const SWIM_TIMER = 'swim:'

export interface SwimHooks {
  onMember?(member: Member, previous: Member | undefined): void
  onReady?(): void
  /** The state of the layer above, which every push-pull carries. */
  localState?(): Uint8Array
  mergeRemoteState?(from: string, state: Uint8Array): void
}

/** Observes the real events and effects of a process. Throws an error if the process breaks an invariant. */
export interface SwimObserver {
  /** Called before the core handles an event. */
  event?(event: SwimEvent): void
  /** Called for each record that the core signs while it handles an event. */
  signed?(record: MemberRecord): void
  /** Called after the core has handled the event and all effects have happened. */
  handled?(effects: readonly SwimEffect[], event: SwimEvent): void
}

/** Changes events and effects between a core and its world, so that the core behaves as if it had a bug. */
export interface Bend {
  /** Replaces an event before the core handles the event. `get` reads the core's view before the event. */
  event?(event: SwimEvent, get: (id: string) => Member | undefined): SwimEvent | undefined
  effect?(effect: SwimEffect): SwimEffect | undefined
  sign?<R extends MemberRecord>(record: R): R
  ackProofs?(sound: AckProofs): AckProofs
}

export interface SwimProcessOptions {
  /** The peers that discovery finds again and again until the process is connected; usually all peers of the world. */
  seeds: readonly string[]
  /** Whether discovery continues for peers that are not members or have left. By default discovery stops as soon as the process has a live member. */
  meetsStrangers?: boolean
  metadata?: Partial<MemberMetadata>
  profile?: Profile
  rules?: SwimRules
  hooks?: SwimHooks
  observers?: (process: SwimProcess) => readonly SwimObserver[]
  bend?: Bend
}

/** The envelope of every record. It carries no real signature, because nobody forges records in the simulation. */
const envelope = { payload: new Uint8Array(), signature: new Uint8Array() }

/** The time between two rounds of discovery, in ms: first for a process that is alone, then for a process that has other members. */
export const DISCOVERY_MS = 1_000
export const SLOW_DISCOVERY_MS = 5_000

/** Returns the metadata of a peer with one slot and default values. */
export function metadataOf(id: string, change: Partial<MemberMetadata> = {}): MemberMetadata {
  return {
    addresses: [`/ip4/127.0.0.1/tcp/4001/p2p/${id}`],
    slots: 1,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version: '0.0.0',
    node: '',
    host: '',
    electorate: '',
    hasDisk: false,
    ...change
  }
}

/** Connects the membership core to the world. A process with several cores owns a SwimProcess, and passes on the messages and timers of the membership. */
export class SwimProcess implements Process {
  readonly #host: Host
  readonly #seeds: readonly string[]
  readonly #hooks: SwimHooks
  readonly #swim: Swim
  readonly #connected = new Set<string>()
  readonly #meetsStrangers: boolean
  readonly #observers: readonly SwimObserver[]
  readonly #bend: Bend
  readonly #stallTolerance: number
  /** The number of handled events. If this number has not grown, the view has not changed. */
  handled = 0

  constructor(host: Host, options: SwimProcessOptions) {
    const { seeds, metadata, profile = profiles.lan, rules, hooks = {}, bend = {}, meetsStrangers = false } = options
    this.#host = host
    this.#seeds = seeds.filter(id => id !== host.id)
    this.#hooks = hooks
    this.#bend = bend
    this.#stallTolerance = profile.stallTolerance
    const proofs = proofsOf(host)
    this.#meetsStrangers = meetsStrangers
    this.#observers = options.observers?.(this) ?? []
    this.#swim = new Swim({
      self: host.id,
      metadata: metadataOf(host.id, metadata),
      profile,
      sign: this.#sign,
      ackProofs: bend.ackProofs?.(proofs) ?? proofs,
      random: () => host.random(),
      localState: () => hooks.localState?.() ?? new Uint8Array(),
      rules
    })
  }

  get id(): string {
    return this.#host.id
  }

  /** The time by the clock of this process. */
  get now(): number {
    return this.#host.now()
  }

  get isReady(): boolean {
    return this.#swim.isReady
  }

  get self(): Member {
    return this.#swim.get(this.#host.id)!
  }

  members(): Member[] {
    return this.#swim.members()
  }

  get(id: string): Member | undefined {
    return this.#swim.get(id)
  }

  live(): Member[] {
    return this.#swim.members().filter(isLive)
  }

  start(): void {
    this.#handle({ type: 'start' })
    this.#discover()
  }

  /** Handles a message of the membership. Returns false if the message belongs to another protocol. */
  receive(from: string, protocol: string, message: unknown): boolean {
    if (protocol !== SWIM) return false
    this.#connect(from)
    this.#handle({ type: 'message', from, message: message as SwimMessage })
    return true
  }

  gossip(topic: string, message: unknown): boolean {
    if (topic !== MEMBERS) return false
    this.#handle({ type: 'gossip', record: message as Signed })
    return true
  }

  timer(name: string): boolean {
    if (!name.startsWith(SWIM_TIMER)) return false
    const timer = name.slice(SWIM_TIMER.length)
    if (timer === 'discover') {
      this.#discover()
      return true
    }
    // The adapter of the product (membership.ts) reports lag in the same way.
    if (timer === 'probe' && this.#host.lateness() > this.#stallTolerance) this.#handle({ type: 'lag' })
    this.#handle({ type: 'timer', name: timer })
    return true
  }

  refused(peer: string): void {
    this.#connected.delete(peer)
    this.#handle({ type: 'disconnected', peer })
    this.#handle({ type: 'refused', peer })
  }

  update(change: Partial<MemberMetadata>): void {
    this.#handle({ type: 'update', change })
  }

  /** Changes the priority of this peer in elections, and spreads the change. */
  setPriority(electionPriority: number): void {
    this.#handle({ type: 'update', change: { electionPriority } })
  }

  /** Announces that the process has left. The world's `exit` then ends the process. */
  leave(): void {
    this.#handle({ type: 'leave' })
  }

  /** Simulates mDNS and bootstrap: a process that is alone discovers the other peers again and again. */
  #discover(): void {
    const isAlone = this.live().length === 1
    if ((!isAlone && !this.#meetsStrangers) || this.self.state === 'left') return
    for (const peer of this.#seeds) {
      const state = this.get(peer)?.state
      // Discovery skips dead members, because healing dials them.
      if (!isAlone && state !== undefined && state !== 'left') continue
      this.#connected.delete(peer)
      this.#handle({ type: 'disconnected', peer })
      this.#connect(peer)
    }
    this.#host.timer(`${SWIM_TIMER}discover`, isAlone ? DISCOVERY_MS : SLOW_DISCOVERY_MS)
  }

  #connect(peer: string): void {
    if (this.#connected.has(peer)) return
    this.#connected.add(peer)
    this.#handle({ type: 'connected', peer })
  }

  readonly #sign: Sign = original => {
    const record = this.#bend.sign?.(original) ?? original
    for (const observer of this.#observers) observer.signed?.(record)
    return { record, envelope }
  }

  #handle(event: SwimEvent): void {
    this.handled += 1
    for (const observer of this.#observers) observer.event?.(event)
    const { event: bend, effect: bent } = this.#bend
    const heard = bend === undefined ? event : bend(event, id => this.get(id))
    let effects = heard === undefined ? [] : this.#swim.handle(heard, this.#host.now())
    if (bent !== undefined) effects = effects.flatMap(effect => bent(effect) ?? [])
    for (const effect of effects) this.#run(effect)
    for (const observer of this.#observers) observer.handled?.(effects, event)
  }

  #run(effect: SwimEffect): void {
    switch (effect.type) {
      case 'send':
        this.#host.send(effect.to, SWIM, effect.message)
        break
      case 'gossip':
        this.#host.gossip(MEMBERS, effect.record)
        break
      case 'timer':
        this.#host.timer(`${SWIM_TIMER}${effect.name}`, effect.delay)
        break
      case 'merge':
        this.#hooks.mergeRemoteState?.(effect.from, effect.state)
        break
      case 'member':
        if (this.#observers.length === 0)
          this.#host.trace(`sees ${effect.member.id} ${effect.member.state} @${effect.member.incarnation}`)
        this.#hooks.onMember?.(effect.member, effect.previous)
        break
      case 'ready':
        this.#hooks.onReady?.()
        break
      case 'dropped':
        break
    }
  }
}
