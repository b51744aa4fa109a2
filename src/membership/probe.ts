import type { Random } from '../core.ts'
import type { PeerIdString } from '../network/types.ts'
import { LocalHealth } from './local-health.ts'
import type { SwimMessage } from './messages.ts'
import { ProbeList, shuffled } from './probe-list.ts'
import type { Profile } from './profile.ts'
import type { MemberTable } from './table.ts'

export interface ProberInit {
  self: PeerIdString
  profile: Profile
  random: Random
  table: MemberTable
  send: (to: PeerIdString, message: SwimMessage) => void
  /** Starts the timer after which {@link Prober.askOthers} is due; undefined stops it. */
  timer: (delay: number | undefined) => void
}

interface Probe {
  seq: number
  target: PeerIdString
  relays: PeerIdString[]
}

/** The failure detector (SWIM §3.1): one member a period, first directly, then through k others. */
export class Prober {
  readonly #init: ProberInit
  readonly #list: ProbeList
  readonly #health = new LocalHealth()
  /** Pings sent for others: by our seq, who shall answer and whom the answer is for. */
  readonly #relayed = new Map<number, { target: PeerIdString; origin: PeerIdString; seq: number; at: number }>()
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

  /** A period is over: says who did not answer in it. */
  conclude(now: number): PeerIdString | undefined {
    const silent = this.#probe?.target
    if (silent !== undefined) this.#health.worse()
    this.cancel()
    for (const [seq, { at }] of this.#relayed) {
      if (now - at > 2 * LocalHealth.longestStretch * this.#init.profile.period) this.#relayed.delete(seq)
    }
    return silent
  }

  /** Begins the next period's probe. */
  begin(): void {
    const target = this.#list.next(this.#init.table.others())
    if (target === undefined) return
    this.#probe = { seq: this.ping(target), target, relays: [] }
    this.#init.timer(this.#init.profile.probeTimeout * this.#health.stretch)
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

  acknowledged(from: PeerIdString, seq: number): void {
    const relayed = this.#relayed.get(seq)
    if (relayed !== undefined) {
      // Our seqs can be guessed: nobody else may vouch for the target.
      if (relayed.target !== from) return
      this.#relayed.delete(seq)
      this.#init.send(relayed.origin, { type: 'ack', seq: relayed.seq })
    } else if (this.#probe?.seq === seq && (this.#probe.target === from || this.#probe.relays.includes(from))) {
      this.#health.better()
      this.cancel()
    }
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
    const { table, self } = this.#init
    if (target === self || table.get(origin) === undefined || table.get(target) === undefined) return
    this.#relayed.set(this.ping(target), { target, origin, seq, at: now })
  }
}
