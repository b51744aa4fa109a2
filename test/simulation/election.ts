/** A simulated process that runs the election core above a membership. */
import { ElectionCore } from '../../src/election/core/election-core.ts'
import type { CoreEffect, CoreEvent } from '../../src/election/core/events.ts'
import type { CoordinatorMessage, ElectionMessage, GoAhead, Signer } from '../../src/election/core/messages.ts'
import type { ElectionRules } from '../../src/election/core/rules.ts'
import type { CoreStrategy } from '../../src/election/core/strategies/strategies.ts'
import { PersistFirst } from '../../src/election/persist-first.ts'
import { type ElectionTimes, electionTimes } from '../../src/election/profile.ts'
import type { LeaseTime } from '../../src/election/quorum/lease.ts'
import {
  type LeaseMessage,
  type LeaseTimes,
  Quorum,
  type QuorumEvent,
  type QuorumInit
} from '../../src/election/quorum/quorum.ts'
import type { Promised } from '../../src/election/quorum/voter.ts'
import type { StoreRules } from '../../src/election/store/store-lease.ts'
import type { Leadership } from '../../src/election/types.ts'
import { isLive, type Member } from '../../src/membership/core/member.ts'
import { profiles } from '../../src/membership/profile.ts'
import { SimulatedWork, type SimulatedWorkInit } from './leader-work.ts'
import { STORE, type StoreReply } from './store.ts'
import { SimulatedStoreClient } from './store-client.ts'
import type { Host, Process } from './world.ts'

export const ELECTION = 'election'
export const LEADER = 'leader'
const LEASE = 'lease'
const STORE_TIMER = 'store:'
/** The prefix of the election's timers. */
const TIMER = 'election:'
const WORK = 'work:'

/** The interface of a simulated membership: SwimProcess, or IdealMembership in election-ideal.ts. */
export interface MembershipProcess {
  start(): void
  receive(from: string, protocol: string, message: unknown): boolean
  gossip(topic: string, message: unknown): boolean
  timer(name: string): boolean
  refused(peer: string): void
  get(id: string): { state: Member['state'] } | undefined
  /** Changes the priority of this peer in elections. */
  setPriority(electionPriority: number): void
  leave(): void
}

export interface MembershipHooks {
  onMember(member: Pick<Member, 'id' | 'state' | 'role' | 'electionPriority'>): void
  onReady(): void
  localState(): Uint8Array
  mergeRemoteState(from: string, state: Uint8Array): void
}

export interface ElectionProcessOptions {
  membership: (host: Host, hooks: MembershipHooks) => MembershipProcess
  times?: ElectionTimes
  rules?: ElectionRules
  /** Default `bully`. */
  strategy?: CoreStrategy | undefined
  /** The newest leadership that an earlier run of the process accepted. */
  accepted?: CoordinatorMessage | undefined
  /** The newest epoch that an earlier run of the process knew. */
  epoch?: number | undefined
  /** The quorum. A claim needs a lease from a majority of the voters of the quorum. */
  quorum?: Pick<QuorumInit, 'terms' | 'promised' | 'hasLost' | 'rules'> & {
    /** Writes a promise, then calls `done`. Default: calls `done` at once. */
    persist?: (promised: Promised, done: (isOnDisk: boolean) => void) => void
    /** Called when other voters have told what the lost promises were at most. */
    found?: () => void
    /** Reads the clocks of this process. */
    times: () => LeaseTimes
  }
  /** The store that grants the lease, under the strategy `mutex`. */
  store?: { terms: LeaseTime; rules?: StoreRules | undefined; times: () => LeaseTimes }
  /** Writes a leadership, then calls `done`. Default: calls `done` at once. */
  persist?: (coordinator: CoordinatorMessage, done: () => void) => void
  /** Whether effects wait for an earlier write. Default true. */
  persistFirst?: boolean
  /** The work that only the leader does. Requires a quorum or a store. */
  work?: Pick<SimulatedWorkInit, 'grace' | 'rules' | 'takes' | 'toldToStop' | 'end'>
  /** Returns the duration of the hand-off to `to`, in ms, and whether the hand-off succeeds. Default: 20 ms and success. */
  handOff?: (to: string) => { delay: number; ok: boolean }
  /** Returns whether the network loses this message. */
  loses?: (to: string, message: ElectionMessage) => boolean
  /** Called with every message that this process receives, before the core handles it. */
  received?: (message: ElectionMessage) => void
  /** Called with every effect. */
  watch?: (effect: CoreEffect) => void
  /** Whether the trace shows gossiped repetitions of a COORDINATOR. Default true. */
  traceRepetitions?: boolean
}

