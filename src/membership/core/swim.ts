/**
 * The membership protocol: SWIM (Das, Gupta, Motivala 2002) with signed records and a push-pull of the whole table.
 *
 * In each period, a peer pings one member (prober.ts). If that member does not answer, the peer asks k relays to ping that member. If no relay
 * gets an answer, the peer accuses the member. An accused member is a suspect until it refutes (with a self record of a higher incarnation,
 * own-record.ts) or its time is up (suspicion.ts). `suspect` and `dead` are each peer's own conclusions (table.ts, by the predicates of
 * rules.ts): no message asserts them.
 */
import type { Core, Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import type { SwimStats } from '../types.ts'
import { JoinRetries } from './join-retries.ts'
import { isLive, type Member, type MemberMetadata } from './member.ts'
import type { AckProofs, SwimEffect, SwimEvent, SwimMessage, SwimTimer } from './messages.ts'
import { Misjudgements } from './misjudgements.ts'
import { Neighbours } from './neighbours.ts'
import { OwnRecord } from './own-record.ts'
import { Prober } from './prober.ts'
import type { AccusationKind, Sign, Signed } from './record.ts'
import { Repair } from './repair.ts'
import { type SwimRules, swimRules } from './rules.ts'
import { StallDetector } from './stall-detector.ts'
import { MemberTable } from './table.ts'

export interface SwimInit {
  self: PeerIdString
  metadata: MemberMetadata
  profile: Profile
  sign: Sign
  ackProofs: AckProofs
  random: Random
  /** The wall clock, in ms since the Unix epoch, which answers to pings carry. Default: they carry none. */
  wall?: () => number
  /** Returns the state of the job layer, which each push-pull carries. */
  localState?: () => Uint8Array
  /** The first incarnation. It must be higher than all incarnations of earlier runs. Default 0. */
  incarnation?: number
  rules?: SwimRules | undefined
  /** The limit of known members. Default {@link MAX_MEMBERS}. */
  maxMembers?: number
  /** Returns whether messages of a member wait to be handled. If messages wait, the member may have answered. Default: no messages wait. */
  hasBacklog?: (member: PeerIdString) => boolean
}

type Sync = Extract<SwimMessage, { type: 'sync' }>

const TIMERS: SwimTimer[] = ['probe', 'probe-timeout', 'nack', 'suspicion', 'push-pull', 'heal', 'lone-start']

/** The maximum wait of a peer that keeps dialling, as a number of lone-start delays. */
const LONGEST_LONE_START = 10

export class Swim implements Core<SwimEvent, SwimEffect> {
  readonly #init: SwimInit
  readonly #own: OwnRecord
  readonly #table: MemberTable
  readonly #neighbours: Neighbours
  readonly #prober: Prober
  readonly #joinRetries = new JoinRetries()
  readonly #repair: Repair
  readonly #stalls: StallDetector
  readonly #misjudgements: Misjudgements
  #ready = false
  #startedAt = 0
  #suspicionDue: number | undefined
  #now = 0
  #effects: SwimEffect[] = []

  constructor(init: SwimInit) {
    const { self, metadata, profile, rules = swimRules } = init
    this.#init = init
    this.#stalls = new StallDetector(profile.stallTolerance)
    this.#misjudgements = new Misjudgements(self)
    this.#neighbours = new Neighbours(self, profile.fullMesh)
    const changed = (member: Member, previous: Member | undefined): void => this.#onChange(member, previous)
    const table = new MemberTable({ ...init, electorate: metadata.electorate, rules, changed })
    this.#table = table
    this.#own = new OwnRecord({
      ...init,
      rules,
      learn: own => table.learn(own, this.#now),
      gossip: record => this.#effects.push({ type: 'gossip', record }),
      outdated: () => this.#effects.push({ type: 'outdated' })
    })
    const parts = { ...init, table, neighbours: this.#neighbours }
    this.#repair = new Repair(parts)
    this.#prober = new Prober({
      ...parts,
      send: (to, message) => this.#send(to, message),
      timer: (name, delay) => this.#timer(name, delay)
    })
  }

  get isReady(): boolean {
    return this.#ready
  }

  get size(): number {
    return this.#table.size
  }

  members(): Member[] {
    return this.#table.members()
  }

  get(id: PeerIdString): Member | undefined {
    return this.#table.get(id)
  }

  /** Returns the mean round trip to a member in ms, or undefined if no round trip has been measured. */
  roundTrip(id: PeerIdString): number | undefined {
    return this.#prober.roundTrips.get(id)
  }

  /** Returns by how much this peer's wall clock is ahead of the median of the live members, in ms. `wall`: its time at `now`. */
  clockOffset(wall: number, now: number): number | undefined {
    const others = this.members().filter(member => member.id !== this.#init.self && isLive(member))
    return this.#prober.clocks.offset(
      wall - now,
      others.map(({ id }) => id)
    )
  }

  /** Returns the counts since the start, and the score of local health. */
  stats(): SwimStats {
    const { falseSuspicions, falseDeaths } = this.#misjudgements
    return { falseSuspicions, falseDeaths, refutations: this.#own.refutations, localHealth: this.#prober.health.score }
  }

  handle(event: SwimEvent, now: number): SwimEffect[] {
    // After a leave, this peer sends nothing more, not even answers.
    if (this.#own.hasLeft) return []
    this.#now = now
    this.#effects = []
    this.#allowForStalls()
    this.#step(event)
    this.#timeSuspicions()
    this.#reportNeighbours()
    return this.#effects
  }

  #step(event: SwimEvent) {
    switch (event.type) {
      case 'start':
        return this.#start(event.searchedFor)
      case 'timer':
        return this.#onTimer(event.name as SwimTimer)
      case 'message':
        return this.#onMessage(event.from, event.message)
      case 'gossip':
        return this.#onGossip(event.record)
      case 'connected':
        this.#table.cancelRefusal(event.peer, this.#now)
        return this.#meet(event.peer)
      case 'disconnected':
        return this.#joinRetries.delete(event.peer)
      case 'dialling':
        return this.#onDialling()
      case 'refused':
        return this.#accuse(event.peer, 'refused')
      case 'lag':
        // A stall that overdue timers have already revealed does not count again.
        if (this.#now - this.#stalls.lastAt > this.#prober.period) this.#prober.health.worse()
        return
      case 'update':
        return this.#own.update({ metadata: { ...this.#own.record.metadata, ...event.change } }, this.#now)
      case 'leave':
        return this.#leave()
    }
  }

  #start(searchedFor = 0): void {
    this.#startedAt = this.#now
    const { profile, random } = this.#init
    this.#table.learn(this.#own.signed, this.#now)
    // The first period begins at a random time, so that peers that start together do not probe at the same time.
    this.#timer('probe', random() * profile.period)
    this.#timer('push-pull', this.#repair.pushPullPause())
    this.#timer('heal', this.#repair.healPause())
    const { loneStartDelay } = profile
    this.#timer('lone-start', Math.max(loneStartDelay / 10, loneStartDelay - searchedFor))
  }

  #leave(): void {
    const others = this.#table.others()
    this.#own.update({ state: 'left' }, this.#now)
    for (const to of others) this.#sendOwn(to)
    for (const name of TIMERS) this.#timer(name, undefined)
  }

  #onTimer(name: SwimTimer) {
    this.#stalls.set(name, undefined)
    switch (name) {
      case 'probe':
        return this.#onProbePeriod()
      case 'probe-timeout':
        return this.#prober.askOthers(this.#now)
      case 'nack':
        return this.#prober.sendNacks(this.#now)
      case 'suspicion':
        this.#suspicionDue = undefined
        return this.#table.expire(this.#now)
      case 'push-pull':
        return this.#onPushPull()
      case 'heal':
        this.#timer('heal', this.#repair.healPause())
        for (const id of this.#repair.deadToTry()) this.#sync(id)
        return
      case 'lone-start':
        return this.#becomeReady()
    }
  }

  #onMessage(from: PeerIdString, message: SwimMessage) {
    if (message.type === 'sync') return this.#onSync(from, message)
    if (message.type === 'records') return this.#takeRecords(from, message.records)
    this.#prober.onMessage(from, message, this.#now)
    if (message.type === 'ping') this.#takeRecords(from, message.accusations)
    this.#correct(from)
  }

  #onProbePeriod(): void {
    const silent = this.#prober.conclude(this.#now)
    this.#timer('probe', this.#prober.period)
    if (silent !== undefined && this.#init.hasBacklog?.(silent) !== true) this.#accuse(silent, 'silent')
    if (this.#own.refuteIfDue(this.#now)) this.#prober.health.worse()
    for (const peer of this.#joinRetries.due(this.#now)) this.#sync(peer)
    this.#own.introduce(this.#table.liveOthers, this.#now)
    this.#prober.begin(this.#now)
  }

  // --- Accusations and records (SWIM §4.2)

  #accuse(target: PeerIdString, kind: AccusationKind): void {
    const { self: accuser, sign } = this.#init
    const member = this.#table.get(target)
    if (member === undefined || target === accuser || !isLive(member)) return
    const accusation = sign({ type: 'accusation', accuser, target, incarnation: member.incarnation, kind })
    if (!this.#table.accuse(accusation, this.#now)) return
    this.#effects.push({ type: 'gossip', record: accusation })
    if (this.#table.get(target)?.state === 'suspect') this.#prober.ping(target)
  }

  #onGossip(signed: Signed): void {
    const isOutdated = this.#onRecord(signed)
    // An accuser of an earlier incarnation has missed the refutation, so other members may also have missed the refutation.
    if (isOutdated && signed.record.type === 'accusation') this.#own.repeat(this.#now)
  }

  /** Handles a record. Returns whether the record shows that the sender has an outdated record of this peer. */
  #onRecord({ record, envelope }: Signed, downFor = 0): boolean {
    const { self } = this.#init
    if (record.type === 'self') {
      if (record.member === self) return this.#own.onHeard(record, this.#now)
      const { member: id, metadata } = record
      if (this.#table.isForeign(record)) this.#effects.push({ type: 'foreign', id, electorate: metadata.electorate })
      this.#table.learn({ record, envelope }, this.#now, downFor)
      return false
    }
    if (record.target === self) {
      if (this.#own.onAccused(record, this.#now)) this.#prober.health.worse()
      // An accuser of a later incarnation has a record from an earlier run of this peer. A push-pull will bring that record.
      return record.incarnation < this.#own.record.incarnation
    }
    this.#table.accuse({ record, envelope }, this.#now, true)
    return false
  }

  /** Handles records that a member sent directly. If the sender has an outdated record of this peer, the sender gets the current record at once. */
  #takeRecords(from: PeerIdString, records: readonly Signed[]): void {
    let isOutdated = false
    for (const record of records) isOutdated = this.#onRecord(record) || isOutdated
    if (isOutdated) this.#sendOwn(from)
  }

  /** Gives a peer the chance to refute, return or introduce itself, when the peer has sent a message but is not a live member in this view. */
  #correct(from: PeerIdString): void {
    const member = this.#table.get(from)
    if (member === undefined) this.#meet(from)
    else if (!isLive(member)) {
      this.#send(from, { type: 'records', records: [this.#table.record(from)!, ...this.#table.evidence(from)] })
    }
  }

  // --- Push-pull

  #meet(peer: PeerIdString): void {
    const member = this.#table.get(peer)
    // Two members that know each other need only one push-pull, which the member with the lower id begins.
    const begins =
      member === undefined ? this.#joinRetries.add(peer, this.#now) : member.state !== 'alive' || this.#init.self < peer
    if (begins) this.#sync(peer)
  }

  #sync(to: PeerIdString, reply = false): void {
    const entries = this.#table.entries(this.#now)
    this.#send(to, { type: 'sync', reply, entries, state: this.#init.localState?.() ?? new Uint8Array() })
  }

  #onSync(from: PeerIdString, message: Sync): void {
    if (this.#refuseForeigner(from, message)) return
    const { entries, reply, state } = message
    this.#effects.push({ type: 'merge', from, state })
    const suspects = new Set(this.#table.suspects())
    let isOutdated = false
    // Handle all self records first: an accusation counts only if the accuser and the accused incarnation are known.
    for (const { record, downFor } of entries) isOutdated = this.#onRecord(record, downFor) || isOutdated
    const isFirst = this.#own.meet()
    for (const each of entries.flatMap(entry => entry.accusations)) isOutdated = this.#onRecord(each) || isOutdated
    for (const { record, downFor } of entries) if (downFor > 0) this.#table.dateBack(record, downFor, this.#now)
    if (!reply) this.#sync(from, true)
    else if (isOutdated) this.#sendOwn(from)
    // Ping new suspects, because a push-pull, unlike gossip, does not reach the accused members.
    for (const id of this.#table.suspects()) if (!suspects.has(id)) this.#prober.ping(id)
    if (isFirst) this.#effects.push({ type: 'met' })
    this.#becomeReady()
  }

  /** Handles a push-pull from a peer of another electorate. Only the peer's own record counts. The reply shows the peer this electorate. */
  #refuseForeigner(from: PeerIdString, { entries, reply }: Sync): boolean {
    const own = entries.find(({ record }) => record.record.member === from)
    if (own === undefined || !this.#table.isForeign(own.record.record)) return false
    this.#onRecord(own.record)
    if (!reply) this.#sync(from, true)
    return true
  }

  #onPushPull(): void {
    this.#timer('push-pull', this.#repair.pushPullPause())
    for (const id of this.#table.drop(this.#now)) {
      this.#prober.roundTrips.delete(id)
      this.#prober.clocks.delete(id)
      this.#effects.push({ type: 'dropped', id })
    }
    const other = this.#repair.partner()
    if (other !== undefined) this.#sync(other)
  }

  /** Extends the lone-start delay while this peer dials another peer, because a dial takes longer on a busy machine. */
  #onDialling(): void {
    if (this.#ready) return
    const { loneStartDelay } = this.#init.profile
    if (this.#now - this.#startedAt >= LONGEST_LONE_START * loneStartDelay) this.#becomeReady()
    else this.#timer('lone-start', loneStartDelay / 4)
  }

  #becomeReady(): void {
    if (this.#ready) return
    this.#ready = true
    this.#timer('lone-start', undefined)
    this.#effects.push({ type: 'ready' })
  }

  /** Extends deadlines by lost time. After a pause, answers may wait unread, so the pause must neither cause an accusation nor end a suspicion. */
  #allowForStalls(): void {
    const lost = this.#stalls.lost(this.#now)
    if (lost === 0) return
    this.#prober.health.worse()
    this.#prober.cancel()
    this.#table.extendSuspicions(lost)
  }

  #onChange(member: Member, previous: Member | undefined): void {
    this.#neighbours.update(member.id, isLive(member))
    this.#misjudgements.changed(member, previous)
    if (previous === undefined && member.id !== this.#init.self) {
      this.#prober.add(member.id)
      this.#joinRetries.delete(member.id)
    }
    this.#effects.push({ type: 'member', member, previous })
  }

  #timeSuspicions(): void {
    const due = this.#table.nextExpiry()
    if (due === this.#suspicionDue || this.#own.hasLeft) return
    this.#suspicionDue = due
    this.#timer('suspicion', due === undefined ? undefined : Math.max(0, due - this.#now))
  }

  #reportNeighbours(): void {
    if (!this.#neighbours.takeChange()) return
    this.#effects.push({ type: 'neighbours', ids: this.#neighbours.isBounded ? this.#neighbours.ids() : undefined })
  }

  #sendOwn(to: PeerIdString): void {
    this.#send(to, { type: 'records', records: [this.#own.signed] })
  }

  #send(to: PeerIdString, message: SwimMessage): void {
    this.#effects.push({ type: 'send', to, message })
  }

  #timer(name: SwimTimer, delay: number | undefined): void {
    this.#stalls.set(name, delay === undefined ? undefined : this.#now + delay)
    this.#effects.push({ type: 'timer', name, delay })
  }
}
