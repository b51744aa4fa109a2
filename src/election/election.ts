/** Ties the election core to the network, the membership and real timers. */
import { setTimeout as delay } from 'node:timers/promises'
import { TypedEventEmitter } from 'main-event'
import { InvalidMessageError, StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Tracer } from '../common/tracing.ts'
import { signalAfter } from '../lib/abort.ts'
import type { Histogram } from '../lib/histogram.ts'
import type { Member } from '../membership/core/member.ts'
import { isLive } from '../membership/core/member.ts'
import type { Profile } from '../membership/profile.ts'
import type { Membership, MembershipEvents } from '../membership/types.ts'
import type { Admission } from '../network/guard/admission.ts'
import type { Refusals } from '../network/guard/refusals.ts'
import type { Network, PeerIdString, Protocol, Topic } from '../network/types.ts'
import { AuditLog, type EndReason, type LeadershipRecord } from './audit-log.ts'
import { type AnyMessage, createCodec, MAX_MESSAGE_BYTES } from './codec.ts'
import { Bully } from './core/bully.ts'
import type { Elector } from './core/electorate.ts'
import type { BullyEffect, BullyEvent, BullyTimer } from './core/events.ts'
import type { Coordinator } from './core/messages.ts'
import { ElectionClock, type PastElection } from './election-clock.ts'
import { electionSpan } from './election-span.ts'
import { LeadershipMeter, type LeadershipStats } from './leadership-stats.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import { digestOf } from './lease-terms.ts'
import { electionTimes } from './profile.ts'
import type { LeaseTerms } from './quorum/lease.ts'
import { createStatements, type Statements } from './statements.ts'
import type { Election, ElectionEvents, ElectionStore, HandOff, Leadership } from './types.ts'

export interface ElectionOptions {
  network: Network
  membership: Membership
  profile: Profile
  /** The newest epoch known from earlier runs: what this peer mints is above it, too. Default 0. */
  epoch?: number | undefined
  /** What this peer keeps between its runs. Default: nothing. */
  store?: ElectionStore | undefined
  /** Leads only by leases from a majority of voters. Default: it leads without. */
  terms?: LeaseTerms | undefined
  /** Whether this peer takes over from a live leader that ranks lower. Default true. */
  preempt?: boolean | undefined
  logger?: Logger
  /** Default: none. */
  tracer?: Tracer | undefined
}

/** A message that does not get through within this is given up, in ms: what matters is repeated. */
const SEND_TIMEOUT = 5_000

/** How long leaving waits for messages that are being sent, in ms. */
const FLUSH_TIMEOUT = 1_000

/** Takes part in the cluster's elections from now on. */
export function createElection(options: ElectionOptions): Election {
  return new BullyElection(options)
}

