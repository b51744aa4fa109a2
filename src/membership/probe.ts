import type { Random } from '../core.ts'
import type { PeerIdString } from '../network/types.ts'
import { LocalHealth } from './local-health.ts'
import type { SwimMessage } from './messages.ts'
import { ProbeList, shuffled } from './probe-list.ts'
import type { Profile } from './profile.ts'
import { RoundTrips } from './round-trips.ts'
import type { MemberTable } from './table.ts'

export interface ProberInit {
  self: PeerIdString
  profile: Profile
  random: Random
  table: MemberTable
  send: (to: PeerIdString, message: SwimMessage) => void
  /** Starts the timer after which {@link Prober.askOthers} is due; undefined stops it. */
  timer: (delay: number | undefined) => void
  /** Starts the timer after which {@link Prober.sendNacks} is due; undefined stops it. */
  nackTimer: (delay: number | undefined) => void
}

/** A nack is sent after this share of what is left of the origin's period. */
const NACK_AFTER = 0.6

interface Probe {
  seq: number
  target: PeerIdString
  sentAt: number
  relays: PeerIdString[]
  /** Of the relays, those that said that the target does not answer them either. */
  nacks: Set<PeerIdString>
}

/** A ping sent for another. */
interface Relayed {
  target: PeerIdString
  origin: PeerIdString
  seq: number
  at: number
  /** When the origin is told that there is no answer so far; undefined when it has been. */
  nackDue: number | undefined
}

/** The failure detector (SWIM §3.1): one member a period, first directly, then through k others. */
export class Prober {
  readonly #init: ProberInit
  readonly #list: ProbeList
  readonly #health = new LocalHealth()
  readonly #roundTrips = new RoundTrips()
  /** Pings sent for others: by our seq, who shall answer and whom the answer is for. */
  readonly #relayed = new Map<number, Relayed>()
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

  /** Something else than a missing answer says that this peer is slow itself. */
  doubt(): void {
    this.#health.worse()
  }

  /** A member is new. */
  add(id: PeerIdString): void {
    this.#list.add(id)
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
      if (now - at > 2 * LocalHealth.longestStretch * this.#init.profile.period) this.#relayed.delete(seq)
    }
    return silent
  }

  /** Begins the next period's probe. */
  begin(now: number): void {
    const target = this.#list.next(this.#init.table.others())
    if (target === undefined) return
    this.#probe = { seq: this.ping(target), target, sentAt: now, relays: [], nacks: new Set() }
    this.#init.timer(this.#timeout(target) * this.#health.stretch)
  }

  /** The member probed did not answer in time: k others are asked to ping it. */
  askOthers(): void {
    const probe = this.#probe
    if (probe === undefined) return
    const { table, random, profile, send } = this.#init
    const others = table.others().filter(id => id !== probe.target)
    probe.relays = shuffled(others, random).slice(0, profile.indirectProbes)
    for (const relay of probe.relays) send(relay, { type: 'ping-req', seq: probe.seq, target: probe.target })
  }

  /** The member answered directly, or `from` tells that it answered. */
  acknowledged(from: PeerIdString, seq: number, now: number): void {
    const relayed = this.#relayed.get(seq)
    if (relayed !== undefined) {
      // Our seqs can be guessed: nobody else may vouch for the target.
      if (relayed.target !== from) return
      this.#relayed.delete(seq)
      this.#timeNacks(now)
      this.#init.send(relayed.origin, { type: 'ack', seq: relayed.seq })
    } else if (this.#probe?.seq === seq && (this.#probe.target === from || this.#probe.relays.includes(from))) {
      if (this.#probe.target === from) this.#roundTrips.sample(from, now - this.#probe.sentAt)
      this.#health.better()
      this.cancel()
    }
  }

  /** A relay has had no answer from the target either: so it is not this peer that hears nothing. */
  refused(from: PeerIdString, seq: number): void {
    if (this.#probe?.seq === seq && this.#probe.relays.includes(from)) this.#probe.nacks.add(from)
  }

  /** Tells those for whom members were pinged in vain so far. */
  sendNacks(now: number): void {
    for (const relayed of this.#relayed.values()) {
      if (relayed.nackDue === undefined || relayed.nackDue > now) continue
      relayed.nackDue = undefined
      this.#init.send(relayed.origin, { type: 'nack', seq: relayed.seq })
    }
    this.#timeNacks(now)
  }

  /** The probe under way ends without a conclusion. */
  cancel(): void {
    if (this.#probe === undefined) return
    this.#probe = undefined
    this.#init.timer(undefined)
  }

  /** Pings a member, and tells it what counts against it: the suspect is told first. */
  ping(target: PeerIdString): number {
    this.#seq += 1
    this.#init.send(target, { type: 'ping', seq: this.#seq, accusations: this.#init.table.evidence(target) })
    return this.#seq
  }

  /** Pings a member for another. Strangers are not pinged: nobody shall be made to knock at a third party's door. */
  pingFor(origin: PeerIdString, seq: number, target: PeerIdString, now: number): void {
    const { table, self, profile } = this.#init
    if (target === self || table.get(origin) === undefined || table.get(target) === undefined) return
    // Early enough to be back before the origin's period ends, of which at most the probe timeout is over.
    const nackDue = now + NACK_AFTER * (profile.period - profile.probeTimeout)
    this.#relayed.set(this.ping(target), { target, origin, seq, at: now, nackDue })
    this.#timeNacks(now)
  }

  /**
   * Nobody answered. Relays that say that they are there speak for this peer's own health; those that say nothing, against
   * it (Lifeguard §IV-A). Without relays there is nobody to tell the two apart.
   */
  #judgeOneself({ relays, nacks }: Probe): void {
    const missing = relays.length === 0 ? 1 : relays.length - nacks.size
    for (let i = 0; i < missing; i++) this.#health.worse()
  }

  /** How long this member may take to answer, in ms, before others are asked: what it took before, within bounds. */
  #timeout(target: PeerIdString): number {
    const { probeTimeout, probeTimeoutMin } = this.#init.profile
    return Math.min(probeTimeout, Math.max(probeTimeoutMin, this.#roundTrips.late(target) ?? probeTimeout))
  }

  #timeNacks(now: number): void {
    const due = [...this.#relayed.values()].flatMap(({ nackDue }) => nackDue ?? [])
    this.#init.nackTimer(due.length === 0 ? undefined : Math.max(0, Math.min(...due) - now))
  }
}