let nonces = 0

/** The simulation has no forgers, so its statements carry no signature. */
const signer: Signer = {
  coordinator: claim => ({ ...claim, signed: new Uint8Array() }),
  goAhead: goAhead => ({ ...goAhead, signed: new Uint8Array() }),
  relayed: message => ({ ...message, signed: new Uint8Array() }),
  token: token => ({ ...token, signed: new Uint8Array() }),
  nonce: () => ++nonces
}

export class ElectionProcess implements Process {
  readonly core: ElectionCore
  readonly quorum: Quorum | undefined
  readonly store: SimulatedStoreClient | undefined
  readonly membership: MembershipProcess
  readonly work: SimulatedWork | undefined
  leader: Leadership | undefined
  hasLeft = false
  messages = 0
  readonly #host: Host
  readonly #options: ElectionProcessOptions
  readonly #effects: PersistFirst<CoreEffect>
  #handOffs = 0
  #handOff: { to: string; ok: boolean } | undefined
  #gossiped: CoordinatorMessage | undefined

  constructor(host: Host, options: ElectionProcessOptions) {
    this.#host = host
    this.#options = options
    const times = options.times ?? electionTimes(profiles.lan)
    const { quorum, accepted, epoch, rules, strategy } = options
    const voters = quorum?.terms.voters
    this.core = new ElectionCore({ self: host.id, times, signer, rules, strategy, accepted, epoch, voters })
    this.quorum =
      quorum &&
      new Quorum({
        ...quorum,
        self: host.id,
        random: () => host.random(),
        startedAt: quorum.times().monotonic,
        isHigher: id => this.core.peer.isHigher(id),
        acceptedEpoch: () => this.core.peer.accepted?.epoch ?? 0
      })
    this.store =
      options.store &&
      new SimulatedStoreClient({
        ...options.store,
        host,
        prefix: STORE_TIMER,
        told: event => this.#handle(event)
      })
    const { persist, persistFirst = true } = options
    this.#effects = new PersistFirst<CoreEffect>(
      {
        write: (coordinator, done) => {
          persist?.(coordinator, persistFirst ? done : () => {})
          if (persist === undefined || !persistFirst) done()
        },
        perform: effect => {
          options.watch?.(effect)
          this.#perform(effect)
        }
      },
      accepted
    )
    this.work =
      options.work &&
      new SimulatedWork({
        ...options.work,
        host,
        prefix: WORK,
        leadership: () => this.#leadership,
        monotonic: () => (quorum ?? options.store!).times().monotonic
      })
    this.membership = options.membership(host, {
      onMember: member => this.#handle({ type: 'member', member: toElectionMember(member) }),
      onReady: () => this.#handle({ type: 'ready' }),
      localState: () => Buffer.from(JSON.stringify(this.#effects.written ?? null)),
      mergeRemoteState: (from, state) => {
        const coordinator = JSON.parse(Buffer.from(state).toString() || 'null') as CoordinatorMessage | null
        if (coordinator !== null) this.#handle({ type: 'pushPull', from, coordinator })
      }
    })
  }

  get id(): string {
    return this.#host.id
  }

  get isLeader(): boolean {
    return this.leader?.id === this.#host.id
  }

  /** Whether this peer leads now. Under leases, a peer leads while its lease is valid by the peer's own clock. */
  get leads(): boolean {
    return this.isLeader && this.#remaining > 0
  }

  /** The time until the lease ends, in ms. Infinity without leases. */
  get #remaining(): number {
    const lease = this.quorum ?? this.store?.lease
    if (lease === undefined) return Number.POSITIVE_INFINITY
    const { heldUntil, heldEpoch } = lease
    if (heldUntil === undefined || heldEpoch !== this.leader?.epoch) return 0
    return Math.max(0, heldUntil - (this.#options.quorum ?? this.#options.store!).times().elapsed)
  }

  get #leadership(): { epoch: number; remaining: number } | undefined {
    return this.leads ? { epoch: this.leader!.epoch, remaining: this.#remaining } : undefined
  }

  start(): void {
    this.membership.start()
    this.store?.start()
    if (this.#options.quorum?.hasLost === true) this.#handleLease({ type: 'timer', name: 'lease-promises' })
  }

  receive(from: string, protocol: string, message: unknown): void {
    if (protocol === STORE) this.store?.receive(message as StoreReply)
    else if (protocol === LEASE) this.#handleLease({ type: 'message', from, message: message as LeaseMessage })
    else if (protocol === ELECTION) {
      this.#options.received?.(message as ElectionMessage)
      this.#handle({ type: 'message', from, message: message as ElectionMessage })
    } else this.membership.receive(from, protocol, message)
  }

  gossip(topic: string, message: unknown): void {
    if (topic === LEADER) this.#handle({ type: 'gossip', coordinator: message as CoordinatorMessage })
    else this.membership.gossip(topic, message)
  }

  timer(name: string): void {
    if (name.startsWith(WORK)) {
      this.work?.timer(name)
      return
    }
    if (name.startsWith(STORE_TIMER)) {
      this.store?.timer(name.slice(STORE_TIMER.length))
      return
    }
    if (!name.startsWith(TIMER)) {
      this.membership.timer(name)
      return
    }
    const timer = name.slice(TIMER.length)
    if (timer.startsWith('lease-')) this.#handleLease({ type: 'timer', name: timer })
    else if (!timer.startsWith('handed-')) this.#handle({ type: 'timer', name: timer })
    else if (timer === `handed-${this.#handOffs}` && this.#handOff !== undefined) {
      const { to, ok } = this.#handOff
      this.#handOff = undefined
      this.#host.trace(ok ? `has given ${to} all it needs` : `fails to give ${to} what it needs`)
      this.#handle({ type: 'handedOff', to, ok })
      if (!ok) this.work?.stay()
    }
  }

  refused(peer: string): void {
    this.membership.refused(peer)
  }

  /** Tells the core whether the disk is writable. Promises can be stored only on a writable disk. */
  disk(writable: boolean): void {
    this.#handle({ type: 'disk', writable })
  }

  leave(): void {
    this.#host.trace('is asked to leave')
    const leave = (): void => this.#handle({ type: 'leave' })
    if (this.work === undefined) leave()
    else this.work.leave(leave)
  }

  /** Handles an event that imitates a forged message or a delayed message. */
  inject(event: CoreEvent): void {
    this.#handle(event)
  }

  #handle(event: CoreEvent): void {
    this.#effects.add(this.core.handle(event, this.#host.now()))
    if (this.isLeader && !this.core.peer.isLeader) this.#show(undefined)
  }

  #handleLease(event: QuorumEvent): void {
    if (this.quorum === undefined) return
    for (const effect of this.quorum.handle(event, this.#options.quorum!.times())) {
      switch (effect.type) {
        case 'persist': {
          const done = (isOnDisk: boolean): void => this.#handleLease({ type: 'persisted', isOnDisk })
          const { persist } = this.#options.quorum!
          if (persist === undefined) done(true)
          else persist(effect.promised, done)
          break
        }
        case 'send':
          this.#host.trace(`-> ${effect.to}  ${tellLease(effect.message)}`)
          this.#host.send(effect.to, LEASE, effect.message)
          break
        case 'timer':
          this.#host.timer(`${TIMER}${effect.name}`, effect.delay)
          break
        case 'promisesFound':
          this.#host.trace('votes again')
          this.#options.quorum!.found?.()
          break
        case 'promisesMissing':
          this.#host.trace(`gives no vote until ${effect.missing} more voters tell their promises`)
          break
        case 'held':
          this.#host.trace(`holds the lease @${effect.epoch}`)
          this.#handle(effect)
          break
        case 'lost':
          this.#host.trace('has lost the lease')
          this.#handle(effect)
          break
      }
    }
  }

  #show(leader: Leadership | undefined): void {
    if (leader === undefined && this.leader === undefined) return
    this.leader = leader
    this.#host.trace(leader ? `follows ${leader.id} @${leader.epoch}` : 'follows nobody')
    this.work?.look()
  }

  #perform(effect: Exclude<CoreEffect, { type: 'persist' }>): void {
    switch (effect.type) {
      case 'send': {
        this.messages += 1
        const isLost = this.#options.loses?.(effect.to, effect.message) === true
        this.#host.trace(`-> ${effect.to}  ${tell(effect.message)}${isLost ? '  (lost)' : ''}`)
        if (!isLost) this.#host.send(effect.to, ELECTION, effect.message)
        break
      }
      case 'gossip':
        this.messages += 1
        if (this.#options.traceRepetitions !== false || this.#gossiped !== effect.coordinator)
          this.#host.trace(`-> all  ${tellCoordinator(effect.coordinator)}  (gossip)`)
        this.#gossiped = effect.coordinator
        this.#host.gossip(LEADER, effect.coordinator)
        break
      case 'timer': {
        const longer = effect.name === 'handOff' ? (this.work?.timeToStop ?? 0) : 0
        this.#host.timer(`${TIMER}${effect.name}`, effect.delay === undefined ? undefined : effect.delay + longer)
        break
      }
      case 'leader':
        this.#show(effect.leader)
        break
      case 'handOff': {
        const { delay, ok } = this.#options.handOff?.(effect.to) ?? { delay: 20, ok: true }
        this.#host.trace(`hands off to ${effect.to}`)
        this.#handOff = { to: effect.to, ok }
        this.#handOffs += 1
        const handed = `${TIMER}handed-${this.#handOffs}`
        if (this.work === undefined) this.#host.timer(handed, delay)
        else this.work.handOver(() => this.#host.timer(handed, delay))
        break
      }
      case 'cancelHandOff':
        this.#host.trace('gives the hand-off up')
        this.#handOff = undefined
        this.work?.stay()
        break
      case 'seek':
      case 'release':
        this.#handleLease(effect)
        this.store?.handle(effect)
        break
      case 'left':
        this.hasLeft = true
        this.#host.trace('leaves')
        this.membership.leave()
        break
    }
  }
}

function toElectionMember({ id, state, role, electionPriority }: Parameters<MembershipHooks['onMember']>[0]) {
  return { id, priority: electionPriority, electable: role !== 'worker', live: isLive({ state }) }
}

function tell(message: ElectionMessage): string {
  switch (message.type) {
    case 'election':
      return 'ELECTION'
    case 'answer':
      return `ANSWER ${message.answer}`
    case 'coordinator':
      return tellCoordinator(message.coordinator)
    case 'rival':
      return `RIVAL ${tellCoordinator(message.coordinator)}`
    case 'request':
      return 'REQUEST'
    case 'goAhead':
      return tellGoAhead(message.goAhead)
    case 'token':
      return `TOKEN ${message.token.candidate} above @${message.token.above}`
    case 'relayed':
      return `RELAYED of ${message.relayed.from} to ${message.relayed.to}: ${message.relayed.kind}`
  }
}

function tellCoordinator({ leader, epoch, goAheads }: CoordinatorMessage): string {
  return [`COORDINATOR ${leader} @${epoch}`, ...goAheads.map(goAhead => `+ ${tellGoAhead(goAhead)}`)].join(' ')
}

function tellGoAhead({ from, fromEpoch, to }: GoAhead): string {
  return `GO_AHEAD ${from} @${fromEpoch} to ${to}`
}

function tellLease(message: LeaseMessage): string {
  if (message.type === 'promiseQuery') return 'PROMISE?'
  if (message.type === 'promiseAnswer')
    return message.isIncomplete
      ? 'PROMISES LOST'
      : `PROMISED @${message.promised?.epoch} to ${message.promised?.holder}`
  const { epoch, sequence } = message.request
  const about = `@${epoch} #${sequence}`
  if (message.type !== 'denial') return `${message.type.toUpperCase()} ${about}`
  return `DENIAL ${about}: promised to ${message.promised?.holder} @${message.promised?.epoch} for ${message.wait.toFixed(0)} ms`
}
