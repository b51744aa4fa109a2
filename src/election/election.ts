/** Connects the election core to the network, the membership and real timers. */
import { TypedEventEmitter } from 'main-event'
import { InvalidMessageError, StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import type { Histogram } from '../lib/histogram.ts'
import type { Member } from '../membership/core/member.ts'
import { isLive } from '../membership/core/member.ts'
import type { Profile } from '../membership/profile.ts'
import type { Membership, MembershipEvents } from '../membership/types.ts'
import type { Admission } from '../network/guard/admission.ts'
import type { Refusals } from '../network/guard/refusals.ts'
import type { Network, PeerIdString, Topic } from '../network/types.ts'
import { acceptedBefore } from './accepted-before.ts'
import type { LeadershipRecord } from './audit-log.ts'
import { type AnyMessage, createCodec, MAX_MESSAGE_BYTES } from './codec.ts'
import type { ElectionMember } from './core/electable-members.ts'
import { ElectionCore } from './core/election-core.ts'
import type { CoreEffect, CoreEvent, CoreTimer } from './core/events.ts'
import type { CoordinatorMessage } from './core/messages.ts'
import type { RankOrder } from './core/rank.ts'
import { createLease } from './create-lease.ts'
import { type Electorate, electorateOf, leaseTimeOf, orderOf } from './electorate.ts'
import { HandOffRunner } from './hand-off-runner.ts'
import { LeadershipRecorder } from './leadership-recorder.ts'
import type { LeadershipStats } from './leadership-stats.ts'
import type { Lease } from './lease.ts'
import { PersistFirst } from './persist-first.ts'
import { electionTimes } from './profile.ts'
import type { LeaseTerms } from './quorum/lease.ts'
import { Sender } from './sender.ts'
import { createStatements, type Statements } from './statements.ts'
import type { Election, ElectionEvents, ElectionStore, HandOff, HolderRecord, Leadership } from './types.ts'

export interface ElectionOptions {
  network: Network
  membership: Membership
  profile: Profile
  /** The newest epoch known from earlier runs. This peer claims only higher epochs. Default 0. */
  epoch?: number | undefined
  /** The store of the state that this peer keeps between its runs. Default: none. */
  store?: ElectionStore | undefined
  /** The strategy and what grants leases, the same at all peers. Default: Bully without voters. */
  electorate?: Electorate | undefined
  /** Whether this peer takes over from a live leader that ranks lower. Default true. */
  preempt?: boolean | undefined
  logger?: Logger
  /** Records spans of elections. Default: none. */
  tracer?: Tracer | undefined
}

/** Creates this peer's part in the cluster's elections, and starts it. */
export function createElection(options: ElectionOptions): Election {
  return new PeerElection(options)
}

class PeerElection extends TypedEventEmitter<ElectionEvents> implements Election {
  readonly #self: PeerIdString
  readonly #refusals: Refusals
  readonly #admission: Admission
  readonly #membership: Membership
  readonly #logger: Logger | undefined
  readonly #core: ElectionCore
  readonly #terms: LeaseTerms | undefined
  readonly #electorate: string
  readonly #lease: Lease | undefined
  readonly #sender: Sender
  readonly #topic: Topic
  readonly #timers = new Map<CoreTimer, NodeJS.Timeout>()
  readonly #stopping = new AbortController()
  #leftCluster: () => void = () => {}
  #stopWatchingDisk: () => void = () => {}
  readonly #left = new Promise<void>(resolve => {
    this.#leftCluster = resolve
  })
  readonly #handOffs: HandOffRunner
  readonly #recorder: LeadershipRecorder
  readonly #effects: PersistFirst<CoreEffect>
  #leader: Leadership | undefined
  /** The time since the end of the lease, in ms. Set only while the core handles the loss of the lease. */
  #lostAgo: number | undefined

  constructor(options: ElectionOptions) {
    super()
    const { network, membership, profile, epoch = 0, store, preempt = true, logger } = options
    const { electorate = { strategy: 'bully' } } = options
    const { strategy, terms } = electorate
    this.#self = network.self
    this.#refusals = network.refusals
    this.#admission = network.admission
    this.#membership = membership
    this.#logger = logger
    this.#handOffs = new HandOffRunner(logger)
    this.#recorder = new LeadershipRecorder({
      self: network.self,
      clusterId: network.clusterId,
      membership,
      hasLease: leaseTimeOf(electorate) !== undefined,
      logger,
      tracer: options.tracer
    })
    this.#electorate = electorateOf(electorate)
    // Only peers of the same electorate accept each other's signatures.
    const domain = this.#electorate === '' ? network.clusterId : `${network.clusterId} ${this.#electorate}`
    const statements = createStatements(domain, network.privateKey)
    this.#terms = terms
    const accepted = acceptedBefore(store, statements, logger)
    this.#core = new ElectionCore({
      self: this.#self,
      times: electionTimes(profile),
      signer: statements.signer,
      epoch,
      accepted,
      voters: terms?.voters,
      strategy,
      preempt
    })
    this.#effects = new PersistFirst(
      {
        write: ({ signed, epoch }, done) => {
          if (store === undefined) done()
          else void store.keepAccepted(signed, epoch).then(done)
        },
        perform: effect => this.#perform(effect)
      },
      accepted
    )
    this.#lease = createLease({
      self: this.#self,
      electorate,
      profile,
      membership,
      store,
      logger,
      peer: this.#core.peer,
      send: (to, message) => this.#sender.send(to, { ...message, terms: this.#electorate }),
      told: event => {
        this.#lostAgo = event.type === 'lost' ? event.ago : undefined
        this.#handle(event)
        this.#lostAgo = undefined
      }
    })
    const protocol = network.register(
      { name: 'election', codec: createCodec(statements), maxMessageBytes: MAX_MESSAGE_BYTES, needs: 'join' },
      { onMessage: (message, { remote }) => this.#onMessage(remote, message) }
    )
    this.#sender = new Sender(protocol, this.#stopping.signal, logger)
    this.#topic = network.subscribe(
      'leader',
      data => void statements.readCoordinator(data),
      data => {
        const coordinator = statements.readCoordinator(data)
        this.#countOutOfReach(coordinator.leader, coordinator)
        if (this.#mayLead(coordinator)) this.#handle({ type: 'gossip', coordinator })
      }
    )
    this.#followMembership(statements)
    if (terms !== undefined && store !== undefined) this.#stopWatchingDisk = this.#watchDisk(store)
  }

  get leader(): Leadership | undefined {
    return this.#leader?.id === this.#self && this.remaining === 0 ? undefined : this.#leader
  }

  get isLeader(): boolean {
    return this.remaining > 0
  }

  get remaining(): number {
    if (this.#leader?.id !== this.#self) return 0
    return this.#lease === undefined ? Number.POSITIVE_INFINITY : this.#lease.remaining(this.#leader.epoch)
  }

  history(): LeadershipRecord[] {
    return this.#recorder.audit.records()
  }

  stats(): LeadershipStats {
    return this.#recorder.meter.stats(performance.now())
  }

  durations(): Histogram {
    return this.#recorder.meter.durations()
  }

  get voters(): readonly PeerIdString[] | undefined {
    return this.#terms?.voters
  }

  get storeNumber(): string | undefined {
    return this.isLeader ? this.#lease?.number : undefined
  }

  get holders(): HolderRecord | undefined {
    return this.isLeader ? this.#lease?.holders : undefined
  }

  setMargin(margin: number | undefined): void {
    this.#handle({ type: 'margin', margin })
  }

  get order(): RankOrder {
    return orderOf(this.#electorate)
  }

  accepts(from: PeerIdString, epoch: number): boolean {
    return this.#core.peer.obeys(from, epoch)
  }

  onHandOff(handOff: HandOff, takes = (): number => 0): () => void {
    return this.#handOffs.add(handOff, takes)
  }

  async leave(): Promise<void> {
    this.#handle({ type: 'leave' })
    await this.#left
    // The go-ahead must be on its way before the connections close.
    await Promise.all([this.#sender.flush(), this.#lease?.flush()])
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort(new StoppedError('the election was stopped'))
    this.#membership.removeEventListener('member', this.#onMember)
    this.#membership.removeEventListener('ready', this.#onReady)
    this.#handOffs.cancel(this.#stopping.signal.reason)
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#stopWatchingDisk()
    this.#leftCluster()
    this.#recorder.meter.stopped(performance.now())
    this.#topic.close()
    await Promise.all([this.#sender.stop(), this.#lease?.stop()])
  }

  /** Reports to the core whether the disk is writable. A voter that cannot write a promise gives no promise, not even to itself, and must not claim. */
  #watchDisk(store: ElectionStore): () => void {
    const tell = (writable: boolean): void => {
      if (!writable) {
        this.#logger?.error(
          {},
          'this voter gives no new vote, and does not begin to lead, until its data folder is writable'
        )
      }
      this.#handle({ type: 'disk', writable })
    }
    if (!store.writable) tell(false)
    return store.onWritable(tell)
  }

  #followMembership(statements: Statements): void {
    this.#membership.setDelegate({
      localState: () => this.#effects.written?.signed ?? new Uint8Array(),
      mergeRemoteState: (from, state) => {
        if (state.length > 0) this.#merge(from, state, statements)
      }
    })
    this.#membership.addEventListener('member', this.#onMember)
    this.#membership.addEventListener('ready', this.#onReady)
    for (const member of this.#membership.members())
      this.#handle({ type: 'member', member: this.#toElectionMember(member) })
    if (this.#membership.isReady) this.#onReady()
  }

  /** Merges state from a push-pull. Ignores invalid state, because it must not make the membership's push-pull fail. */
  #merge(from: PeerIdString, state: Uint8Array, statements: Statements): void {
    try {
      const coordinator = statements.readCoordinator(state)
      if (this.#membership.isReady) this.#countOutOfReach(from, coordinator)
      if (this.#mayLead(coordinator)) this.#handle({ type: 'pushPull', from, coordinator })
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error
      this.#logger?.warn({ peerId: from, error }, 'a push-pull brought an invalid leadership')
    }
  }

  readonly #onMember = ({ detail }: MembershipEvents['member']): void => {
    this.#handle({ type: 'member', member: this.#toElectionMember(detail.member) })
  }

  readonly #onReady = (): void => {
    this.#recorder.ready()
    this.#handle({ type: 'ready' })
  }

  #handle(event: CoreEvent): void {
    if (this.#stopping.signal.aborted) return
    const effects = this.#core.handle(event, performance.now())
    const isCancelled = effects.some(({ type }) => type === 'cancelHandOff')
    for (const effect of effects) this.#record(effect, isCancelled)
    if (!this.#core.isMoving) this.#recorder.clock.stays()
    this.#effects.add(effects)
    // A new leader is shown when its leadership is on disk. The end of this peer's own leadership is shown immediately.
    if (this.#leader?.id === this.#self && !this.#core.peer.isLeader) this.#show(undefined)
  }

  /** Records the decisions of the core, even while its effects wait for the disk. */
  #record(effect: CoreEffect, isCancelled: boolean): void {
    if (effect.type === 'send' && effect.message.type === 'request') this.#recorder.clock.asks(performance.now())
    else if (effect.type === 'handOff') this.#recorder.clock.handsOver(performance.now())
    else if (effect.type === 'leader') {
      this.#recorder.changed(effect.leader, {
        accepted: this.#core.peer.accepted,
        hasHandedOver: this.#handOffs.isDone && !isCancelled,
        lostAgo: this.#lostAgo
      })
      if (effect.leader?.id === this.#self) this.#handOffs.forget()
    }
  }

  #onMessage(from: PeerIdString, message: AnyMessage): void {
    if (message.type === 'coordinator') {
      this.#countOutOfReach(from, message.coordinator)
      if (!this.#mayLead(message.coordinator)) return
    }
    if (!('terms' in message)) this.#handle({ type: 'message', from, message })
    else if (message.terms === this.#electorate) this.#lease?.onMessage?.(from, message)
    else
      this.#logger?.warn({ peerId: from }, 'ignored a lease message of a peer with other voters or another lease time')
  }

  /** Whether this peer's allow list contains the leader. The sender may have another allow list, or none. */
  #mayLead({ leader }: CoordinatorMessage): boolean {
    return this.#admission.may(leader, 'join')
  }

  /** Counts a leadership that the core ignores because its epoch is out of reach. */
  #countOutOfReach(from: PeerIdString, { epoch, leader }: CoordinatorMessage): void {
    if (this.#core.peer.isInReach(epoch)) return
    this.#refusals.count(
      'epoch',
      from,
      `a leadership of ${leader} with epoch ${epoch}, which no election can have reached`
    )
  }

  #toElectionMember(member: Member): ElectionMember {
    const { id, electionPriority, role } = member
    const electable = role !== 'worker' && this.#terms?.voters.includes(id) !== false
    return { id, priority: electionPriority, electable, live: isLive(member) }
  }

  #perform(effect: Exclude<CoreEffect, { type: 'persist' }>): void {
    if (this.#stopping.signal.aborted) return
    switch (effect.type) {
      case 'send':
        this.#sender.send(effect.to, effect.message)
        break
      case 'gossip':
        this.#topic.publish(effect.coordinator.signed)
        break
      case 'leader':
        this.#show(effect.leader)
        break
      case 'timer':
        this.#setTimer(effect.name, effect.delay)
        break
      case 'handOff':
        void this.#runHandOff(effect.to)
        break
      case 'cancelHandOff':
        this.#handOffs.cancel(new Error('the hand-off was cancelled'))
        break
      case 'seek':
        this.#lease?.seek(effect.above)
        break
      case 'release':
        this.#lease?.release(effect.heir)
        break
      case 'left':
        this.#leftCluster()
        break
    }
  }

  #show(leader: Leadership | undefined): void {
    const previous = this.#leader
    if (leader === undefined && previous === undefined) return
    this.#leader = leader
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader, previous } }))
  }

  #setTimer(name: CoreTimer, delay: number | undefined): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    if (delay === undefined) return
    const longer = name === 'handOff' ? this.#handOffs.extraTime : 0
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      this.#handle({ type: 'timer', name })
    }, delay + longer)
    this.#timers.set(name, timer)
  }

  async #runHandOff(to: PeerIdString): Promise<void> {
    const ok = await this.#handOffs.run(to)
    if (ok !== undefined) this.#handle({ type: 'handedOff', to, ok })
  }
}
