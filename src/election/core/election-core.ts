/**
 * The election of one peer, as a pure state machine with epochs. A strategy (strategies/) decides when a peer without a leader may
 * claim. Everything else is the same under all strategies. Membership is the failure detector.
 *
 * A peer that claims mints an epoch above all epochs that it has accepted, and sends COORDINATOR to all.
 * (epoch, rank) orders leaderships. No peer accepts a leadership older than its newest.
 *
 * A live leader ends its leadership only with a signed GO_AHEAD after an awaited hand-off (hand-off.ts): to a higher peer that
 * asks for it (preemption.ts), to the heir of a leader that leaves, or to the higher of two leaders after a healed cut (rivals.ts). A
 * follower of a live leader accepts another leader only with that GO_AHEAD.
 *
 * With a quorum (../quorum) or a store (../store) a claim also needs a lease (lease-gate.ts), and the leadership ends with the
 * lease. Then no two peers lead at the same time, and a newer leadership needs no GO_AHEAD.
 *
 * Any message can be lost. Timers repeat important messages; the leader's announcements and push-pull replace the others. Each event first
 * changes the knowledge of this peer (local-peer.ts). Then `#settle` acts on this knowledge.
 */
import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { Announcements } from './announcements.ts'
import { createClaim } from './claim.ts'
import type { ElectionMember } from './electable-members.ts'
import type { CoreEffect, CoreEvent, CoreTimer } from './events.ts'
import { HandOff } from './hand-off.ts'
import { LeaseGate } from './lease-gate.ts'
import type { CoordinatorMessage, ElectionMessage, GoAhead, Token } from './messages.ts'
import { type ContextInit, createContext, Part } from './part.ts'
import { Preemption } from './preemption.ts'
import type { Received } from './relay.ts'
import { Rivals } from './rivals.ts'
import { strategies } from './strategies/strategies.ts'
import type { Strategy } from './strategies/strategy.ts'

type State =
  /** This peer follows a leader, or is not ready to look for a leader. */
  | { name: 'follower' }
  | { name: 'candidate' }
  | { name: 'leader' }
  /** This peer has handed over, and waits for the COORDINATOR of its heir. */
  | { name: 'yielded'; heir: PeerIdString }

export class ElectionCore extends Part implements Core<CoreEvent, CoreEffect> {
  readonly #announcements = new Announcements(this)
  readonly #handOff = new HandOff(this)
  readonly #preemption = new Preemption(this)
  readonly #rivals = new Rivals(this)
  readonly #lease = new LeaseGate(this)
  readonly #strategy: Strategy
  #state: State = { name: 'follower' }

  constructor({ strategy = 'bully', ...init }: ContextInit) {
    const { order, create } = strategies[strategy]
    super(createContext({ order, hasStore: strategy === 'mutex', ...init }))
    this.#strategy = create(this)
  }

