/**
 * The membership protocol: SWIM (Das, Gupta, Motivala 2002) with signed records and a push-pull of the whole table.
 *
 * Each period one member is pinged; if it does not answer, k others are asked to ping it; if nobody hears from it, it is
 * accused. An accused member is a suspect until it refutes (by a self record with a higher incarnation) or its time is up.
 * `suspect` and `dead` are this peer's own conclusions: no message asserts them (table.ts draws them, by rules.ts).
 */
import type { Core, Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import type { SwimStats } from '../types.ts'
import { isLive, type Member, type MemberMetadata } from './member.ts'
import type { Answers, Asker, SwimEffect, SwimEvent, SwimMessage } from './messages.ts'
import { Misjudgements } from './misjudgements.ts'
import { Neighbours } from './neighbours.ts'
import { Prober } from './probe.ts'
import type { Accusation, AccusationKind, SelfRecord, Sign, Signed } from './record.ts'
import { Repair } from './repair.ts'
import { type SwimRules, swimRules } from './rules.ts'
import { StallGuard } from './stall-guard.ts'
import { Strangers } from './strangers.ts'
import { MemberTable } from './table.ts'

export interface SwimInit {
  self: PeerIdString
  metadata: MemberMetadata
  profile: Profile
  sign: Sign
  random: Random
  /** The state of the layer above, to send with each push-pull. */
  localState?: () => Uint8Array
  /** The incarnation to begin with: above all that this member used in earlier runs. Default 0. */
  incarnation?: number
  rules?: SwimRules
  /** How many members are known at most. Default 10,000. */
  maxMembers?: number
  /** Whether something that came from a member waits to be handled: its silence says nothing then. Default: never. */
  isHeldBack?: (member: PeerIdString) => boolean
  /** How answers are proven that others relay. */
  answers: Answers
}

type SwimTimer = 'probe' | 'probe-timeout' | 'nack' | 'suspicion' | 'push-pull' | 'heal' | 'lone-start'

/** So many lone-start delays are waited at most while somebody is being dialled. */
const LONGEST_LONE_START = 10

const NO_STATE = new Uint8Array()

export class Swim implements Core<SwimEvent, SwimEffect> {
  readonly #self: PeerIdString
  readonly #profile: Profile
  readonly #sign: Sign
  readonly #random: Random
  readonly #localState: () => Uint8Array
  readonly #rules: SwimRules
  readonly #answers: Answers
  readonly #isHeldBack: (member: PeerIdString) => boolean
  readonly #table: MemberTable
  readonly #neighbours: Neighbours
  readonly #prober: Prober
  readonly #strangers = new Strangers()
  readonly #repair: Repair
  readonly #stalls: StallGuard
  readonly #misjudgements: Misjudgements
  #refutations = 0
  #own: Signed<SelfRecord>
  #ready = false
  #startedAt = 0
  #introduced = false
  #refutedAt = Number.NEGATIVE_INFINITY
  /** Accused again right after a refutation: it refutes once more in the next period. */
  #mustRefute = false
  #stalledAt = Number.NEGATIVE_INFINITY
  /** When all were last told what this peer says about itself. */
  #toldAt = Number.NEGATIVE_INFINITY
  #suspicionDue: number | undefined
  /** The version of the neighbours that was told. */
  #neighboursTold = 0
  #now = 0
  #effects: SwimEffect[] = []

  constructor(init: SwimInit) {
    this.#self = init.self
    this.#profile = init.profile
    this.#sign = init.sign
    this.#random = init.random
    this.#localState = init.localState ?? (() => NO_STATE)
    this.#rules = init.rules ?? swimRules
    this.#answers = init.answers
    this.#isHeldBack = init.isHeldBack ?? (() => false)
    this.#stalls = new StallGuard(init.profile.stallTolerance)
    this.#misjudgements = new Misjudgements(init.self)
    this.#table = new MemberTable({
      self: init.self,
      quorum: init.metadata.quorum,
      profile: init.profile,
      rules: this.#rules,
      maxMembers: init.maxMembers,
      changed: (member, previous) => this.#changed(member, previous)
    })
    this.#neighbours = new Neighbours(init.self, init.profile.fullMesh)
    const [table, neighbours] = [this.#table, this.#neighbours]
    this.#repair = new Repair({ ...init, table, neighbours })
    this.#prober = new Prober({
      ...init,
      table,
      neighbours,
      send: (to, message) => this.#send(to, message),
      probeTimer: delay => this.#timer('probe-timeout', delay),
      nackTimer: delay => this.#timer('nack', delay)
    })
    this.#own = init.sign({
      type: 'self',
      member: init.self,
      state: 'alive',
      incarnation: init.incarnation ?? 0,
      revision: 0,
      metadata: init.metadata
    })
  }

  get isReady(): boolean {
    return this.#ready
  }

  /** How many members are known. */
  get size(): number {
    return this.#table.size
  }

  members(): Member[] {
    return this.#table.members()
  }

  get(id: PeerIdString): Member | undefined {
    return this.#table.get(id)
  }

  /** How long this member's answers take, in ms; undefined where none has been measured. */
  roundTrip(id: PeerIdString): number | undefined {
    return this.#prober.roundTrip(id)
  }

  /** What it has counted since it started. */
  stats(): SwimStats {
    const { falseSuspicions, falseDeaths } = this.#misjudgements
    return { falseSuspicions, falseDeaths, refutations: this.#refutations, localHealth: this.#prober.localHealth }
  }

  handle(event: SwimEvent, now: number): SwimEffect[] {
    // Who has left says nothing more: not even an answer.
    if (this.#own.record.state === 'left') return []
    this.#now = now
    this.#effects = []
    this.#allowForStalls()
    if (event.type !== 'lag') this.#dispatch(event)
    // What late timers have told already does not count again.
    else if (now - this.#stalledAt > this.#prober.period) this.#prober.doubt()
    this.#timeSuspicions()
    this.#tellNeighbours()
    return this.#effects
  }

  #dispatch(event: Exclude<SwimEvent, { type: 'lag' }>): void {
    switch (event.type) {
      case 'start':
        this.#start()
        break
      case 'timer':
        this.#onTimer(event.name as SwimTimer)
        break
      case 'message':
        this.#onMessage(event.from, event.message)
        break
      case 'gossip':
        this.#onGossip(event.record)
        break
      case 'connected':
        this.#table.cancelRefusal(event.peer, this.#now)
        this.#meet(event.peer)
        break
      case 'meeting':
        this.#onMeeting()
        break
      case 'disconnected':
        this.#strangers.delete(event.peer)
        break
      case 'refused':
        this.#accuse(event.peer, 'refused')
        break
      case 'update':
        this.#publish({
          revision: this.#own.record.revision + 1,
          metadata: { ...this.#own.record.metadata, ...event.change }
        })
        break
      case 'leave':
        this.#leave()
        break
    }
  }

  #start(): void {
    this.#startedAt = this.#now
    const { period, loneStartDelay } = this.#profile
    this.#table.learn(this.#own, this.#now)
    // A random phase: peers started by one script should not probe in step.
    this.#timer('probe', this.#random() * period)
    this.#timer('push-pull', this.#repair.pushPullPause())
    this.#timer('heal', this.#repair.healPause())
    this.#timer('lone-start', loneStartDelay)
  }

  #onTimer(name: SwimTimer): void {
    this.#stalls.set(name, undefined)
    switch (name) {
      case 'probe':
        this.#onProbePeriod()
        break
      case 'probe-timeout':
        this.#prober.askOthers(this.#now)
        break
      case 'nack':
        this.#prober.sendNacks(this.#now)
        break
      case 'suspicion':
        this.#suspicionDue = undefined
        this.#table.expire(this.#now)
        break
      case 'push-pull':
        this.#onPushPull()
        break
      case 'heal':
        this.#onHeal()
        break
      case 'lone-start':
        this.#becomeReady()
        break
    }
  }

  #onMessage(from: PeerIdString, message: SwimMessage): void {
    switch (message.type) {
      case 'ping':
        this.#send(from, { type: 'ack', seq: message.seq, proof: this.#answerTo(message.asker) })
        this.#takeRecords(from, message.accusations)
        this.#setRight(from)
        break
      case 'ack':
        this.#prober.acknowledged(from, message.seq, this.#now, message.proof)
        this.#setRight(from)
        break
      case 'nack':
        this.#prober.nacked(from, message.seq)
        this.#setRight(from)
        break
      case 'ping-req':
        this.#prober.pingFor(from, message, this.#now)
        this.#setRight(from)
        break
      case 'sync':
        this.#onSync(from, message)
        break
      case 'records':
        this.#takeRecords(from, message.records)
        break
    }
  }

  #answerTo(asker: Asker | undefined): Uint8Array | undefined {
    return asker && this.#answers.sign(asker)
  }

  #onProbePeriod(): void {
    const silent = this.#prober.conclude(this.#now)
    this.#timer('probe', this.#prober.period)
    if (silent !== undefined && !this.#isHeldBack(silent)) this.#accuse(silent, 'silent')
    if (this.#mustRefute) this.#refute()
    for (const peer of this.#strangers.due(this.#now)) this.#sync(peer)
    this.#introduce()
    this.#prober.begin(this.#now)
  }

  /** Once there is somebody to gossip with, so that those hear of this peer whom it does not meet. */
  #introduce(): void {
    if (this.#introduced || this.#table.liveOthers === 0) return
    this.#introduced = true
    this.#tell()
  }

  // --- Accusing and refuting (SWIM §4.2)

  #accuse(target: PeerIdString, kind: AccusationKind): void {
    const member = this.#table.get(target)
    if (member === undefined || target === this.#self || !isLive(member)) return
    const accusation = this.#sign<Accusation>({
      type: 'accusation',
      accuser: this.#self,
      target,
      incarnation: member.incarnation,
      kind
    })
    if (!this.#table.accuse(accusation, this.#now)) return
    this.#effects.push({ type: 'gossip', record: accusation })
    if (this.#table.get(target)?.state === 'suspect') this.#prober.ping(target)
  }

  #onGossip(signed: Signed): void {
    const outdated = this.#onRecord(signed)
    // Whoever accuses an earlier incarnation has missed the refutation; some of those who hear it may have missed it, too.
    // Unless it was told a moment ago: then it is on its way.
    if (!outdated || signed.record.type === 'self' || this.#now - this.#toldAt < this.#profile.probeTimeout) return
    this.#tell()
  }

  /** Takes a record; for one about this peer, says whether its bearer has an outdated picture of this peer. */
  #onRecord(signed: Signed, downFor = 0): boolean {
    const { record } = signed
    if (record.type === 'self') {
      if (record.member === this.#self) return this.#onOwnRecord(record)
      if (this.#table.isForeign(record)) this.#effects.push({ type: 'foreign', id: record.member })
      this.#table.learn({ record, envelope: signed.envelope }, this.#now, downFor)
      return false
    }
    if (record.target === this.#self) return this.#onAccused(record)
    this.#table.accuse({ record, envelope: signed.envelope }, this.#now, true)
    return false
  }

  #onAccused(accusation: Accusation): boolean {
    const own = this.#own.record
    if (this.#rules.mustRefute(accusation, own)) {
      // Nobody has heard of the present incarnation yet, but a liar may have made accusations against all of them in advance.
      if (this.#now - this.#refutedAt < this.#profile.probeTimeout) this.#mustRefute = true
      else this.#refute()
    }
    // Whoever accuses a later incarnation knows more than we do: a push-pull will show us our record from an earlier life.
    return accusation.incarnation < this.#own.record.incarnation
  }

  #refute(): void {
    this.#mustRefute = false
    this.#refutedAt = this.#now
    this.#refutations += 1
    this.#prober.doubt()
    this.#publish({ incarnation: this.#own.record.incarnation + 1, revision: 0 })
    // Who was cut off refutes before gossip flows again: once more in a moment.
    this.#introduced = false
  }

  #onOwnRecord(record: SelfRecord): boolean {
    const own = this.#own.record
    if (this.#rules.mustGoAbove(record, own)) this.#publish({ incarnation: record.incarnation + 1, revision: 0 })
    return this.#rules.supersedes(this.#own.record, record)
  }

  /** Records that came directly: whoever holds an outdated picture of this peer gets the present one back at once. */
  #takeRecords(from: PeerIdString, records: readonly Signed[]): void {
    let outdated = false
    for (const record of records) outdated = this.#onRecord(record) || outdated
    if (outdated) this.#send(from, { type: 'records', records: [this.#own] })
  }

  /** Something came directly from a peer that is no live member here: let it refute, come back, or introduce itself. */
  #setRight(from: PeerIdString): void {
    const member = this.#table.get(from)
    if (member === undefined) this.#meet(from)
    else if (!isLive(member)) {
      this.#send(from, { type: 'records', records: [this.#table.record(from)!, ...this.#table.evidence(from)] })
    }
  }

  /** Says something new about itself. */
  #publish(change: Partial<SelfRecord>): void {
    this.#own = this.#sign<SelfRecord>({ ...this.#own.record, ...change })
    this.#table.learn(this.#own, this.#now)
    this.#tell()
  }

  #tell(): void {
    this.#toldAt = this.#now
    this.#effects.push({ type: 'gossip', record: this.#own })
  }

  #leave(): void {
    const others = this.#table.others()
    this.#publish({ state: 'left', revision: this.#own.record.revision + 1 })
    for (const to of others) this.#send(to, { type: 'records', records: [this.#own] })
    const timers: SwimTimer[] = ['probe', 'probe-timeout', 'nack', 'suspicion', 'push-pull', 'heal', 'lone-start']
    for (const name of timers) this.#timer(name, undefined)
  }

  // --- Push-pull

  #meet(peer: PeerIdString): void {
    const member = this.#table.get(peer)
    if (member === undefined) {
      if (this.#strangers.add(peer, this.#now)) this.#sync(peer)
    } else if (member.state !== 'alive' || this.#self < peer) {
      // Between two that know each other, one push-pull is enough: the lower one begins it.
      this.#sync(peer)
    }
  }

  #sync(to: PeerIdString, reply = false): void {
    const entries = this.#table.entries(this.#now)
    this.#send(to, { type: 'sync', reply, entries, state: this.#localState() })
  }

  #onSync(from: PeerIdString, message: Extract<SwimMessage, { type: 'sync' }>): void {
    if (this.#refuseForeigner(from, message)) return
    this.#effects.push({ type: 'merge', from, state: message.state })
    const suspects = new Set(this.#suspects())
    let outdated = false
    // All records first: an accusation counts only by a known member, against a known incarnation.
    for (const { record, downFor } of message.entries) outdated = this.#onRecord(record, downFor) || outdated
    for (const { accusations } of message.entries) {
      for (const accusation of accusations) outdated = this.#onRecord(accusation) || outdated
    }
    for (const { record, downFor } of message.entries) {
      if (downFor > 0) this.#table.dateBack(record, downFor, this.#now)
    }
    if (!message.reply) this.#sync(from, true)
    else if (outdated) this.#send(from, { type: 'records', records: [this.#own] })
    // Gossip reaches the accused itself; what a push-pull brings does not, so it is told.
    for (const id of this.#suspects()) if (!suspects.has(id)) this.#prober.ping(id)
    this.#becomeReady()
  }

  /** Nothing that a peer of other terms says counts, but what it says of itself. It gets its answer, and finds out, too. */
  #refuseForeigner(from: PeerIdString, { entries, reply }: Extract<SwimMessage, { type: 'sync' }>): boolean {
    const own = entries.find(({ record }) => record.record.member === from)?.record
    if (own === undefined || !this.#table.isForeign(own.record)) return false
    this.#onRecord(own)
    if (!reply) this.#sync(from, true)
    return true
  }

  #suspects(): PeerIdString[] {
    return this.#table.others().filter(id => this.#table.get(id)?.state === 'suspect')
  }

  #onPushPull(): void {
    this.#timer('push-pull', this.#repair.pushPullPause())
    for (const id of this.#table.drop(this.#now)) {
      this.#prober.forget(id)
      this.#effects.push({ type: 'dropped', id })
    }
    const other = this.#repair.partner()
    if (other !== undefined) this.#sync(other)
  }

  #onHeal(): void {
    this.#timer('heal', this.#repair.healPause())
    for (const id of this.#repair.deadToTry()) this.#sync(id)
  }

  /** The lone-start delay is over while somebody is being dialled: on a starved machine that takes longer. */
  #onMeeting(): void {
    if (this.#ready) return
    const { loneStartDelay } = this.#profile
    if (this.#now - this.#startedAt >= LONGEST_LONE_START * loneStartDelay) this.#becomeReady()
    else this.#timer('lone-start', loneStartDelay / 4)
  }

  #becomeReady(): void {
    if (this.#ready) return
    this.#ready = true
    this.#timer('lone-start', undefined)
    this.#effects.push({ type: 'ready' })
  }

  // --- Plumbing

  /** After a pause, answers may be waiting unread: nobody is accused, and no suspicion ends, because of time lost here. */
  #allowForStalls(): void {
    const lost = this.#stalls.lost(this.#now)
    if (lost === 0) return
    this.#stalledAt = this.#now
    this.#prober.doubt()
    this.#prober.cancel()
    this.#table.extendSuspicions(lost)
  }

  #changed(member: Member, previous: Member | undefined): void {
    this.#neighbours.update(member.id, isLive(member))
    this.#misjudgements.changed(member, previous)
    if (previous === undefined && member.id !== this.#self) {
      this.#prober.add(member.id)
      this.#strangers.delete(member.id)
    }
    this.#effects.push({ type: 'member', member, previous })
  }

  #timeSuspicions(): void {
    const due = this.#table.nextExpiry()
    if (due === this.#suspicionDue || this.#own.record.state === 'left') return
    this.#suspicionDue = due
    this.#timer('suspicion', due === undefined ? undefined : Math.max(0, due - this.#now))
  }

  #tellNeighbours(): void {
    const { version, isBounded } = this.#neighbours
    if (version === this.#neighboursTold) return
    this.#neighboursTold = version
    this.#effects.push({ type: 'neighbours', ids: isBounded ? this.#neighbours.ids() : undefined })
  }

  #send(to: PeerIdString, message: SwimMessage): void {
    this.#effects.push({ type: 'send', to, message })
  }

  #timer(name: SwimTimer, delay: number | undefined): void {
    this.#stalls.set(name, delay === undefined ? undefined : this.#now + delay)
    this.#effects.push({ type: 'timer', name, delay })
  }
}