class BullyElection extends TypedEventEmitter<ElectionEvents> implements Election {
  readonly #self: PeerIdString
  readonly #refusals: Refusals
  readonly #admission: Admission
  readonly #membership: Membership
  readonly #logger: Logger | undefined
  readonly #tracer: Tracer | undefined
  readonly #clusterId: string
  readonly #core: Bully
  readonly #terms: LeaseTerms | undefined
  readonly #digest: string
  readonly #lease: LeaseKeeper | undefined
  readonly #store: ElectionStore | undefined
  readonly #protocol: Protocol<AnyMessage>
  readonly #topic: Topic
  readonly #timers = new Map<BullyTimer, NodeJS.Timeout>()
  readonly #sending = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #leftCluster: () => void = () => {}
  #stopWatchingDisk: () => void = () => {}
  readonly #left = new Promise<void>(resolve => {
    this.#leftCluster = resolve
  })
  readonly #handOffs: Array<{ handOff: HandOff; takes: () => number }> = []
  #handingOff: AbortController | undefined
  #leader: Leadership | undefined
  readonly #audit = new AuditLog()
  readonly #meter = new LeadershipMeter()
  readonly #clock = new ElectionClock()
  /** While the loss of a lease is being dealt with: how long ago it ended, in ms. */
  #lostAgo: number | undefined

  constructor(options: ElectionOptions) {
    super()
    const { network, membership, profile, epoch = 0, store, terms, preempt = true, logger } = options
    this.#self = network.self
    this.#refusals = network.refusals
    this.#admission = network.admission
    this.#membership = membership
    this.#logger = logger
    this.#tracer = options.tracer
    this.#clusterId = network.clusterId
    // What is signed counts among those only who elect by the same terms.
    const electorate = terms === undefined ? network.clusterId : `${network.clusterId} ${digestOf(terms)}`
    const statements = createStatements(electorate, network.privateKey)
    this.#store = store
    this.#terms = terms
    this.#digest = digestOf(terms)
    this.#core = new Bully({
      self: this.#self,
      times: electionTimes(profile),
      signer: statements.signer,
      epoch,
      accepted: this.#acceptedBefore(statements),
      voters: terms?.voters,
      preempt
    })
    this.#lease = terms && this.#createLease(terms)
    this.#protocol = network.register(
      { name: 'election', codec: createCodec(statements), maxMessageBytes: MAX_MESSAGE_BYTES, needs: 'join' },
      { onMessage: (message, { remote }) => this.#onMessage(remote, message) }
    )
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
    return this.#lease === undefined ? Number.POSITIVE_INFINITY : this.#lease.remaining
  }

  history(): LeadershipRecord[] {
    return this.#audit.records()
  }

  stats(): LeadershipStats {
    return this.#meter.stats(performance.now())
  }

  durations(): Histogram {
    return this.#meter.durations()
  }

  get voters(): readonly PeerIdString[] | undefined {
    return this.#terms?.voters
  }

  accepts(from: PeerIdString, epoch: number): boolean {
    return this.#core.accepts(from, epoch)
  }

  onHandOff(handOff: HandOff, takes = (): number => 0): void {
    this.#handOffs.push({ handOff, takes })
  }

  async leave(): Promise<void> {
    this.#handle({ type: 'leave' })
    await this.#left
    // The go-ahead must be on its way before the connections close.
    await Promise.race([Promise.all(this.#sending), delay(FLUSH_TIMEOUT, undefined, { ref: false })])
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort(new StoppedError('the election was stopped'))
    this.#membership.removeEventListener('member', this.#onMember)
    this.#membership.removeEventListener('ready', this.#onReady)
    this.#handingOff?.abort(this.#stopping.signal.reason)
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#stopWatchingDisk()
    this.#lease?.stop()
    this.#leftCluster()
    this.#meter.stopped(performance.now())
    this.#topic.close()
    await this.#protocol.close()
    await Promise.all(this.#sending)
  }

  /** A voter that can keep no promise gives none, so it cannot begin to lead either, and stands in nobody's way. */
  #watchDisk(store: ElectionStore): () => void {
    const tell = (writable: boolean): void => {
      if (!writable) {
        this.#logger?.error(
          {},
          'this voter gives no new vote, and does not begin to lead, until its data folder can be written'
        )
      }
      this.#handle({ type: 'disk', writable })
    }
    if (!store.writable) tell(false)
    // Often it is found out in the middle of an event.
    return store.onWritable(writable => queueMicrotask(() => tell(writable)))
  }

  #followMembership(statements: Statements): void {
    this.#membership.setDelegate({
      localState: () => this.#core.accepted?.signed ?? new Uint8Array(),
      mergeRemoteState: (from, state) => {
        if (state.length > 0) this.#merge(from, state, statements)
      }
    })
    this.#membership.addEventListener('member', this.#onMember)
    this.#membership.addEventListener('ready', this.#onReady)
    for (const member of this.#membership.members()) this.#handle({ type: 'member', member: this.#toElector(member) })
    if (this.#membership.isReady) this.#onReady()
  }

  /** Garbage here must not cost the push-pull, which is membership's. */
  #merge(from: PeerIdString, state: Uint8Array, statements: Statements): void {
    try {
      const coordinator = statements.readCoordinator(state)
      if (this.#membership.isReady) this.#countOutOfReach(from, coordinator)
      if (this.#mayLead(coordinator)) this.#handle({ type: 'pushPull', from, coordinator })
    } catch (error) {
      if (!(error instanceof InvalidMessageError)) throw error
      this.#logger?.warn({ peerId: from, error }, 'a push-pull brought no valid leadership')
    }
  }

  readonly #onMember = ({ detail }: MembershipEvents['member']): void => {
    this.#handle({ type: 'member', member: this.#toElector(detail.member) })
  }

  readonly #onReady = (): void => {
    const now = performance.now()
    this.#meter.ready(this.#leader !== undefined, now)
    if (this.#leader === undefined) this.#clock.lost(now, 'joined')
    this.#handle({ type: 'ready' })
  }

  #handle(event: BullyEvent): void {
    if (this.#stopping.signal.aborted) return
    const before = this.#core.accepted
    const effects = this.#core.handle(event, performance.now())
    const { accepted } = this.#core
    // Before anybody hears of it: what this peer has accepted, no later life of it goes back from, as long as its disk can be written.
    if (accepted !== undefined && accepted !== before) this.#store?.keepAccepted(accepted.signed, accepted.epoch)
    for (const effect of effects) this.#perform(effect)
    if (!this.#core.isMoving) this.#clock.stays()
  }

  #onMessage(from: PeerIdString, message: AnyMessage): void {
    if (message.type === 'coordinator') {
      this.#countOutOfReach(from, message.coordinator)
      if (!this.#mayLead(message.coordinator)) return
    }
    if (!isAboutLease(message)) this.#handle({ type: 'message', from, message })
    else if (message.terms === this.#digest) this.#lease?.handle({ type: 'message', from, message })
    else
      this.#logger?.warn({ peerId: from }, 'a peer with other voters or another lease time seeks a lease: it gets none')
  }

  /** Whoever brings it may keep no allow list, or another one. */
  #mayLead({ leader }: Coordinator): boolean {
    return this.#admission.may(leader, 'join')
  }

  /** The core takes no notice of it. */
  #countOutOfReach(from: PeerIdString, { epoch, leader }: Coordinator): void {
    if (this.#core.isInReach(epoch)) return
    this.#refusals.count(
      'epoch',
      from,
      `a leadership of ${leader} with epoch ${epoch}, which no election can have reached`
    )
  }

  #createLease(terms: LeaseTerms): LeaseKeeper {
    const store = this.#store ?? { promised: undefined, keepPromise: () => true }
    return new LeaseKeeper({
      self: this.#self,
      terms,
      store,
      isHigher: peer => this.#core.isHigher(peer),
      acceptedEpoch: () => this.#core.accepted?.epoch ?? 0,
      send: (to, message) => this.#send(to, { ...message, terms: this.#digest }),
      told: event => {
        this.#lostAgo = event.type === 'lost' ? event.ago : undefined
        this.#handle(event)
        this.#lostAgo = undefined
      }
    })
  }

  /** The newest leadership accepted in earlier runs. */
  #acceptedBefore(statements: Statements): Coordinator | undefined {
    const kept = this.#store?.accepted
    if (kept === undefined) return undefined
    try {
      return statements.readCoordinator(kept)
    } catch (error) {
      // Of a cluster with another key, say. Its epoch counts all the same.
      this.#logger?.warn({ error }, 'the leadership that was accepted last, as the data folder has it, is not valid')
      return undefined
    }
  }

  #toElector(member: Member): Elector {
    const { id, electionPriority, role } = member
    const electable = role !== 'worker' && this.#terms?.voters.includes(id) !== false
    return { id, priority: electionPriority, electable, live: isLive(member) }
  }

  #perform(effect: BullyEffect): void {
    switch (effect.type) {
      case 'send':
        if (effect.message.type === 'request') this.#clock.asks(performance.now())
        this.#send(effect.to, effect.message)
        break
      case 'gossip':
        this.#topic.publish(effect.coordinator.signed)
        break
      case 'leader':
        this.#lead(effect.leader)
        break
      case 'timer':
        this.#setTimer(effect.name, effect.delay)
        break
      case 'handOff':
        this.#clock.handsOver(performance.now())
        void this.#runHandOff(effect.to)
        break
      case 'cancelHandOff':
        this.#handingOff?.abort(new Error('the leadership is not handed over after all'))
        break
      case 'seek':
      case 'release':
        this.#lease?.handle(effect)
        break
      case 'left':
        this.#leftCluster()
        break
    }
  }

  #send(to: PeerIdString, message: AnyMessage): void {
    const signal = AbortSignal.any([this.#stopping.signal, signalAfter(SEND_TIMEOUT)])
    const sent = this.#protocol
      .send(to, message, { signal })
      .catch(error => this.#logger?.debug({ peerId: to, message: message.type, error }, 'election message not sent'))
      .finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
  }

  #lead(leader: Leadership | undefined): void {
    const previous = this.#leader
    this.#leader = leader
    const why = this.#whyEnded(previous)
    const now = performance.now()
    this.#audit.changed(leader, Date.now(), { until: Date.now() - (this.#lostAgo ?? 0), why })
    // How an earlier leadership of this peer ended says nothing about this one.
    if (leader?.id === this.#self) this.#handingOff = undefined
    const lostAgo = this.#lostAgo ?? 0
    const election = leader && this.#clock.accepted(now, leader.id === this.#self, why)
    if (leader === undefined) this.#clock.lost(now - lostAgo, why)
    this.#meter.changed(leader, now, { lostAgo, ...(election && { took: election.ms }) })
    this.#tell(leader, previous, why, election)
    this.dispatchEvent(new CustomEvent('leader', { detail: { leader, previous } }))
  }

  #tell(
    leader: Leadership | undefined,
    previous: Leadership | undefined,
    why: EndReason,
    election: PastElection | undefined
  ): void {
    if (leader === undefined) {
      const lost = { previousId: previous?.id, epoch: previous?.epoch, reason: why }
      this.#logger?.info({ event: 'leader', peerId: null, ...lost }, 'there is no leader')
      return
    }
    const { id, epoch } = leader
    const took = election && { ms: Math.round(election.ms), reason: election.reason }
    this.#logger?.info({ event: 'leader', peerId: id, epoch, ...took }, 'there is a leader')
    if (election !== undefined)
      this.#tracer?.record(electionSpan({ clusterId: this.#clusterId, self: this.#self, leader, election }))
  }

  #whyEnded(previous: Leadership | undefined): EndReason {
    if (this.#lostAgo !== undefined) return 'lost its lease'
    const { accepted } = this.#core
    // It ended by itself: it was yielded.
    if (previous?.id === this.#self && accepted?.leader === this.#self && accepted.epoch === previous.epoch) {
      return this.#handingOff === undefined || this.#handingOff.signal.aborted ? 'left' : 'handed over'
    }
    const isGiven = accepted?.goAheads.some(
      ({ from, fromEpoch }) => from === previous?.id && fromEpoch >= previous.epoch
    )
    if (isGiven) return 'handed over'
    const state = previous && this.#membership.get(previous.id)?.state
    if (state === 'dead') return 'died'
    if (state === 'left') return 'left'
    // It has said itself that it leads no more, and nobody else does yet.
    const resigned = accepted?.leader === previous?.id && accepted?.epoch === previous?.epoch
    return resigned && this.#terms !== undefined ? 'lost its lease' : 'replaced'
  }

  #setTimer(name: BullyTimer, delay: number | undefined): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
    if (delay === undefined) return
    const longer = name === 'handOff' ? Math.max(0, ...this.#handOffs.map(({ takes }) => takes())) : 0
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      this.#handle({ type: 'timer', name })
    }, delay + longer)
    this.#timers.set(name, timer)
  }

  async #runHandOff(to: PeerIdString): Promise<void> {
    const controller = new AbortController()
    this.#handingOff = controller
    // All have ended before any says how: nobody may lead while something here still acts as the leader.
    const outcomes = await Promise.allSettled(
      this.#handOffs.map(async ({ handOff }) => await handOff(to, controller.signal))
    )
    const failed = outcomes.filter(outcome => outcome.status === 'rejected')
    const ok = failed.length === 0
    for (const { reason } of failed) this.#logger?.warn({ peerId: to, error: reason }, 'a hand-off failed')
    // A hand-off that was given up must not speak for a later one to the same peer.
    if (controller.signal.aborted) return
    if (!ok) controller.abort(new Error('the hand-off failed'))
    this.#handle({ type: 'handedOff', to, ok })
  }
}

function isAboutLease(message: AnyMessage): message is Extract<AnyMessage, { terms: string }> {
  return 'terms' in message
}
