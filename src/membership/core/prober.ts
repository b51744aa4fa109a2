import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import { ClockOffsets } from './clock-offsets.ts'
import { LocalHealth } from './local-health.ts'
import type { AckProofs, Asker, SwimMessage, SwimTimer } from './messages.ts'
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
  ackProofs: AckProofs
  /** The wall clock, in ms since the Unix epoch. */
  wall?: (() => number) | undefined
  send: (to: PeerIdString, message: SwimMessage) => void
  /** Starts a timer: `probe-timeout` calls {@link Prober.askOthers}, `nack` calls {@link Prober.sendNacks}. An undefined delay stops the timer. */
  timer: (name: SwimTimer, delay: number | undefined) => void
}

/** The share of the asker's remaining time after which a relay sends its nack, so that the nack arrives in time. */
const NACK_AFTER = 0.6
/** The limit of pending relayed pings for one asker. An honest asker needs one relayed ping in each period, but some of the pings stay unanswered. */
const RELAYED_FOR_ONE = 32

interface Probe {
  seq: number
  target: PeerIdString
  sentAt: number
  relays: PeerIdString[]
  /** The nonce that the target signs when a relay pings the target. */
  nonce: number | undefined
  /** The relays that sent a nack: they also have no answer from the target. */
  nacks: Set<PeerIdString>
}

/** A ping that this peer relays on behalf of another member. */
interface Relayed {
  target: PeerIdString
  origin: PeerIdString
  seq: number
  at: number
}

type ProberMessage = Exclude<SwimMessage, { type: 'sync' | 'records' }>
type PingReq = Extract<SwimMessage, { type: 'ping-req' }>
type Ack = Extract<SwimMessage, { type: 'ack' }>

/** The failure detector (SWIM §3.1). It probes one member in each period, first directly and then through k other members. */
export class Prober {
  readonly health = new LocalHealth()
  readonly roundTrips = new RoundTrips()
  readonly clocks = new ClockOffsets()
  readonly #init: ProberInit
  readonly #list: ProbeList
  /** The relayed pings, by the sequence number of the ping that this peer sent to the target. */
  readonly #relayed = new Map<number, Relayed>()
  /** The time at which the asker of each relayed ping gets a nack. */
  readonly #nacksDue = new Map<number, number>()
  #nextNack: number | undefined
  #probe: Probe | undefined
  #seq = 0

  constructor(init: ProberInit) {
    this.#init = init
    this.#list = new ProbeList(init.random)
  }

  /** The length of the current period, in ms. */
  get period(): number {
    return this.#init.profile.period * this.health.stretch
  }

