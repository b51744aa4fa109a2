/**
 * The Bully election (Garcia-Molina, "Elections in a Distributed Computing System", 1982, §III) with epochs, as a pure
 * state machine.
 *
 * Membership is the failure detector. The highest-ranked live electable peer claims at once: it mints an epoch above all
 * that it has accepted and says COORDINATOR to everybody. A lower one waits for that, then asks the higher ones
 * (ELECTION), and claims only when each of them is dead, has left or has declined. (epoch, rank) orders leaderships, and
 * nobody takes an older one than the newest that it has accepted.
 *
 * A leadership that is alive ends only by the leader's own word: a signed GO_AHEAD, given after an awaited hand-off, to a
 * higher-ranked peer that requested it, to the heir of a leader that leaves, or to the higher of two leaders that a
 * healed cut brought together. Whoever follows a live leader takes another only with that word.
 *
 * With a quorum (quorum.ts) a claim also needs a lease from a majority of the voters, and the leadership ends with it. Then no two
 * lead at once, so a newer leadership needs nobody's word.
 *
 * Any message can be lost: what matters is repeated by a timer, or repaired by the leader's repeated announcement and by
 * push-pull. Each event first changes what this peer knows; `#settle` then does what follows from it.
 *
 * @packageDocumentation
 */
import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { ElectionTimes } from '../profile.ts'
import type { Leadership } from '../types.ts'
import { Announcements } from './announcements.ts'
import { Candidacy } from './candidacy.ts'
import { type Elector, Electorate } from './electorate.ts'
import { BULLY_RULES, type BullyEffect, type BullyEvent, type BullyRules, type BullyTimer } from './events.ts'
import {
  type Coordinator,
  compareLeaderships,
  type ElectionMessage,
  type GoAhead,
  type Letter,
  leadershipOf,
  MAX_EPOCH,
  MAX_EPOCH_STEP,
  MAX_GO_AHEADS,
  MAX_OUTBID_STEP,
  rankOf,
  type Signer
} from './messages.ts'
import { compareRanks, type Rank } from './rank.ts'
import { Rivals } from './rivals.ts'

export interface BullyOptions {
  self: PeerIdString
  times: ElectionTimes
  signer: Signer
  /** The newest epoch known from earlier runs: what this peer mints is above it, too. Default 0. */
  epoch?: number
  /** The newest leadership that this peer accepted in earlier runs: what is older is refused from the start. */
  accepted?: Coordinator | undefined
  /** With them a claim needs a lease from a majority, and nobody else may lead. Default: none. */
  voters?: readonly PeerIdString[] | undefined
  /** Whether this peer requests the leadership of a live leader that ranks lower. Default true. */
  preempt?: boolean
  /** @internal */
  rules?: BullyRules
}

/** After so many questions in vain, a peer that no longer leads says so again. */
const RESIGNATION_ROUNDS = 4

/** After hand-offs that led to nothing no request is heard for so many times as long as one may take, at most. */
const MOST_DEAF = 8

/** What is answered to a question. */
type Reply = Pick<Letter, 'accepted'> & { word: 'claiming' | 'declined' | 'coordinator' }

/** What this peer is doing. */
type State =
  /** It follows a leader, or is not ready to look for one. */
  | { name: 'follower' }
  /** It sees no leader. */
  | { name: 'candidate'; candidacy: Candidacy }
  /** It leads; `heir` is who it is handing over to, who has asked for it through `via`. */
  | { name: 'leader'; heir: PeerIdString | undefined; via?: PeerIdString | undefined }
  /** It has handed over, and waits for its heir's COORDINATOR. */
  | { name: 'yielded'; heir: PeerIdString }

export class Bully implements Core<BullyEvent, BullyEffect> {
  readonly #self: PeerIdString
  readonly #times: ElectionTimes
  readonly #signer: Signer
  readonly #rules: BullyRules
  readonly #earlierEpoch: number
  readonly #voters: readonly PeerIdString[] | undefined
  readonly #needsQuorum: boolean
  readonly #preempts: boolean
  readonly #electorate = new Electorate()

