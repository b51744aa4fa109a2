/** Connects the membership core to the network, the clock and the timers. */
import { TypedEventEmitter } from 'main-event'
import { InvalidMessageError, InvalidOptionError } from '../common/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../common/limits.ts'
import type { Logger } from '../common/logger.ts'
import { atMost } from '../lib/abort.ts'
import type { TimerEvent } from '../lib/core.ts'
import { CoreTimers } from '../lib/core-timers.ts'
import { ratesOf } from '../network/guard/rates.ts'
import { TokenBuckets } from '../network/guard/token-buckets.ts'
import type { Network, NetworkEvents, PeerIdString, Protocol, Topic } from '../network/types.ts'
import { createAckProofs } from './ack-proofs.ts'
import { admittedRecords } from './admitted-records.ts'
import { isLive, type Member, type MemberMetadata } from './core/member.ts'
import type { SwimEffect, SwimEvent, SwimMessage } from './core/messages.ts'
import { authorOf, type Signed } from './core/record.ts'
import { Swim } from './core/swim.ts'
import { LoopLag } from './loop-lag.ts'
import type { Profile } from './profile.ts'
import { RECORD_LIMITS } from './record-limits.ts'
import { RecordRateLimiter } from './record-rate-limiter.ts'
import { RecordSigner } from './record-signer.ts'
import { decodeEnvelope, encodeEnvelope, MAX_STATE_BYTES, swimProtocol } from './swim-codec.ts'
import type { Membership, MembershipEvents, MembershipStats, PushPullDelegate } from './types.ts'

export interface MembershipInit {
  network: Network
  metadata: MemberMetadata
  profile: Profile
  logger?: Logger
  /** The first incarnation. It must be higher than all incarnations of earlier runs. Default 0. */
  incarnation?: number | undefined
  /** For how long the network has looked for other peers, in ms. The lone-start delay ends earlier by this time if it has found none. Default 0. */
  searchedFor?: number | undefined
  /** Returns the time in ms since the epoch, and never goes back. By default, the time is the wall clock at the start plus the monotonic clock. */
  clock?: () => number
  /** The wall clock, in ms since the Unix epoch, which may be set. Default: the clock of this machine. */
  wall?: (() => number) | undefined
  /** The limits on input from other peers. Default: {@link DEFAULT_LIMITS}. */
  limits?: Limits | undefined
}

/** The time (ms) for which a leaving peer waits until its announcement is sent. */
const LEAVE_TIMEOUT_MS = 1_000
/** The time limit for sending a push-pull, in ms. The time includes the dial. */
const SYNC_TIMEOUT_MS = 5_000
/** The limit of received states that wait until the job layer sets the delegate. */
const MAX_UNMERGED = 64
/** The limit of warnings about peers of another electorate. The log contains one warning for each such peer. */
const MAX_FOREIGN = 64