  /** Whether a leadership is moving: this peer has asked another leader to hand over, or hands over itself. */
  get isMoving(): boolean {
    if (this.#state.name !== 'leader') return this.#preemption.hasAsked
    return this.peer.heir !== undefined || this.#rivals.hasLower
  }

  handle(event: CoreEvent, now: number): CoreEffect[] {
    this.peer.now = now
    if (this.#state.name === 'leader') this.#announcements.check()
    switch (event.type) {
      case 'member':
        this.#onMember(event.member)
        break
      case 'message':
        this.#onMessage(event.from, event.message)
        break
      case 'pushPull':
        this.#onPushPull(event.from, event.coordinator)
        break
      case 'gossip':
        this.#onCoordinator(event.coordinator)
        break
      case 'handedOff':
        this.#onHandedOff(event.to, event.ok)
        break
      case 'held':
        this.#onHeld(event.epoch)
        break
      case 'lost':
        this.#onLost()
        break
      case 'ready':
      case 'disk':
      case 'reach':
      case 'margin':
      case 'leave':
        this.peer.learn(event)
        break
      case 'timer':
        this.#onTimer(event.name as CoreTimer)
        break
    }
    this.#settle()
    return this.outbox.take()
  }

  #onMember(member: ElectionMember): void {
    const { id, live } = member
    const appeared = this.peer.members.update(member)
    if (id === this.peer.id) return
    if (appeared) this.#handOff.forgive()
    if (this.#state.name === 'leader') {
      if (appeared) this.outbox.sendAccepted(id)
      if (!live) this.#outbid(this.#rivals.settled(id))
      this.#rivals.meetUnmet(id)
    } else {
      if (this.#state.name === 'candidate' && !live) this.#strategy.forget(id)
      if (appeared && this.#rivals.refused?.leader === id) this.#rivals.face()
    }
  }

  #onMessage(from: PeerIdString, message: ElectionMessage): void {
    const received = this.relay.receive(from, message)
    if (received === undefined) return
    const { from: author, message: content } = received
    switch (content.type) {
      case 'election':
      case 'token':
        this.#onElection(received, content.accepted, 'token' in content ? content.token : undefined)
        break
      case 'answer':
        if (this.#isAwaited(received)) this.#onAnswer(author, content.answer)
        break
      case 'coordinator':
        if (this.#isAwaited(received)) this.#onCoordinator(content.coordinator, author)
        else this.#onUnasked(author, content.coordinator)
        break
      case 'rival':
        this.#onRival(received, content.coordinator)
        break
      case 'request':
        this.#onRequest(author, received.relayed?.via)
        break
      case 'goAhead':
        this.#onGoAhead(author, content.goAhead)
        break
    }
  }

  /** Whether a message answers the last relayed question. A direct message needs no question. */
  #isAwaited({ from, relayed }: Received): boolean {
    return relayed === undefined || (this.#state.name === 'candidate' && this.#strategy.isAnswer(from, relayed.nonce))
  }

  #onUnasked(from: PeerIdString, coordinator: CoordinatorMessage): void {
    // A leader that has accepted a newer leadership never returns to an older leadership, even if this message is late.
    if (from === this.peer.accepted?.leader && this.peer.isNewer(coordinator)) this.#onCoordinator(coordinator, from)
    else if (from === coordinator.leader) this.#onCoordinator(coordinator)
  }

  #onRival(received: Received, rival: CoordinatorMessage): void {
    this.#onCoordinator(rival)
    // The sender follows this peer. If this peer no longer leads, this peer must inform the sender.
    if (this.#state.name !== 'leader' && this.peer.accepted?.leader !== this.peer.id)
      this.relay.reply(received, 'coordinator')
  }

  #onElection(received: Received, accepted: CoordinatorMessage | undefined, token?: Token): void {
    const { from } = received
    if (accepted !== undefined && this.peer.isNewer(accepted)) this.#onCoordinator(accepted, from)
    // The leader's own ELECTION means that the leader has stopped, unless the leader claimed after it sent the ELECTION.
    const isCurrent = accepted !== undefined && this.peer.compare(accepted) >= 0
    if (isCurrent && this.peer.accepted?.leader === from) this.peer.hasResigned = true
    if (this.peer.mayOutbid(accepted)) {
      if (this.#rivals.outbids()) this.#claim([], accepted.epoch)
    } else if (token === undefined || this.peer.leaderLives) this.relay.reply(received, this.peer.answerTo(from))
    if (token !== undefined && this.#state.name !== 'leader') this.#strategy.receive(token)
  }

  #onAnswer(from: PeerIdString, answer: 'claiming' | 'declined'): void {
    const isFromHeir = this.#state.name === 'yielded' && this.#state.heir === from && answer === 'declined'
    if (isFromHeir) this.#succeedNobody()
    if (this.#state.name !== 'candidate') return
    if (isFromHeir || this.#strategy.hasAsked(from)) this.#strategy.answered(from, answer)
  }

  /** Handles a leadership. `teller`: the peer that sent it as its own newest leadership; `undefined` for gossip and for RIVAL. */
  #onCoordinator(coordinator: CoordinatorMessage, teller?: PeerIdString): void {
    const { rules, needsLease } = this.peer
    if (teller !== undefined && teller !== coordinator.leader) this.#rivals.settled(teller)
    const order = this.peer.compare(coordinator)
    if (order === 0 || !this.peer.isInReach(coordinator.epoch) || !this.peer.mayLead(coordinator.leader)) return
    const isDoubtful = needsLease || this.#announcements.isDoubtful
    if (this.#state.name === 'leader' && !(order > 0 && isDoubtful)) this.#rivals.meet(coordinator)
    else if (rules.refusesOlder(order)) this.#informAboutNewer(coordinator.leader, teller)
    else if (this.peer.mayAccept(coordinator, teller)) this.#accept(coordinator)
    else this.#rivals.refuse(coordinator)
  }

  /** Outbids the newer leadership of a rival that is gone: those that followed it obey no older one. */
  #outbid(gone: CoordinatorMessage | undefined): void {
    if (this.peer.mayOutbid(gone) && this.#rivals.outbids()) this.#claim([], gone.epoch)
  }

  /** Sends the newer leadership to a peer that does not know it. If the newer leader is gone, asks the older leader to outbid it. */
  #informAboutNewer(olderLeader: PeerIdString, teller: PeerIdString | undefined): void {
    if (this.#state.name === 'candidate') this.#strategy.askLeader(olderLeader)
    else if (teller !== undefined && this.peer.leaderLives) this.outbox.sendAccepted(teller)
  }

  #onPushPull(from: PeerIdString, coordinator: CoordinatorMessage): void {
    const isNewer = this.peer.isNewer(coordinator)
    // A push-pull goes both ways, so `from` receives the newer leadership without a further message.
    if (this.#state.name === 'leader' || (this.peer.isReady && isNewer)) this.#onCoordinator(coordinator, from)
    else if (isNewer && this.peer.admits(coordinator)) this.#accept(coordinator)
  }

  /** `via`: the peer that relayed the request, and relays the answer. */
  #onRequest(from: PeerIdString, via: PeerIdString | undefined): void {
    if (this.#state.name === 'leader') {
      if (this.peer.isHigher(from) && this.#handOff.isOpen) this.#handOff.begin(from, via)
    } else if (this.peer.accepted?.leader !== this.peer.id) this.outbox.sendAccepted(from)
    else if (this.peer.members.get(from)?.electable) this.#yield(from, via)
  }

  #onGoAhead(from: PeerIdString, goAhead: GoAhead): void {
    const { id, accepted, needsLease } = this.peer
    if (goAhead.from !== from || goAhead.to !== id || !this.peer.mayGoAbove(from, goAhead.fromEpoch)) return
    if (this.peer.heir !== undefined) return
    // A follower must not leave its live leader because of the go-ahead of another leader.
    const isForeign = this.#state.name !== 'leader' && this.peer.leaderLives && accepted?.leader !== from
    if (isForeign || !this.peer.mayTakeOver) {
      this.outbox.send(from, { type: 'answer', answer: 'declined' })
      return
    }
    if (goAhead.fromEpoch < (this.#rivals.epochOf(from) ?? accepted?.epoch ?? 0)) return
    if (needsLease) {
      this.#lease.goAhead = goAhead
      if (accepted?.leader === from) this.peer.hasResigned = true
    } else this.#claim([goAhead], goAhead.fromEpoch)
  }

  #onHeld(epoch: number): void {
    this.#lease.granted()
    // While this peer sought the lease, a higher-ranked peer may have appeared, or another peer may have become the leader.
    if (!this.#comesFirst() || epoch <= this.peer.newestEpoch) this.#lease.release()
    else this.#claim(this.#lease.goAhead === undefined ? [] : [this.#lease.goAhead], epoch - 1)
  }

  #onLost(): void {
    this.#lease.lost()
    if (this.#state.name !== 'leader') return
    this.#resign()
    this.relay.announceResignation(0)
  }

  #onHandedOff(to: PeerIdString, ok: boolean): void {
    if (!this.#handOff.ended(to)) return
    // An heir without this leader's state is better than two leaders, or than no leader when this leader leaves.
    if (ok || this.peer.leaving !== 'no' || this.#rivals.has(to)) this.#yield(to, this.#handOff.via)
    else this.#handOff.failed()
  }

  #onTimer(name: CoreTimer): void {
    switch (name) {
      case 'coordinator':
        if (this.#state.name === 'candidate') this.#strategy.ask()
        break
      case 'takeover':
        this.#preemption.onTimer()
        break
      case 'rivals':
        this.#rivals.onTimer()
        break
      case 'announce':
        if (this.#state.name === 'leader') this.#announcements.onTimer()
        break
      case 'handOff':
        if (this.peer.heir === undefined) return
        this.outbox.push({ type: 'cancelHandOff' })
        this.#onHandedOff(this.peer.heir, false)
        break
      case 'succession':
        if (this.#state.name !== 'yielded') return
        this.#succeedNobody()
        this.#strategy.ask()
        break
    }
  }

  #settle(): void {
    const { refused } = this.#rivals
    if (refused !== undefined && this.#state.name !== 'leader' && this.peer.mayAccept(refused)) this.#accept(refused)
    if (this.#state.name === 'leader') this.#settleLeader()
    else if (this.#state.name === 'yielded' && !this.peer.members.has(this.#state.heir)) this.#stand()
    if (this.#state.name === 'follower' || this.#state.name === 'candidate') this.#settleFollower()
    if (this.peer.leaving === 'leaving' && this.#state.name !== 'leader') {
      this.peer.leaving = 'left'
      this.outbox.push({ type: 'left' })
    }
  }

  #settleLeader(): void {
    this.#handOff.settle()
    if (this.peer.leaving === 'no' || this.peer.heir !== undefined) return
    const heir = this.peer.members.highestBut(this.peer.id)
    if (heir !== undefined) this.#handOff.begin(heir.id)
    else this.#resign()
  }

  #settleFollower(): void {
    const { leaderLives, isReady, leaving, rules, needsLease } = this.peer
    this.#preemption.settle()
    if (leaderLives || !rules.mayBegin(isReady) || leaving !== 'no') {
      if (this.#state.name === 'candidate') this.#become({ name: 'follower' })
      this.#lease.release()
      return
    }
    if (this.#state.name === 'follower') this.#stand()
    if (!this.#comesFirst()) this.#lease.release()
    else if (needsLease) this.#lease.seek()
    else this.#claim([])
  }

  /** Whether this candidate may claim: no higher peer wants to claim, or the last leader chose this peer as its heir. */
  #comesFirst(): boolean {
    const mayClaim = this.#state.name === 'candidate' && this.peer.mayClaim
    return mayClaim && (this.#lease.goAhead !== undefined || this.#strategy.isFirst)
  }

  #succeedNobody(): void {
    this.#handOff.ledToNothing()
    this.#stand()
  }

  /** Becomes a candidate. A peer that comes first claims in the same step (see #settleFollower). */
  #stand(): void {
    this.#become({ name: 'candidate' })
    this.#strategy.begin()
  }

  #resign(): void {
    this.#handOff.cancel()
    this.peer.hasResigned = true
    this.#become({ name: 'follower' })
  }

  /** Begins to lead, with an epoch above all accepted epochs and above `seen`. */
  #claim(goAheads: GoAhead[], seen = 0): void {
    // Repeats the go-aheads of earlier claims: a peer may have missed the COORDINATOR that carried them.
    const earlier = this.#state.name === 'leader' ? (this.peer.accepted?.goAheads ?? []) : []
    const claim = createClaim(this, [...goAheads, ...earlier], seen)
    if (claim === undefined) return
    for (const { from } of goAheads) this.#rivals.settled(from)
    this.#take(claim, false)
    if (this.#state.name !== 'leader') this.#become({ name: 'leader' })
    this.#announcements.begin()
    this.#rivals.meetRefused()
  }

  #accept(coordinator: CoordinatorMessage): void {
    if (this.#state.name === 'yielded') this.#handOff.forgive()
    const stepsDown = this.#state.name === 'leader'
    this.#handOff.cancel()
    // If another peer sends a leadership of this peer, it is from an earlier run. This peer accepts it as a leadership that has ended.
    this.#take(coordinator, coordinator.leader === this.peer.id)
    this.#become({ name: 'follower' })
    // The lease was for an epoch that is over now.
    this.#lease.release()
    // The new leader may count this peer as a rival.
    if (stepsDown) this.outbox.sendAccepted(coordinator.leader)
  }

  #take(coordinator: CoordinatorMessage, hasResigned: boolean): void {
    this.peer.accepted = coordinator
    this.peer.hasResigned = hasResigned
    this.#rivals.forgetOlder()
  }

  /** Gives the go-ahead. From then on this peer does not lead, whether or not its heir claims. */
  #yield(to: PeerIdString, via: PeerIdString | undefined): void {
    const fromEpoch = this.peer.accepted?.epoch ?? 0
    if (this.peer.rules.stopsAtGoAhead()) {
      this.peer.hasResigned = true
      this.#become({ name: 'yielded', heir: to })
      this.outbox.timer('succession', this.times.successionTimeout)
      this.#lease.release(to)
    }
    this.#handOff.sendGoAhead(to, fromEpoch, via)
  }

  /** Changes the state, and stops the timers of the old state. */
  #become(state: State): void {
    const { name: before } = this.#state
    this.#state = state
    this.#rivals.restart()
    this.#preemption.restart()
    if (before === 'candidate' && state.name !== 'candidate') {
      this.#strategy.end()
      this.#lease.goAhead = undefined
    }
    if (before === 'yielded') this.outbox.timer('succession', undefined)
    if (before === 'leader') {
      this.#rivals.clear()
      this.outbox.timer('announce', undefined)
    }
    if (state.name === 'leader') this.#preemption.stop()
  }
}
