import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import { LocalHealth } from './local-health.ts'
import type { Answers, Asker, SwimMessage } from './messages.ts'
import type { Neighbours } from './neighbours.ts'
import { ProbeList, shuffled } from './probe-list.ts'
import { RoundTrips } from './round-trips.ts'
import type { MemberTable } from './table.ts'

export interface ProberInit {
  self: PeerIdString
  profile: Profile
  random: Random
  table: MemberTable
  neighbours: Neighbours
  answers: Answers
  send: (to: PeerIdString, message: SwimMessage) => void
  /** Starts the timer after which {@link Prober.askOthers} is due; undefined stops it. */
  probeTimer: (delay: number | undefined) => void
  /** Starts the timer after which {@link Prober.sendNacks} is due; undefined stops it. */
  nackTimer: (delay: number | undefined) => void
}

/** A nack is sent after this share of the time that the origin has left, so that it arrives within it. */
const NACK_AFTER = 0.6
/** Pings under way for one member at a time: it asks one a period at most, and some answers never come. */
const RELAYED_FOR_ONE = 32

interface Probe {
  seq: number
  target: PeerIdString
  sentAt: number
  relays: PeerIdString[]
  /** What the target is to sign when the relays ping it. */
  nonce: number | undefined
  /** Of the relays, those that said that the target does not answer them either. */
  nacks: Set<PeerIdString>
}

/** A ping sent for another. */
interface Relayed {
  target: PeerIdString
  origin: PeerIdString
  seq: number
  at: number
}

type PingReq = Extract<SwimMessage, { type: 'ping-req' }>

/** The failure detector (SWIM §3.1): one member a period, first directly, then through k others. */
export class Prober {
  readonly #init: ProberInit
  readonly #list: ProbeList
  readonly #health = new LocalHealth()
  readonly #roundTrips = new RoundTrips()
  /** Pings sent for others: by our seq, who shall answer and whom the answer is for. */
  readonly #relayed = new Map<number, Relayed>()
  /** By our seq, when the origin is told that there is no answer so far. */
  readonly #nacksDue = new Map<number, number>()
  #nextNack: number | undefined
  #probe: Probe | undefined
  #seq = 0

  constructor(init: ProberInit) {
    this.#init = init
    this.#list = new ProbeList(init.random)
  }

  /** How long the present period lasts, in ms. */
  get period(): number {
    return this.#init.profile.period * this.#health.stretch
  }

  /** How much this peer doubts itself: 0 is not at all. */
  get localHealth(): number {
    return this.#health.score
  }

  /** Something else than a missing answer says that this peer is slow itself. */
  doubt(): void {
    this.#health.worse()
  }

