/** A process of the simulated world that runs the membership core, for the simulations of all layers. */
import { isLive, type Member, type MemberMetadata } from '../../src/membership/member.ts'
import type { SwimEffect, SwimEvent, SwimMessage } from '../../src/membership/messages.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import type { Sign, Signed } from '../../src/membership/record.ts'
import type { SwimRules } from '../../src/membership/rules.ts'
import { Swim } from '../../src/membership/swim.ts'
import type { Host, Process } from './world.ts'

/** The direct protocol and the gossip topic of the membership, as Process.receive and Process.gossip name them. */
export const SWIM = 'swim'
export const MEMBERS = 'members'
/** The prefix of the membership's timers: a process that runs several cores tells them apart by it. */
export const SWIM_TIMER = 'swim:'

export interface SwimHooks {
  onMember?(member: Member, previous: Member | undefined): void
  onReady?(): void
  /** The delegate of the layer above: rides on every push-pull. */
  localState?(): Uint8Array
  mergeRemoteState?(from: string, state: Uint8Array): void
}

export interface SwimProcessOptions {
  /** Whom discovery finds, again and again until it is in: usually all the world. */
  seeds: readonly string[]
  metadata?: Partial<MemberMetadata>
  profile?: Profile
  rules?: SwimRules
  hooks?: SwimHooks
}

/** In the simulation nobody forges: every record carries this instead of bytes. */
const envelope = { payload: new Uint8Array(), signature: new Uint8Array() }
const sign: Sign = record => ({ record, envelope })

/** Between two rounds of discovery, in ms. */
const DISCOVERY_MS = 1_000

/** Metadata of a peer with one slot and nothing special. */
export function metadataOf(id: string, change: Partial<MemberMetadata> = {}): MemberMetadata {
  return {
    addresses: [`/ip4/127.0.0.1/tcp/4001/p2p/${id}`],
    slots: 1,
    role: 'auto',
    electionPriority: 0,
    tags: {},
    version: '0.0.0',
    host: '',
    ...change
  }
}

/** The glue. A process that runs more cores holds one of these and passes on what is for it (the methods tell). */
export class SwimProcess implements Process {
  readonly #host: Host
  readonly #seeds: readonly string[]
  readonly #hooks: SwimHooks
  readonly #swim: Swim
  readonly #connected = new Set<string>()
  /** Events handled so far: where it has not grown, nothing can have changed. */
  handled = 0

  constructor(host: Host, { seeds, metadata, profile = profiles.lan, rules, hooks = {} }: SwimProcessOptions) {
    this.#host = host
    this.#seeds = seeds.filter(id => id !== host.id)
    this.#hooks = hooks
    this.#swim = new Swim({
      self: host.id,
      metadata: metadataOf(host.id, metadata),
      profile,
      sign,
      random: () => host.random(),
      localState: () => hooks.localState?.() ?? new Uint8Array(),
      rules
    })
  }

  get id(): string {
    return this.#host.id
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

  /** Takes what is for the membership; says whether it was. */
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
    if (timer === 'discover') this.#discover()
    else this.#handle({ type: 'timer', name: timer })
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

  /** Announces `left`. The world's `exit` then ends the process. */
  leave(): void {
    this.#handle({ type: 'leave' })
  }

  /** Stands for mDNS and bootstrap: as long as it is alone it meets others, over and over. */
  #discover(): void {
    if (this.live().length > 1 || this.self.state === 'left') return
    for (const peer of this.#seeds) {
      this.#connected.delete(peer)
      this.#handle({ type: 'disconnected', peer })
      this.#connect(peer)
    }
    this.#host.timer(`${SWIM_TIMER}discover`, DISCOVERY_MS)
  }

  #connect(peer: string): void {
    if (this.#connected.has(peer)) return
    this.#connected.add(peer)
    this.#handle({ type: 'connected', peer })
  }

  #handle(event: SwimEvent): void {
    this.handled += 1
    for (const effect of this.#swim.handle(event, this.#host.now())) this.#run(effect)
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