  #state: State = { name: 'follower' }
  #ready = false
  #leaving: 'no' | 'leaving' | 'left' = 'no'
  /** The newest leadership accepted. It never goes back. */
  #accepted: Coordinator | undefined
  /** Its leader has itself told that it leads no more. */
  #resigned = false
  /** The newest leadership refused only because the accepted leader is live and gave no go-ahead. */
  #refused: Coordinator | undefined
  /** While leading. */
  readonly #rivals = new Rivals()
  /** While leading: the last newer leadership heard of whose leader this peer does not hold for live. When it does, that is a rival. */
  #unmet: Coordinator | undefined
  readonly #announcements: Announcements
  /** How often in a row others were asked to hand over, or told of a rival. */
  #requests = 0
  /** Whether the timer `takeover` runs. */
  #takingOver = false
  /** Whether a lease is sought or held. */
  #seeking = false
  /** Whether this voter could vote for itself: else it would be handed leaderships that it cannot begin. */
  #writable = true
  /** What a leader that stopped gave this peer, which now seeks the lease. */
  #givenAhead: GoAhead | undefined
  #now = 0
  /** Until when requests are not heard, because the last hand-off failed, or led to nothing. */
  #deafUntil = 0
  /** How many hand-offs in a row have led to nothing. */
  #vain = 0
  #shown: Leadership | undefined
  #effects: BullyEffect[] = []

  constructor(options: BullyOptions) {
    this.#self = options.self
    this.#times = options.times
    this.#announcements = new Announcements(options.times)
    this.#signer = options.signer
    this.#rules = options.rules ?? BULLY_RULES
    this.#earlierEpoch = options.epoch ?? 0
    this.#accepted = options.accepted
    this.#resigned = options.accepted?.leader === options.self
    this.#preempts = options.preempt ?? true
    this.#voters = options.voters
    this.#needsQuorum = options.voters !== undefined && this.#rules.needQuorum
  }

  /** The newest leadership accepted, whether or not its leader lives. */
  get accepted(): Coordinator | undefined {
    return this.#accepted
  }

  /** The newest leadership accepted, if its leader is live and has not resigned. */
  get leader(): Leadership | undefined {
    return this.#accepted !== undefined && this.#leaderLives() ? leadershipOf(this.#accepted) : undefined
  }