/**
 * Creates the membership of this peer over `network`, and begins to join at once.
 *
 * @throws InvalidOptionError if the metadata exceeds the limits of a record
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
  readonly #topic: Topic
  readonly #timers = new CoreTimers(event => this.#onTimer(event))
  readonly #lag: LoopLag
  readonly #stopped = new AbortController()
  /** The peers of another electorate that the log has warned about. */
  readonly #foreign = new Set<PeerIdString>()
  #delegate: PushPullDelegate | undefined
  #unmerged: Array<{ from: PeerIdString; state: Uint8Array }> = []
  #left: Promise<void> | undefined
  readonly #wall: () => number

  constructor(init: MembershipInit) {
    super()
    const {
      network,
      metadata,
      profile,
      logger,
      incarnation = 0,
      searchedFor = 0,
      clock,
      wall = Date.now,
      limits = DEFAULT_LIMITS
    } = init
    this.#network = network
    this.#profile = profile
    this.#logger = logger
    this.#wall = wall
    this.#clock = clock ?? (() => performance.timeOrigin + performance.now())
    const { admission } = network
    const signer = new RecordSigner(network)
    const limiter = new RecordRateLimiter(new TokenBuckets(ratesOf(limits).records))
    this.#core = fitting(
      () =>
        new Swim({
          self: network.self,
          metadata: { ...metadata, addresses: fewer(metadata.addresses) },
          profile,
          maxMembers: limits.members,
          incarnation,
          sign: signer.sign,
          ackProofs: createAckProofs(network),
          hasBacklog: member => limiter.hasBacklog(member),
          random: Math.random,
          wall: () => Math.max(0, Math.floor(wall())),
          localState: () => this.#localState()
        })
    )
    this.#lag = new LoopLag(profile.stallTolerance)
    this.#protocol = network.register(swimProtocol(signer), {
      onOpen: channel => limiter.opened(channel),
      onDecoding: ({ remote }) => limiter.addWaiting(remote),
      onMessage: (message, channel) =>
        limiter.admit(message, channel, this.#core.size, () =>
          this.#handle({ type: 'message', from: channel.remote, message: admittedRecords(message, admission) })
        )
    })
    const verify = (data: Uint8Array): Signed => signer.verify(decodeEnvelope(data))
    this.#topic = network.subscribe('members', verify, data => {
      const record = verify(data)
      if (admission.may(authorOf(record.record), 'join')) this.#handle({ type: 'gossip', record })
    })
    network.addEventListener('connected', this.#onConnected)
    network.addEventListener('disconnected', this.#onDisconnected)
    network.addEventListener('displaced', this.#onDisplaced)
    network.addEventListener('addresses', this.#onAddresses)
    this.#handle({ type: 'start', searchedFor: network.connected().length === 0 ? searchedFor : 0 })
    // Peers that connected before this peer registered the protocol had no chance to exchange tables.
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

  clockOffset(): number | undefined {
    return this.#core.clockOffset(this.#wall(), this.#clock())
  }

  update(change: Partial<MemberMetadata>): void {
    fitting(() => this.#handle({ type: 'update', change }))
  }

  setDelegate(delegate: PushPullDelegate): void {
    this.#delegate = delegate
    for (const { from, state } of this.#unmerged.splice(0)) delegate.mergeRemoteState(from, state)
  }

  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  async stop(): Promise<void> {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    this.#timers.stop()
    this.#lag.stop()
    this.#network.removeEventListener('connected', this.#onConnected)
    this.#network.removeEventListener('disconnected', this.#onDisconnected)
    this.#network.removeEventListener('displaced', this.#onDisplaced)
    this.#network.removeEventListener('addresses', this.#onAddresses)
    this.#topic.close()
    await this.#protocol.close()
  }

  async #leave(): Promise<void> {
    const sends: Array<Promise<void>> = []
    for (const effect of this.#core.handle({ type: 'leave' }, this.#clock())) {
      if (effect.type !== 'send') this.#run(effect)
      // This peer dials no member to announce its leave.
      else if (this.#network.isConnected(effect.to)) sends.push(this.#send(effect.to, effect.message))
    }
    // A channel sends its queued messages before it closes. So when all channels are closed, every connected member has the leave announcement.
    const sent = Promise.all(sends).then(() =>
      Promise.allSettled(this.#protocol.channels().map(channel => channel.close()))
    )
    await atMost(sent, LEAVE_TIMEOUT_MS)
  }

  readonly #onConnected = ({ detail: { peer } }: NetworkEvents['connected']): void => {
    this.#handle({ type: 'connected', peer })
  }

  readonly #onDisconnected = ({ detail: { peer } }: NetworkEvents['disconnected']): void => {
    this.#handle({ type: 'disconnected', peer })
    void this.#checkCrash(peer)
  }

  readonly #onDisplaced = ({ detail: { peer } }: NetworkEvents['displaced']): void => {
    void this.#checkCrash(peer)
  }

  readonly #onAddresses = ({ detail }: NetworkEvents['addresses']): void => {
    const addresses = fewer(detail.addresses)
    if (addresses.join() === this.self.addresses.join()) return
    this.#handle({ type: 'update', change: { addresses } })
  }

  /** The crash fast path (docs/membership.md): after a close, asks the kernel of the member's machine whether the process has ended. */
  async #checkCrash(peer: PeerIdString): Promise<void> {
    const member = this.#core.get(peer)
    if (member === undefined || !isLive(member) || this.#left !== undefined) return
    try {
      const answer = await this.#network.askKernel(peer, { signal: this.#stopped.signal })
      this.#logger?.debug({ peerId: peer, answer }, 'asked whether the peer crashed')
      if (answer !== 'refused' || this.#network.isConnected(peer)) return
      // If the member has returned with a higher incarnation since the question, the refusal does not count against the new incarnation.
      if (this.#core.get(peer)?.incarnation === member.incarnation) this.#handle({ type: 'refused', peer })
    } catch (error) {
      this.#logger?.debug({ peerId: peer, error }, 'could not ask whether the peer crashed')
    }
  }

  #handle(event: SwimEvent): void {
    if (this.#stopped.signal.aborted) return
    for (const effect of this.#core.handle(event, this.#clock())) this.#run(effect)
  }

  #run(effect: SwimEffect) {
    switch (effect.type) {
      case 'send':
        void this.#send(effect.to, effect.message)
        return
      case 'gossip':
        return this.#gossip(effect.record)
      case 'timer':
        return this.#timers.set(effect)
      case 'merge':
        return this.#merge(effect.from, effect.state)
      case 'member':
        return this.#onMember(effect.member, effect.previous)
      case 'dropped':
        return this.#network.forget(effect.id)
      case 'foreign':
        return this.#warnOfForeign(effect.id, effect.electorate)
      case 'neighbours':
        return this.#network.stayConnected('neighbours', effect.ids ?? 'all')
      case 'ready':
      case 'met':
      case 'outdated':
        this.dispatchEvent(new CustomEvent(effect.type))
        return
    }
  }

  async #send(to: PeerIdString, message: SwimMessage): Promise<void> {
    const limit = message.type === 'sync' ? SYNC_TIMEOUT_MS : this.#profile.period
    // `AbortSignal.timeout` would keep running after the message is sent, and would then create an unused error with a stack.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), limit)
    try {
      await this.#protocol.send(to, message, { signal: late.signal })
      this.#logger?.debug({ peerId: to, message: message.type }, 'a membership message was sent')
    } catch (error) {
      // A message that cannot be sent gets no answer, and probes and push-pulls handle missing answers. A client never speaks this protocol.
      this.#logger?.debug({ peerId: to, message: message.type, error }, 'a membership message was not sent')
    } finally {
      clearTimeout(timer)
    }
  }

  #gossip({ envelope }: Signed): void {
    try {
      this.#topic.publish(encodeEnvelope(envelope))
    } catch (error) {
      this.#logger?.debug({ error }, 'a membership record was not gossiped')
    }
  }

  #onTimer(event: TimerEvent): void {
    if (event.name === 'probe' && this.#lag.wasLate()) this.#handle({ type: 'lag' })
    const isDialling = event.name === 'lone-start' && this.#network.isMeeting
    this.#handle(isDialling ? { type: 'dialling' } : event)
  }

  #onMember(member: Member, previous: Member | undefined): void {
    if (member.id !== this.#network.self) {
      // The network keeps dialling dead members, so that two halves of a partitioned cluster meet.
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
    // After a loss, TCP waits up to two minutes, and the network does not dial while a connection is open. Without a disconnect, a healed partition
    // would stay unnoticed for that time.
    if (member.state === 'dead' && previous?.state !== 'dead') this.#network.disconnect(member.id)
  }

  #warnOfForeign(id: PeerIdString, electorate: string): void {
    if (this.#foreign.has(id) || this.#foreign.size >= MAX_FOREIGN) return
    this.#foreign.add(id)
    this.#logger?.warn(
      { peerId: id, electorate, own: this.self.electorate },
      'a peer is not admitted: its `election`, `voters` or `leaseTime` are not those of this peer; give all peers of a cluster the same ones'
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

/** Drops the addresses that exceed the limits of a record. */
function fewer(addresses: string[]): string[] {
  return addresses.filter(address => address.length <= RECORD_LIMITS.addressLength).slice(0, RECORD_LIMITS.addresses)
}

/** Runs `run`. Rethrows an error about metadata that exceeds the limits of a record as an InvalidOptionError. */
function fitting<T>(run: () => T): T {
  try {
    return run()
  } catch (cause) {
    if (!(cause instanceof InvalidMessageError)) throw cause
    throw new InvalidOptionError(`the metadata of this peer does not fit into a record: ${cause.message}`, { cause })
  }
}
