/** Ties the membership core to the network, the clock and the timers. */
import { TypedEventEmitter } from 'main-event'
import { InvalidMessageError, InvalidOptionError } from '../common/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import { ratesOf } from '../network/guard/rates.ts'
import { TokenBuckets } from '../network/guard/token-buckets.ts'
import type { Network, NetworkEvents, PeerIdString, Protocol } from '../network/types.ts'
import { SignedAnswers } from './answers.ts'
import { isLive, type Member, type MemberMetadata } from './core/member.ts'
import type { SwimEffect, SwimEvent, SwimMessage } from './core/messages.ts'
import { Swim } from './core/swim.ts'
import { FloodGuard } from './flood-guard.ts'
import { MemberGossip } from './gossip.ts'
import { LoopLag } from './loop-lag.ts'
import { authorOf, membersOnly } from './members-only.ts'
import type { Profile } from './profile.ts'
import { RECORD_LIMITS } from './record-limits.ts'
import { RecordSeal } from './seal.ts'
import { MAX_STATE_BYTES, swimProtocol } from './swim-codec.ts'
import type { Membership, MembershipEvents, MembershipStats, PushPullDelegate } from './types.ts'

export interface MembershipInit {
  network: Network
  metadata: MemberMetadata
  profile: Profile
  logger?: Logger
  /** The incarnation to begin with: above all that this member used in earlier runs. Default 0. */
  incarnation?: number | undefined
  /** Ms since the epoch that never go back. Default: the wall clock at the start, and the monotonic one from there. */
  clock?: () => number
  /** Default: {@link DEFAULT_LIMITS}. */
  limits?: Limits | undefined
}

/** How long leaving waits for the others to have been told, in ms. */
const LEAVE_TIMEOUT_MS = 1_000
/** How long a push-pull may take to be sent, dialling included, in ms. */
const SYNC_TIMEOUT_MS = 5_000
/** States of the layer above kept until it says what to do with them. */
const MAX_UNMERGED = 64
/** Peers that elect by other terms are warned of once each, and of no more than so many. */
const MAX_FOREIGN = 64

/**
 * Takes part in the cluster's membership over `network`, at once.
 *
 * @throws InvalidOptionError when the metadata is more than a record may hold
 */
export function createMembership(init: MembershipInit): Membership {
  return new SwimMembership(init)
}

class SwimMembership extends TypedEventEmitter<MembershipEvents> implements Membership {
  readonly #network: Network
  readonly #profile: Profile
  readonly #logger: Logger | undefined
  readonly #clock: () => number
  readonly #core: Swim
  readonly #protocol: Protocol<SwimMessage>
  readonly #gossip: MemberGossip
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #lag: LoopLag
  readonly #stopped = new AbortController()
  /** Peers of other terms of which was told. */
  readonly #foreign = new Set<PeerIdString>()
  #delegate: PushPullDelegate | undefined
  #unmerged: Array<{ from: PeerIdString; state: Uint8Array }> = []
  #left: Promise<void> | undefined

