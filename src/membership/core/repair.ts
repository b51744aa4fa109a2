import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import type { Neighbours } from './neighbours.ts'
import { ProbeList, pick } from './probe-list.ts'
import type { MemberTable } from './table.ts'

/** The number of members above which the time between push-pulls is longer than the profile's interval. */
const PUSH_PULL_SCALES_ABOVE = 32
/** The factor by which a peer tries dead members more often if it considers all other members dead. */
const HURRY_ALONE = 3

export interface RepairInit {
  table: MemberTable
  neighbours: Neighbours
  profile: Profile
  random: Random
}

/** Decides when a peer exchanges tables, and with which members: live members, to repair losses of gossip, and dead members that may be back. */
export class Repair {
  readonly #init: RepairInit
  readonly #turns: ProbeList

  constructor(init: RepairInit) {
    this.#init = init
    this.#turns = new ProbeList(init.random)
  }

  /** Returns the time (ms) until the next push-pull. The time grows with the cluster, because the tables grow (memberlist's pushPullScale). */
  pushPullPause(): number {
    const { profile, neighbours } = this.#init
    const scale = 1 + Math.ceil(Math.log2(Math.max(1, neighbours.live / PUSH_PULL_SCALES_ABOVE)))
    return this.#jittered(profile.pushPullInterval * scale)
  }

  /** Returns the partner of the next push-pull, or undefined if there is no other live member. */
  partner(): PeerIdString | undefined {
    return pick(this.#init.neighbours.ids(), this.#init.random)
  }

  /** Returns the time (ms) until dead members are tried again. Without live members the time is shorter, because this peer was probably cut off. */
  healPause(): number {
    const { profile, table } = this.#init
    return this.#jittered(profile.healInterval / (table.liveOthers === 0 ? HURRY_ALONE : 1))
  }

  /**
   * Returns one or two dead members to try again. The first member is random, with a bias to recent deaths: its place in the order of death has a
   * uniform logarithm. The second member is the next in turn, so that every dead member is tried within a bounded time.
   */
  deadToTry(): PeerIdString[] {
    const { table, random } = this.#init
    const dead = table.dead().sort((a, b) => table.get(b)!.since - table.get(a)!.since)
    const likely = dead[Math.floor((dead.length + 1) ** random()) - 1]
    if (likely === undefined) return []
    return [...new Set([likely, this.#turns.next(dead) ?? likely])]
  }

  /** Returns a random time between 75% and 125% of the interval, so that peers do not act at the same time. */
  #jittered(interval: number): number {
    return interval * (0.75 + this.#init.random() / 2)
  }
}