  /** A member is new. */
  add(id: PeerIdString): void {
    if (this.#init.neighbours.has(id)) this.#list.add(id)
  }

  /** A member is forgotten. */
  forget(id: PeerIdString): void {
    this.#roundTrips.delete(id)
  }

  /** How long a member's answers take, in ms; undefined where none has been measured. */
  roundTrip(id: PeerIdString): number | undefined {
    return this.#roundTrips.get(id)
  }

  /** A period is over: says who did not answer in it. */
  conclude(now: number): PeerIdString | undefined {
    const silent = this.#probe?.target
    if (this.#probe !== undefined) this.#judgeOneself(this.#probe)
    this.cancel()
    for (const [seq, { at }] of this.#relayed) {
      if (now - at > 2 * LocalHealth.longestStretch * this.#init.profile.period) this.#forgetRelayed(seq)
    }
    return silent
  }

  /** Begins the next period's probe. */
  begin(now: number): void {
    const target = this.#list.next(this.#init.neighbours.ids())
    if (target === undefined) return
    this.#probe = { seq: this.ping(target), target, sentAt: now, relays: [], nonce: undefined, nacks: new Set() }
    this.#init.probeTimer(this.#timeout(target) * this.#health.stretch)
  }

  /** The member probed did not answer in time: k others are asked to ping it. */
  askOthers(now: number): void {
    const probe = this.#probe
    if (probe === undefined) return
    const { neighbours, random, profile, send } = this.#init
    // Its neighbours: they are connected to it already.
    const others = neighbours.of(probe.target)
    // Suspects only where there is nobody else: they are likely to be silent, too.
    const alive = others.filter(id => this.#isAlive(id))
    probe.relays = shuffled(alive.length > 0 ? alive : others, random).slice(0, profile.indirectProbes)
    probe.nonce = this.#init.answers.nonce()
    const { seq, target, nonce } = probe
    const within = Math.max(0, probe.sentAt + this.period - now)
    for (const relay of probe.relays) send(relay, { type: 'ping-req', seq, target, within, nonce })
  }

  /** The member answered directly, or `from` tells that it answered, with the proof. */
  acknowledged(from: PeerIdString, seq: number, now: number, proof?: Uint8Array): void {
    const relayed = this.#relayed.get(seq)
    if (relayed !== undefined) {
      // Our seqs can be guessed: nobody else may vouch for the target.
      if (relayed.target !== from) return
      this.#forgetRelayed(seq)
      this.#init.send(relayed.origin, { type: 'ack', seq: relayed.seq, proof })
    } else if (this.#probe?.seq === seq && (this.#probe.target === from || this.#vouches(from, this.#probe, proof))) {
      if (this.#probe.target === from) this.#roundTrips.sample(from, now - this.#probe.sentAt)
      this.#health.better()
      this.cancel()
    }
  }

  /** A relay has had no answer from the target either: so it is not this peer that hears nothing. */
  nacked(from: PeerIdString, seq: number): void {
    if (this.#probe?.seq === seq && this.#probe.relays.includes(from)) this.#probe.nacks.add(from)
  }

  /** Tells those for whom members were pinged in vain so far. */
  sendNacks(now: number): void {
    this.#nextNack = undefined
    for (const [ours, due] of this.#nacksDue) {
      if (due > now) continue
      this.#nacksDue.delete(ours)
      const relayed = this.#relayed.get(ours)
      if (relayed !== undefined) this.#init.send(relayed.origin, { type: 'nack', seq: relayed.seq })
    }
    if (this.#nacksDue.size === 0) return
    let next = Number.POSITIVE_INFINITY
    for (const due of this.#nacksDue.values()) next = Math.min(next, due)
    this.#timeNack(next, now)
  }

  /** The probe under way ends without a conclusion. */
  cancel(): void {
    if (this.#probe === undefined) return
    this.#probe = undefined
    this.#init.probeTimer(undefined)
  }

  /** Pings a member, and tells it what counts against it: the suspect is told first. */
  ping(target: PeerIdString, asker?: Asker): number {
    this.#seq += 1
    this.#init.send(target, { type: 'ping', seq: this.#seq, accusations: this.#init.table.evidence(target), asker })
    return this.#seq
  }

  /** Pings a member for another. Strangers are not pinged: nobody shall be made to knock at a third party's door. */
  pingFor(origin: PeerIdString, { seq, target, within, nonce }: PingReq, now: number): void {
    const { table, self, profile, send } = this.#init
    if (target === self || table.get(origin) === undefined) return
    if (table.get(target) === undefined) {
      // This peer is there, and cannot help.
      send(origin, { type: 'nack', seq })
      return
    }
    const before = [...this.#relayed.values()].filter(relayed => relayed.origin === origin)
    if (before.length >= RELAYED_FOR_ONE || before.some(relayed => relayed.seq === seq)) return
    const ours = this.ping(target, nonce === undefined ? undefined : { origin, nonce })
    this.#relayed.set(ours, { target, origin, seq, at: now })
    const due = now + NACK_AFTER * Math.min(within, profile.period)
    this.#nacksDue.set(ours, due)
    if (this.#nextNack === undefined || due < this.#nextNack) this.#timeNack(due, now)
  }

  /**
   * Nobody answered. Relays that say that they are there speak for this peer's own health; those that say nothing, against
   * it (Lifeguard §IV-A), unless they are in doubt themselves. Without relays there is nobody to tell the two apart.
   */
  #judgeOneself({ relays, nacks }: Probe): void {
    const alive = relays.filter(id => this.#isAlive(id))
    const signs = alive.length === 0 ? 1 : alive.filter(id => !nacks.has(id)).length
    for (let i = 0; i < signs; i++) this.#health.worse()
  }

  /** Whether a relay brings the target's own word: one that lies would keep the dead alive. */
  #vouches(relay: PeerIdString, { relays, target, nonce }: Probe, proof: Uint8Array | undefined): boolean {
    if (!relays.includes(relay)) return false
    const { answers, self } = this.#init
    return nonce !== undefined && proof !== undefined && answers.verify(target, { origin: self, nonce }, proof)
  }

  #isAlive(id: PeerIdString): boolean {
    return this.#init.table.get(id)?.state === 'alive'
  }

  /** How long this member may take to answer, in ms, before others are asked: what it took before, within bounds. */
  #timeout(target: PeerIdString): number {
    const { probeTimeout, probeTimeoutMin } = this.#init.profile
    return Math.min(probeTimeout, Math.max(probeTimeoutMin, this.#roundTrips.late(target) ?? probeTimeout))
  }

  #timeNack(due: number, now: number): void {
    this.#nextNack = due
    this.#init.nackTimer(Math.max(0, due - now))
  }

  #forgetRelayed(ours: number): void {
    this.#relayed.delete(ours)
    this.#nacksDue.delete(ours)
  }
}