  constructor({ network, metadata, profile, logger, incarnation = 0, clock, limits = DEFAULT_LIMITS }: MembershipInit) {
    super()
    this.#network = network
    this.#profile = profile
    this.#logger = logger
    this.#clock = clock ?? (() => performance.timeOrigin + performance.now())
    const seal = new RecordSeal(network)
    const guard = new FloodGuard(new TokenBuckets(ratesOf(limits).records))
    this.#core = allowed(
      () =>
        new Swim({
          self: network.self,
          metadata: { ...metadata, addresses: atMost(metadata.addresses) },
          profile,
          maxMembers: limits.members,
          incarnation,
          sign: seal.sign,
          answers: new SignedAnswers(network),
          isHeldBack: member => guard.isHolding(member),
          random: Math.random,
          localState: () => this.#localState()
        })
    )
    this.#lag = new LoopLag(profile.stallTolerance)
    this.#protocol = network.register(swimProtocol(seal), {
      onOpen: channel => guard.opened(channel),
      onDecoding: ({ remote }) => guard.hold(remote),
      onMessage: (message, channel) =>
        guard.admit(message, channel, this.#core.size, () =>
          this.#handle({ type: 'message', from: channel.remote, message: membersOnly(message, network.admission) })
        )
    })
    this.#gossip = new MemberGossip(network, seal, record => {
      if (network.admission.may(authorOf(record.record), 'join')) this.#handle({ type: 'gossip', record })
    })
    network.addEventListener('connected', this.#onConnected)
    network.addEventListener('disconnected', this.#onDisconnected)
    network.addEventListener('displaced', this.#onDisplaced)
    network.addEventListener('addresses', this.#onAddresses)
    this.#handle({ type: 'start' })
    // Whoever connected before we spoke the protocol found nobody to exchange tables with.
    for (const peer of network.connected()) this.#handle({ type: 'connected', peer })
  }

  get self(): Member {
    return this.#core.get(this.#network.self)!
  }

  get isReady(): boolean {
    return this.#core.isReady
  }

  members(): Member[] {
    return this.#core.members().map(member => ({ ...member, rtt: this.#core.roundTrip(member.id) }))
  }

  get(id: PeerIdString): Member | undefined {
    const member = this.#core.get(id)
    return member && { ...member, rtt: this.#core.roundTrip(id) }
  }

  live(): Member[] {
    return this.#core.members().filter(isLive)
  }

  stats(): MembershipStats {
    const members = { alive: 0, suspect: 0, dead: 0, left: 0 }
    for (const { state } of this.#core.members()) members[state] += 1
    return { ...this.#core.stats(), members, eventLoopLag: this.#lag.histogram() }
  }

  update(change: Partial<MemberMetadata>): void {
    allowed(() => this.#handle({ type: 'update', change }))
  }

  setDelegate(delegate: PushPullDelegate): void {
    this.#delegate = delegate
    const unmerged = this.#unmerged
    this.#unmerged = []
    for (const { from, state } of unmerged) delegate.mergeRemoteState(from, state)
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  async stop(): Promise<void> {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#lag.stop()
    this.#network.removeEventListener('connected', this.#onConnected)
    this.#network.removeEventListener('disconnected', this.#onDisconnected)
    this.#network.removeEventListener('displaced', this.#onDisplaced)
    this.#network.removeEventListener('addresses', this.#onAddresses)
    this.#gossip.close()
    await this.#protocol.close()
  }

  async #leave(): Promise<void> {
    const sends: Array<Promise<void>> = []
    for (const effect of this.#core.handle({ type: 'leave' }, this.#clock())) {
      if (effect.type !== 'send') this.#run(effect)
      // Nobody is dialled for a good-bye.
      else if (this.#network.isConnected(effect.to)) sends.push(this.#send(effect.to, effect.message))
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, LEAVE_TIMEOUT_MS)
    })
    // Closing a channel sends what it has accepted: when all are closed, everybody connected has been told.
    const told = Promise.all(sends).then(() =>
      Promise.allSettled(this.#protocol.channels().map(channel => channel.close()))
    )
    await Promise.race([told, late])
    clearTimeout(timer)
  }

  readonly #onConnected = ({ detail: { peer } }: NetworkEvents['connected']): void => {
    this.#handle({ type: 'connected', peer })
  }

  readonly #onDisconnected = ({ detail: { peer } }: NetworkEvents['disconnected']): void => {
    this.#handle({ type: 'disconnected', peer })
    this.#askAfter(peer)
  }

  readonly #onDisplaced = ({ detail: { peer } }: NetworkEvents['displaced']): void => {
    this.#askAfter(peer)
  }

  readonly #onAddresses = ({ detail }: NetworkEvents['addresses']): void => {
    const addresses = atMost(detail.addresses)
    if (addresses.join() === this.self.addresses.join()) return
    this.#handle({ type: 'update', change: { addresses } })
  }

  /** The crash fast path (docs/membership.md). */
  #askAfter(peer: PeerIdString): void {
    const member = this.get(peer)
    if (member !== undefined && isLive(member) && this.#left === undefined) void this.#askKernel(member)
  }

  async #askKernel({ id, incarnation }: Member): Promise<void> {
    try {
      const answer = await this.#network.askKernel(id, { signal: this.#stopped.signal })
      this.#logger?.debug({ peerId: id, answer }, 'asked whether the peer crashed')
      if (answer !== 'refused' || this.#network.isConnected(id)) return
      // It may have come back and gone on while the kernel was asked: that answer names no incarnation but this one.
      if (this.get(id)?.incarnation === incarnation) this.#handle({ type: 'refused', peer: id })
    } catch (error) {
      this.#logger?.debug({ peerId: id, error }, 'could not ask whether the peer crashed')
    }
  }

  #handle(event: SwimEvent): void {
    if (this.#stopped.signal.aborted) return
    for (const effect of this.#core.handle(event, this.#clock())) this.#run(effect)
  }

  #run(effect: SwimEffect): void {
    switch (effect.type) {
      case 'send':
        void this.#send(effect.to, effect.message)
        break
      case 'gossip':
        this.#publish(effect)
        break
      case 'timer':
        this.#time(effect.name, effect.delay)
        break
      case 'merge':
        this.#merge(effect.from, effect.state)
        break
      case 'member':
        this.#tell(effect.member, effect.previous)
        break
      case 'dropped':
        this.#network.forget(effect.id)
        break
      case 'foreign':
        this.#tellForeign(effect.id)
        break
      case 'neighbours':
        this.#network.stayConnected('neighbours', effect.ids ?? 'all')
        break
      case 'ready':
        this.dispatchEvent(new CustomEvent('ready'))
        break
    }
  }

  async #send(to: PeerIdString, message: SwimMessage): Promise<void> {
    const limit = message.type === 'sync' ? SYNC_TIMEOUT_MS : this.#profile.period
    // Not AbortSignal.timeout, which goes on when all is done, and then makes an error with its stack for nobody.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), limit)
    try {
      await this.#protocol.send(to, message, { signal: late.signal })
      this.#logger?.debug({ peerId: to, message: message.type }, 'a membership message was sent')
    } catch (error) {
      // The same as no answer: probing and the next push-pull deal with it. A client never speaks this protocol.
      this.#logger?.debug({ peerId: to, message: message.type, error }, 'a membership message was not sent')
    } finally {
      clearTimeout(timer)
    }
  }

  #publish({ record }: Extract<SwimEffect, { type: 'gossip' }>): void {
    try {
      this.#gossip.publish(record)
    } catch (error) {
      this.#logger?.debug({ error }, 'a membership record was not gossiped')
    }
  }

  #time(name: string, delay: number | undefined): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    if (delay === undefined) return
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      if (name === 'probe' && this.#lag.wasLate()) this.#handle({ type: 'lag' })
      const meeting = name === 'lone-start' && this.#network.isMeeting
      this.#handle(meeting ? { type: 'meeting' } : { type: 'timer', name })
    }, delay)
    this.#timers.set(name, timer)
  }

  #tell(member: Member, previous: Member | undefined): void {
    if (member.id !== this.#network.self) {
      // Dead ones stay learnt: the network tries them again, and so two halves of a cut cluster meet.
      if (member.state === 'left') this.#network.forget(member.id)
      else this.#network.learn(member.id, member.addresses, member.host || undefined)
      if (member.state !== previous?.state) {
        this.#logger?.info(
          { event: 'member', peerId: member.id, state: member.state, incarnation: member.incarnation },
          `member is ${member.state}`
        )
      }
    }
    this.dispatchEvent(new CustomEvent('member', { detail: { member, previous } }))
    // What was dropped on the way holds TCP back for up to two minutes, and an open connection keeps the network from
    // dialling: a healed cut would stay unnoticed that long.
    if (member.state === 'dead' && previous?.state !== 'dead') this.#network.disconnect(member.id)
  }

  #tellForeign(id: PeerIdString): void {
    if (this.#foreign.has(id) || this.#foreign.size >= MAX_FOREIGN) return
    this.#foreign.add(id)
    this.#logger?.warn(
      { peerId: id },
      'a peer is not admitted: its `voters` or `leaseTime` are not those of this peer; give all peers of a cluster the same ones'
    )
  }

  #localState(): Uint8Array {
    const state = this.#delegate?.localState() ?? new Uint8Array()
    if (state.length <= MAX_STATE_BYTES) return state
    this.#logger?.error({ bytes: state.length }, 'the state for push-pulls is too large and was left out')
    return new Uint8Array()
  }

  #merge(from: PeerIdString, state: Uint8Array): void {
    if (state.length === 0) return
    if (this.#delegate !== undefined) this.#delegate.mergeRemoteState(from, state)
    else if (this.#unmerged.length < MAX_UNMERGED) this.#unmerged.push({ from, state })
  }
}

function atMost(addresses: string[]): string[] {
  return addresses.filter(address => address.length <= RECORD_LIMITS.addressLength).slice(0, RECORD_LIMITS.addresses)
}

/** What a caller asked to be said about this peer may be too much for a record. */
function allowed<T>(run: () => T): T {
  try {
    return run()
  } catch (cause) {
    if (!(cause instanceof InvalidMessageError)) throw cause
    throw new InvalidOptionError(`what this peer says about itself does not fit a record: ${cause.message}`, { cause })
  }
}