  /** Whether this peer has asked a live leader to hand over to it, be it the follower of that one or a leader, too; or hands over itself. */
  get isMoving(): boolean {
    if (this.#state.name !== 'leader') return this.#takingOver && this.#requests > 0
    return this.#state.heir !== undefined || [...this.#rivals.all()].some(rival => this.#isLower(rival))
  }

  /** Whether an electable live peer ranks above this one. */
  isHigher(id: PeerIdString): boolean {
    return this.#electorate.above(this.#rank(this.#self)).some(peer => peer.id === id)
  }

  /** The fence: whether something that `from` sent under `epoch` is not older than the newest leadership accepted. */
  accepts(from: PeerIdString, epoch: number): boolean {
    const accepted = this.#accepted
    if (accepted === undefined || epoch > accepted.epoch) return epoch <= MAX_EPOCH
    return (
      epoch === accepted.epoch && (from === accepted.leader || compareRanks(this.#rank(from), rankOf(accepted)) > 0)
    )
  }

  handle(event: BullyEvent, now: number): BullyEffect[] {
    this.#effects = []
    this.#now = now
    if (this.#state.name === 'leader') this.#announcements.look(now)
    switch (event.type) {
      case 'member':
        this.#onMember(event.member)
        break
      case 'ready':
        this.#ready = true
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
      case 'disk':
        this.#writable = event.writable
        break
      case 'leave':
        if (this.#leaving === 'no') this.#leaving = 'leaving'
        break
      case 'timer':
        this.#onTimer(event.name as BullyTimer)
        break
    }
    this.#settle()
    this.#showLeader()
    return this.#effects
  }

  #onMember(member: Elector): void {
    const appeared = this.#electorate.update(member)
    const { id, live } = member
    if (id === this.#self) return
    if (appeared) this.#vain = 0
    if (this.#state.name === 'leader') {
      if (appeared) this.#sendAccepted(id)
      if (!live) this.#rivals.delete(id)
      if (this.#unmet?.leader === id) {
        if (appeared) this.#meetRival(this.#unmet)
        this.#unmet = undefined
      }
    } else {
      if (this.#state.name === 'candidate' && !live) this.#state.candidacy.forget(id)
      if (appeared && this.#refused?.leader === id) this.#faceRivals()
    }
  }

  #onMessage(from: PeerIdString, message: ElectionMessage): void {
    switch (message.type) {
      case 'election':
        this.#onElection(from, message.accepted)
        break
      case 'answer':
        this.#onAnswer(from, message.answer)
        break
      case 'coordinator':
        this.#onCoordinator(message.coordinator, from)
        break
      case 'rival':
        this.#onRival(message.coordinator, this.#directly(from))
        break
      case 'request':
        this.#onRequest(from)
        break
      case 'goAhead':
        this.#onGoAhead(from, message.goAhead)
        break
      case 'letter':
        this.#onLetter(from, message.letter)
        break
    }
  }

  /** Carries a letter to whom it is for, or reads it. It is carried once: only its author gives it to a bearer. */
  #onLetter(bearer: PeerIdString, letter: Letter): void {
    const { from, to, nonce, word, accepted, goAhead } = letter
    if (to !== this.#self) {
      if (bearer === from && this.#electorate.has(to)) this.#send(to, { type: 'letter', letter })
      return
    }
    if (!this.#electorate.has(from)) return
    const answer = (reply: Reply): void => this.#sendLetter(bearer, { to: from, nonce, ...reply })
    if (word === 'election') {
      this.#onElection(from, accepted, answer)
      return
    }
    if (word === 'request') {
      // An old request is for an old leadership.
      const isCurrent = accepted?.leader === this.#self && accepted.epoch === this.#accepted?.epoch
      if (isCurrent) this.#onRequest(from, bearer)
      return
    }
    if (word === 'goAhead') {
      if (goAhead !== undefined) this.#onGoAhead(from, goAhead)
      return
    }
    if (word === 'rival') {
      if (accepted !== undefined) this.#onRival(accepted, answer)
      return
    }
    if (this.#state.name !== 'candidate' || !this.#state.candidacy.takes(from, nonce)) {
      if (word === 'coordinator' && accepted !== undefined) this.#onUnaskedCoordinator(from, accepted)
      return
    }
    if (word !== 'coordinator') this.#onAnswer(from, word)
    else if (accepted !== undefined) this.#onCoordinator(accepted, from)
  }

  #onUnaskedCoordinator(from: PeerIdString, coordinator: Coordinator): void {
    // Who has accepted a newer leadership than its own never goes back: however old the letter is, that one is over.
    if (from === this.#accepted?.leader && this.#isNewer(coordinator)) this.#onCoordinator(coordinator, from)
    // Nobody has asked for it: it counts as gossip does.
    else if (from === coordinator.leader) this.#onCoordinator(coordinator)
  }

  #onRival(rival: Coordinator, answer: (reply: Reply) => void): void {
    this.#onCoordinator(rival)
    // Whoever tells of it follows this peer: if it leads no more, that one must hear it from itself.
    if (this.#state.name === 'leader' || this.#accepted?.leader === this.#self) return
    answer({ word: 'coordinator', accepted: this.#accepted })
  }

  #onElection(from: PeerIdString, accepted: Coordinator | undefined, answer = this.#directly(from)): void {
    if (accepted !== undefined && this.#isNewer(accepted)) this.#onCoordinator(accepted, from)
    // A leader that asks for one has stopped. An older question of its does not count: it may have claimed since.
    const isCurrent =
      accepted !== undefined && this.#accepted !== undefined && compareLeaderships(accepted, this.#accepted) >= 0
    if (isCurrent && this.#accepted?.leader === from) this.#resigned = true
    if (this.#state.name === 'leader') {
      if (!this.#outbid(accepted)) answer({ word: 'coordinator', accepted: this.#accepted })
    } else if (this.#leaving !== 'no') answer({ word: 'declined', accepted: undefined })
    else if (this.#leaderLives()) answer({ word: 'coordinator', accepted: this.#accepted })
    else {
      const claiming = this.#mayClaim() && compareRanks(this.#rank(this.#self), this.#rank(from)) > 0
      answer({ word: claiming ? 'claiming' : 'declined', accepted: undefined })
    }
  }

  #directly(to: PeerIdString): (answer: Reply) => void {
    return ({ word }) => {
      if (word === 'coordinator') this.#sendAccepted(to)
      else this.#send(to, { type: 'answer', answer: word })
    }
  }

  #onAnswer(from: PeerIdString, answer: 'claiming' | 'declined'): void {
    const isHeirs = this.#state.name === 'yielded' && this.#state.heir === from && answer === 'declined'
    if (isHeirs) this.#succeedNobody()
    if (this.#state.name !== 'candidate') return
    const { candidacy } = this.#state
    if (!isHeirs && !candidacy.hasAsked(from)) return
    candidacy.answered(from, answer)
    if (!candidacy.hasDeclined(from)) this.#timer('coordinator', this.#times.coordinatorTimeout)
  }

  /** `teller` is who says that it has accepted this; undefined where nobody vouches (gossip, a forwarded rival). */
  #onCoordinator(coordinator: Coordinator, teller?: PeerIdString): void {
    if (teller !== undefined && teller !== coordinator.leader) this.#rivals.delete(teller)
    const order = this.#accepted === undefined ? 1 : compareLeaderships(coordinator, this.#accepted)
    if (order === 0 || !this.isInReach(coordinator.epoch)) return
    if (this.#electorate.get(coordinator.leader)?.electable === false || !this.#isVoter(coordinator.leader)) return
    const isDoubtful = this.#needsQuorum || this.#announcements.isDoubtful(this.#now)
    if (this.#state.name === 'leader' && !(order > 0 && isDoubtful)) {
      if (this.#needsQuorum) this.#sendAccepted(coordinator.leader)
      else this.#meetRival(coordinator)
    } else if (order < 0 && this.#rules.refuseOlder) {
      // Whoever is behind must hear of the newer one; where that one's leader is gone, the older leader has to outbid it.
      if (this.#state.name === 'candidate') this.#sendElection(coordinator.leader)
      else if (teller !== undefined && this.#leaderLives()) this.#sendAccepted(teller)
    } else if (this.#mayTake(coordinator, teller)) this.#accept(coordinator)
    else this.#refuse(coordinator)
  }

  #onPushPull(from: PeerIdString, coordinator: Coordinator): void {
    if (!this.#isVoter(coordinator.leader)) return
    // The first epoch comes with the admission, however high; after that, and by any other way, the step is limited.
    if (!this.#ready && coordinator.epoch <= MAX_EPOCH) {
      if (this.#isNewer(coordinator)) this.#accept(coordinator)
    }
    // Push-pull goes both ways, so `from` needs no telling that it is behind.
    else if (this.#state.name === 'leader' || this.#isNewer(coordinator)) this.#onCoordinator(coordinator, from)
  }

  /** `via` is who has carried the request, and carries the answer. */
  #onRequest(from: PeerIdString, via?: PeerIdString): void {
    const requester = this.#electorate.get(from)
    if (this.#state.name === 'leader') {
      const ranksHigher = requester?.electable && compareRanks(requester, this.#rank(this.#self)) > 0
      if (ranksHigher && this.#state.heir === undefined && this.#now >= this.#deafUntil) this.#handOff(from, via)
    } else if (this.#accepted?.leader !== this.#self) this.#sendAccepted(from)
    else if (requester?.electable) this.#yield(from, via)
  }

  #onGoAhead(from: PeerIdString, goAhead: GoAhead): void {
    if (goAhead.from !== from || goAhead.to !== this.#self || !this.#mayGoAbove(from, goAhead.fromEpoch)) return
    if (this.#state.name === 'leader' && this.#state.heir !== undefined) return
    // Who follows another live leader has no business with this leadership, and must not disown its own.
    const isForeign = this.#state.name !== 'leader' && this.#leaderLives() && this.#accepted?.leader !== from
    if (isForeign || !this.#mayClaim()) {
      this.#send(from, { type: 'answer', answer: 'declined' })
      return
    }
    const ended = this.#rivals.epochOf(from) ?? this.#accepted?.epoch ?? 0
    if (goAhead.fromEpoch < ended) return
    if (!this.#needsQuorum) this.#claim([goAhead], goAhead.fromEpoch)
    else {
      this.#givenAhead = goAhead
      if (this.#accepted?.leader === from) this.#resigned = true
    }
  }

  #onHeld(epoch: number): void {
    this.#seeking = true
    const { name } = this.#state
    // Whoever rose above this peer meanwhile, or leads already, shall have it.
    if (name === 'candidate' && this.#comesFirst() && epoch > this.#newestEpoch()) {
      this.#claim(this.#givenAhead === undefined ? [] : [this.#givenAhead], epoch - 1)
    } else this.#release()
  }

  #onLost(): void {
    this.#seeking = false
    if (this.#state.name !== 'leader') return
    if (this.#state.heir !== undefined) this.#effects.push({ type: 'cancelHandOff' })
    this.#resigned = true
    this.#become({ name: 'follower' })
    this.#tellAllOfResignation()
  }

  #onHandedOff(to: PeerIdString, ok: boolean): void {
    if (this.#state.name !== 'leader' || this.#state.heir !== to) return
    this.#timer('handOff', undefined)
    // One leader without what the other knew is better than two, and than none when this one leaves. Otherwise it stays.
    if (ok || this.#leaving !== 'no' || this.#rivals.has(to)) this.#yield(to, this.#state.via)
    else {
      this.#state.heir = undefined
      this.#deafUntil = this.#now + this.#times.handOffTimeout
    }
  }

  #onTimer(name: BullyTimer): void {
    switch (name) {
      case 'coordinator':
        this.#ask()
        break
      case 'takeover':
        if (!this.#takingOver || this.#accepted === undefined) break
        this.#request(this.#accepted)
        this.#requests += 1
        this.#timer('takeover', this.#times.requestInterval)
        break
      case 'rivals':
        this.#requests += 1
        this.#faceRivals()
        break
      case 'announce':
        if (this.#state.name === 'leader') this.#repeatAnnouncement()
        break
      case 'handOff':
        if (this.#state.name !== 'leader' || this.#state.heir === undefined) break
        this.#effects.push({ type: 'cancelHandOff' })
        this.#onHandedOff(this.#state.heir, false)
        break
      case 'succession':
        if (this.#state.name !== 'yielded') break
        this.#succeedNobody()
        this.#ask()
        break
    }
  }

  /** Does what follows from all that is known now. */
  #settle(): void {
    this.#reconsiderRefused()
    if (this.#state.name === 'leader') this.#settleLeader(this.#state)
    else if (this.#state.name === 'yielded' && !this.#electorate.has(this.#state.heir)) this.#stand()
    if (this.#state.name === 'follower' || this.#state.name === 'candidate') this.#settleFollower()
    if (this.#leaving === 'leaving' && this.#state.name !== 'leader') {
      this.#leaving = 'left'
      this.#effects.push({ type: 'left' })
    }
  }

  #settleLeader(state: State & { name: 'leader' }): void {
    if (state.heir !== undefined && !this.#electorate.has(state.heir)) {
      state.heir = undefined
      this.#timer('handOff', undefined)
      this.#effects.push({ type: 'cancelHandOff' })
    }
    if (this.#leaving === 'no' || state.heir !== undefined) return
    const heir = this.#electorate.highestBut(this.#self)
    if (heir !== undefined) this.#handOff(heir.id)
    else {
      this.#resigned = true
      this.#become({ name: 'follower' })
    }
  }

  #settleFollower(): void {
    const leaderLives = this.#leaderLives()
    this.#settleTakeover(leaderLives)
    if (leaderLives || (!this.#ready && this.#rules.waitUntilReady) || this.#leaving !== 'no') {
      if (this.#state.name === 'candidate') this.#become({ name: 'follower' })
      this.#release()
      return
    }
    if (this.#state.name === 'follower') this.#stand()
    if (!this.#comesFirst()) this.#release()
    else if (this.#needsQuorum) this.#seek()
    else this.#claim([])
  }

  /** Whether this candidate may claim: nobody above it wants to. */
  #comesFirst(): boolean {
    if (this.#state.name !== 'candidate' || !this.#mayClaim()) return false
    const { candidacy } = this.#state
    return (
      this.#givenAhead !== undefined ||
      !this.#rules.askHigher ||
      this.#electorate.above(this.#rank(this.#self)).every(({ id }) => candidacy.hasDeclined(id))
    )
  }

  #seek(): void {
    if (this.#seeking) return
    this.#seeking = true
    this.#effects.push({ type: 'seek', above: this.#newestEpoch() })
  }

  #release(): void {
    if (!this.#seeking) return
    this.#seeking = false
    this.#effects.push({ type: 'release' })
  }

  #newestEpoch(): number {
    return Math.max(this.#accepted?.epoch ?? 0, this.#earlierEpoch)
  }

  /** Of all that rank above the live leader only the highest takes over, once it could do so for a moment. */
  #settleTakeover(leaderLives: boolean): void {
    const could =
      this.#preempts &&
      leaderLives &&
      this.#mayClaim() &&
      this.#electorate.highest()?.id === this.#self &&
      this.#accepted !== undefined &&
      compareRanks(this.#rank(this.#self), this.#rank(this.#accepted.leader)) > 0
    if (could === this.#takingOver) return
    this.#takingOver = could
    this.#requests = 0
    this.#timer('takeover', could ? this.#times.stableFor : undefined)
  }

  /** Becomes a candidate: the highest claims in the same step (see #settleFollower), the others wait for it. */
  #stand(): void {
    this.#become({ name: 'candidate', candidacy: new Candidacy() })
    this.#timer('coordinator', this.#times.coordinatorTimeout)
  }

  /** The heir does not claim. Should this peer lead again, nobody shall have it yield right away, or nobody would lead half of the time. */
  #succeedNobody(): void {
    this.#deafUntil = this.#now + this.#times.handOffTimeout * Math.min(2 ** this.#vain, MOST_DEAF)
    this.#vain += 1
    this.#stand()
  }

  #ask(): void {
    if (this.#state.name !== 'candidate') return
    const { candidacy } = this.#state
    const highest = this.#electorate.highest()
    // Who cannot claim asks only for news.
    const higher = this.#mayClaim() ? this.#electorate.above(this.#rank(this.#self)) : highest ? [highest] : []
    const others = [...this.#electorate.ids()].filter(id => id !== this.#self)
    const questions = candidacy.ask(
      higher.map(({ id }) => id),
      others
    )
    for (const { to, via } of questions) {
      this.#sendElection(to)
      if (via === undefined) continue
      // Membership has it live and it does not answer: the link to it may be broken, but not the others'.
      const nonce = this.#signer.nonce()
      candidacy.askedThrough(to, nonce)
      this.#sendLetter(via, { to, nonce, word: 'election', accepted: this.#accepted })
    }
    this.#repeatResignation(candidacy.rounds)
    this.#timer('coordinator', this.#times.coordinatorTimeout)
  }

  /**
   * Under a quorum a lease may end without anybody to take it. Whoever missed the word that told of it would follow this peer for as
   * long as it lives.
   */
  #repeatResignation(rounds: number): void {
    if (!this.#needsQuorum || this.#accepted?.leader !== this.#self) return
    if (rounds % RESIGNATION_ROUNDS === 0) this.#tellAllOfResignation(rounds / RESIGNATION_ROUNDS)
  }

  /** A leader that asks for one has stopped. When it says so again, it does through others, too. */
  #tellAllOfResignation(times = 0): void {
    for (const id of this.#electorate.ids()) {
      if (id === this.#self) continue
      this.#sendElection(id)
      if (times > 0) this.#sendThroughOthers(times, { to: id, word: 'election', accepted: this.#accepted })
    }
  }

  /** Leads from now on, with an epoch above all accepted and above `seen`. */
  #claim(goAheads: GoAhead[], seen = 0): void {
    const newest = Math.max(this.#newestEpoch(), seen)
    if (newest >= MAX_EPOCH) return
    // A reign's earlier go-aheads go along: somebody may have missed the COORDINATOR that carried them.
    const earlier = this.#state.name === 'leader' ? (this.#accepted?.goAheads ?? []) : []
    const mine = this.#signer.coordinator({
      epoch: this.#rules.mintAbove ? newest + 1 : Math.max(1, newest),
      leader: this.#self,
      priority: this.#rank(this.#self).priority,
      goAheads: [...goAheads, ...earlier].slice(0, MAX_GO_AHEADS)
    })
    for (const { from } of goAheads) this.#rivals.delete(from)
    this.#take(mine, false)
    if (this.#state.name !== 'leader') this.#become({ name: 'leader', heir: undefined })
    this.#announcements.beSure()
    for (const id of this.#electorate.ids()) if (id !== this.#self) this.#sendAccepted(id)
    this.#gossipAccepted()
    const refused = this.#refused
    this.#refused = undefined
    if (refused !== undefined) this.#meetRival(refused)
  }

  #gossipAccepted(): void {
    if (this.#accepted === undefined) return
    this.#effects.push({ type: 'gossip', coordinator: this.#accepted })
    this.#announcements.begin(this.#now)
    this.#timer('announce', this.#times.announceInterval)
  }

  #repeatAnnouncement(): void {
    if (this.#announcements.repeat(this.#now) && this.#accepted !== undefined) {
      this.#effects.push({ type: 'gossip', coordinator: this.#accepted })
    }
    this.#timer('announce', this.#times.announceInterval)
  }

  /** Whether a newer leadership may be taken without disowning a leader that lives. */
  #mayTake(coordinator: Coordinator, teller?: PeerIdString): boolean {
    const accepted = this.#accepted
    return (
      accepted === undefined ||
      this.#needsQuorum ||
      // Its own leadership is its own to give up (a leader comes here only while it doubts that it still leads).
      accepted.leader === this.#self ||
      !this.#leaderLives() ||
      coordinator.leader === accepted.leader ||
      teller === accepted.leader ||
      !this.#rules.needGoAhead ||
      coordinator.goAheads.some(
        ({ from, fromEpoch, to }) =>
          from === accepted.leader && fromEpoch >= accepted.epoch && to === coordinator.leader
      )
    )
  }

  #accept(coordinator: Coordinator): void {
    if (this.#state.name === 'yielded') this.#vain = 0
    const stepsDown = this.#state.name === 'leader'
    if (this.#state.name === 'leader' && this.#state.heir !== undefined) this.#effects.push({ type: 'cancelHandOff' })
    // An own leadership that comes from elsewhere is one of an earlier life: it counts, but nobody leads by it.
    this.#take(coordinator, coordinator.leader === this.#self)
    this.#become({ name: 'follower' })
    // What was granted was for an epoch that is over now.
    this.#release()
    // The one that it gives way to may count it as a rival by now.
    if (stepsDown) this.#sendAccepted(coordinator.leader)
  }

  /** Raises what is accepted, and nothing else. */
  #take(coordinator: Coordinator, resigned: boolean): void {
    this.#accepted = coordinator
    this.#resigned = resigned
    if (this.#refused !== undefined && !this.#isNewer(this.#refused)) this.#refused = undefined
  }

  /** Keeps what only lacks the live leader's go-ahead, and asks that leader about it until it is settled. */
  #refuse(coordinator: Coordinator): void {
    if (this.#refused !== undefined && compareLeaderships(coordinator, this.#refused) <= 0) return
    this.#refused = coordinator
    this.#faceRivals()
  }

  #reconsiderRefused(): void {
    if (this.#refused !== undefined && this.#state.name !== 'leader' && this.#mayTake(this.#refused))
      this.#accept(this.#refused)
  }

  /** This leader hears of another leadership. */
  #meetRival(rival: Coordinator): void {
    if (rival.leader === this.#self) return
    // Of an older one its leader hears from this peer when it appears.
    if (!this.#electorate.has(rival.leader)) this.#unmet = this.#isNewer(rival) ? rival : this.#unmet
    else if (this.#rivals.add(rival, this.#accepted)) this.#faceRivals()
  }

  /**
   * Somebody without a leader has accepted a newer leadership than this one, and must refuse this one until it is above.
   * Those who follow the newer one are no reason: two leaders that cannot hear each other would outbid each other for ever.
   */
  #outbid(accepted: Coordinator | undefined): boolean {
    if (accepted === undefined || !this.#isNewer(accepted)) return false
    if (!this.#mayGoAbove(accepted.leader, accepted.epoch)) return false
    // Under a quorum it would have no such epoch to accept while this lease held.
    if (this.#needsQuorum) return false
    if (this.#state.name !== 'leader' || this.#state.heir !== undefined || !this.#rules.outbidTheDead) return false
    this.#claim([], accepted.epoch)
    return true
  }

  /** Whether there is something to be settled between the leader and another one: with one that is gone there is not. */
  get #refusesLive(): boolean {
    return this.#refused !== undefined && this.#electorate.has(this.#refused.leader)
  }

  /** Tells a follower's leader of what was refused; requests the hand-off of lower rivals; makes higher ones request. */
  #faceRivals(): void {
    if (this.#state.name === 'leader') {
      for (const rival of this.#rivals.all()) {
        if (!this.#isLower(rival)) this.#showMyself(rival.leader)
        else if (this.#state.heir === undefined && this.#leaving === 'no') this.#request(rival)
      }
    } else if (this.#leaving !== 'no') this.#refused = undefined
    else if (this.#refusesLive && this.#accepted !== undefined) this.#tellOfRival(this.#accepted.leader, this.#refused!)
    const open = this.#state.name === 'leader' ? this.#rivals.size > 0 : this.#refusesLive
    this.#timer('rivals', open ? this.#times.requestInterval : undefined)
  }

  #isLower({ leader }: Coordinator): boolean {
    return compareRanks(this.#rank(leader), this.#rank(this.#self)) <= 0
  }

  /** Has the leader settle it with another one. */
  #tellOfRival(to: PeerIdString, rival: Coordinator): void {
    this.#send(to, { type: 'rival', coordinator: rival })
    if (this.#requests > 0) this.#sendThroughOthers(this.#requests, { to, word: 'rival', accepted: rival })
  }

  /** Has a leader that ranks higher ask for this leadership. */
  #showMyself(to: PeerIdString): void {
    this.#sendAccepted(to)
    const letter = { to, word: 'coordinator', accepted: this.#accepted } as const
    if (this.#requests > 0) this.#sendThroughOthers(this.#requests, letter)
  }

  /** Asks a leader to hand over. When it is asked again, it is through others, too: the link to it may be broken. */
  #request(leadership: Coordinator): void {
    const to = leadership.leader
    this.#send(to, { type: 'request' })
    if (this.#requests > 0) this.#sendThroughOthers(this.#requests, { to, word: 'request', accepted: leadership })
  }

  #handOff(to: PeerIdString, via?: PeerIdString): void {
    if (this.#state.name !== 'leader') return
    this.#state.heir = to
    this.#state.via = via
    this.#timer('handOff', this.#times.handOffTimeout)
    this.#effects.push({ type: 'handOff', to })
  }

  /** Gives the go-ahead. From here on this peer does not lead, whatever becomes of its heir. */
  #yield(to: PeerIdString, via?: PeerIdString): void {
    const fromEpoch = this.#accepted?.epoch ?? 0
    if (this.#rules.stopBeforeGoAhead) {
      this.#resigned = true
      this.#become({ name: 'yielded', heir: to })
      this.#timer('succession', this.#times.successionTimeout)
      this.#release()
    }
    const goAhead = this.#signer.goAhead({ from: this.#self, fromEpoch, to })
    this.#send(to, { type: 'goAhead', goAhead })
    if (via === undefined) return
    this.#sendLetter(via, { to, nonce: this.#signer.nonce(), word: 'goAhead', accepted: undefined, goAhead })
  }

  /** Changes the state and stops the timers that belong to others. */
  #become(state: State): void {
    const before = this.#state.name
    this.#state = state
    this.#requests = 0
    if (before === 'candidate' && state.name !== 'candidate') {
      this.#timer('coordinator', undefined)
      this.#givenAhead = undefined
    }
    if (before === 'yielded') this.#timer('succession', undefined)
    if (before === 'leader') {
      this.#rivals.clear()
      this.#unmet = undefined
      for (const name of ['announce', 'handOff', 'rivals'] as const) this.#timer(name, undefined)
    }
    if (state.name === 'leader') {
      this.#takingOver = false
      this.#timer('takeover', undefined)
    }
  }

  #mayClaim(): boolean {
    const electable = this.#electorate.get(this.#self)?.electable === true || !this.#rules.onlyElectable
    return (this.#ready || !this.#rules.waitUntilReady) && this.#leaving === 'no' && electable && this.#writable
  }

  #leaderLives(): boolean {
    if (this.#accepted === undefined || this.#resigned) return false
    return this.#accepted.leader === this.#self
      ? this.#state.name === 'leader'
      : this.#electorate.has(this.#accepted.leader)
  }

  #isNewer(coordinator: Coordinator): boolean {
    return this.#accepted === undefined || compareLeaderships(coordinator, this.#accepted) > 0
  }

  /** Under a quorum nobody else leads, known as a member or not. */
  #isVoter(id: PeerIdString): boolean {
    return this.#voters?.includes(id) !== false
  }

  /** Whether elections can have come to this epoch since the newest that was accepted here. */
  isInReach(epoch: number): boolean {
    return epoch <= MAX_EPOCH && epoch <= (this.#accepted?.epoch ?? 0) + MAX_EPOCH_STEP
  }

  /** Whether there may have been such a leadership, and what is above it is in reach of others. */
  #mayGoAbove(leader: PeerIdString, epoch: number): boolean {
    if (this.#electorate.get(leader)?.electable === false) return false
    return epoch <= MAX_EPOCH && epoch <= (this.#accepted?.epoch ?? 0) + MAX_OUTBID_STEP
  }

  #rank(id: PeerIdString): Rank {
    return this.#electorate.get(id) ?? { id, priority: this.#accepted?.leader === id ? this.#accepted.priority : 0 }
  }

  #showLeader(): void {
    const leader = this.leader
    if (leader?.id === this.#shown?.id && leader?.epoch === this.#shown?.epoch) return
    this.#shown = leader
    this.#effects.push({ type: 'leader', leader })
  }

  #sendAccepted(to: PeerIdString): void {
    if (this.#accepted !== undefined) this.#send(to, { type: 'coordinator', coordinator: this.#accepted })
  }

  #sendElection(to: PeerIdString): void {
    this.#send(to, { type: 'election', accepted: this.#accepted })
  }

  /** Through one of the live members, each time through another one. */
  #sendThroughOthers(times: number, letter: Pick<Letter, 'to' | 'word' | 'accepted'>): void {
    const bearers = [...this.#electorate.ids()].filter(id => id !== this.#self && id !== letter.to)
    const bearer = bearers[(times - 1) % bearers.length]
    if (bearer !== undefined) this.#sendLetter(bearer, { ...letter, nonce: this.#signer.nonce() })
  }

  #sendLetter(bearer: PeerIdString, letter: Omit<Letter, 'from' | 'signed'>): void {
    this.#send(bearer, { type: 'letter', letter: this.#signer.letter({ ...letter, from: this.#self }) })
  }

  #send(to: PeerIdString, message: ElectionMessage): void {
    if (to !== this.#self) this.#effects.push({ type: 'send', to, message })
  }

  #timer(name: BullyTimer, delay: number | undefined): void {
    this.#effects.push({ type: 'timer', name, delay })
  }
}