  /** Adds a new member. */
  add(id: PeerIdString): void {
    if (this.#init.neighbours.has(id)) this.#list.add(id)
  }

  /** Ends a period. Returns the probed member if it did not answer within the period. */
  conclude(now: number): PeerIdString | undefined {
    const silent = this.#probe?.target
    if (this.#probe !== undefined) this.#judgeSelf(this.#probe)
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
    this.#init.timer('probe-timeout', this.#timeout(target) * this.health.stretch)
  }

  /** Asks k other members to ping the probed member, after that member did not answer in time. */
  askOthers(now: number): void {
    const probe = this.#probe
    if (probe === undefined) return
    const { neighbours, random, profile, send } = this.#init
    // The target's neighbours are already connected to the target.
    const others = neighbours.of(probe.target)
    // A suspect is likely to be silent, so it is asked only if every other member is a suspect as well.
    const alive = others.filter(id => this.#isAlive(id))
    probe.relays = shuffled(alive.length > 0 ? alive : others, random).slice(0, profile.indirectProbes)
    probe.nonce = this.#init.ackProofs.nonce()
    const { seq, target, nonce } = probe
    const within = Math.max(0, probe.sentAt + this.period - now)
    for (const relay of probe.relays) send(relay, { type: 'ping-req', seq, target, within, nonce })
  }

  onMessage(from: PeerIdString, message: ProberMessage, now: number): void {
    switch (message.type) {
      case 'ping':
        this.#answer(from, message)
        break
      case 'ack':
        this.#acknowledged(from, message, now)
        break
      case 'nack':
        this.#nacked(from, message.seq)
        break
      case 'ping-req':
        this.#pingFor(from, message, now)
        break
    }
  }

  #answer(from: PeerIdString, { seq, asker }: Extract<SwimMessage, { type: 'ping' }>): void {
    const { ackProofs, send, wall } = this.#init
    send(from, { type: 'ack', seq, proof: asker && ackProofs.sign(asker), wall: wall?.() })
  }

  /** Handles an ack. The target sends the ack directly, or a relay forwards the ack with the proof of the target. */
  #acknowledged(from: PeerIdString, { seq, proof, wall }: Ack, now: number): void {
    const relayed = this.#relayed.get(seq)
    if (relayed !== undefined) {
      // Only the target may answer: another member could guess the sequence number.
      if (relayed.target !== from) return
      this.#forgetRelayed(seq)
      this.#init.send(relayed.origin, { type: 'ack', seq: relayed.seq, proof })
    } else if (this.#probe?.seq === seq && (this.#probe.target === from || this.#vouches(from, this.#probe, proof))) {
      if (this.#probe.target === from) {
        const { sentAt } = this.#probe
        this.roundTrips.sample(from, now - sentAt)
        if (wall !== undefined) this.clocks.sample(from, wall, sentAt, now)
      }
      this.health.better()
      this.cancel()
    }
  }

  /** Handles a nack. The relay has no answer from the target either, so the missing answer does not worsen local health. */
  #nacked(from: PeerIdString, seq: number): void {
    if (this.#probe?.seq === seq && this.#probe.relays.includes(from)) this.#probe.nacks.add(from)
  }

  /** Sends a nack for each relayed ping whose nack is due and that has no answer. */
  sendNacks(now: number): void {
    this.#nextNack = undefined
    for (const [ours, due] of this.#nacksDue) {
      if (due > now) continue
      this.#nacksDue.delete(ours)
      const relayed = this.#relayed.get(ours)
      if (relayed !== undefined) this.#init.send(relayed.origin, { type: 'nack', seq: relayed.seq })
    }
    if (this.#nacksDue.size > 0) this.#timeNack(Math.min(...this.#nacksDue.values()), now)
  }

  /** Ends the running probe without judging the target. */
  cancel(): void {
    if (this.#probe === undefined) return
    this.#probe = undefined
    this.#init.timer('probe-timeout', undefined)
  }

  /** Sends a ping to a member with the accusations against that member. Returns the sequence number. */
  ping(target: PeerIdString, asker?: Asker): number {
    this.#seq += 1
    this.#init.send(target, { type: 'ping', seq: this.#seq, accusations: this.#init.table.evidence(target), asker })
    return this.#seq
  }

  /** Pings a target on behalf of another member. The target must be a member, so that no peer can direct pings at a third party. */
  #pingFor(origin: PeerIdString, { seq, target, within, nonce }: PingReq, now: number): void {
    const { table, self, profile, send } = this.#init
    if (target === self || table.get(origin) === undefined) return
    if (table.get(target) === undefined) {
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
   * Updates local health after a probe without an answer. Each relay that sent no nack worsens local health (Lifeguard §IV-A), unless the
   * relay is a suspect. If no relay was asked, the missing answer of the target worsens local health.
   */
  #judgeSelf({ relays, nacks }: Probe): void {
    const alive = relays.filter(id => this.#isAlive(id))
    const signs = alive.length === 0 ? 1 : alive.filter(id => !nacks.has(id)).length
    for (let i = 0; i < signs; i++) this.health.worse()
  }

  /** Whether a relay forwards a valid proof of the target. Without proofs, a lying relay could keep a dead member alive. */
  #vouches(relay: PeerIdString, { relays, target, nonce }: Probe, proof: Uint8Array | undefined): boolean {
    if (!relays.includes(relay)) return false
    const { ackProofs, self } = this.#init
    return nonce !== undefined && proof !== undefined && ackProofs.verify(target, { origin: self, nonce }, proof)
  }

  #isAlive(id: PeerIdString): boolean {
    return this.#init.table.get(id)?.state === 'alive'
  }

  /** Returns the time (ms) to wait before other members are asked. The time follows the measured round trip, within bounds. */
  #timeout(target: PeerIdString): number {
    const { probeTimeout, probeTimeoutMin } = this.#init.profile
    return Math.min(probeTimeout, Math.max(probeTimeoutMin, this.roundTrips.late(target) ?? probeTimeout))
  }

  #timeNack(due: number, now: number): void {
    this.#nextNack = due
    this.#init.timer('nack', Math.max(0, due - now))
  }

  #forgetRelayed(ours: number): void {
    this.#relayed.delete(ours)
    this.#nacksDue.delete(ours)
  }
}
