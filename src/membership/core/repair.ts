import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import type { Neighbours } from './neighbours.ts'
import { ProbeList, pick } from './probe-list.ts'
import type { MemberTable } from './table.ts'

/** The number of members above which push-pulls are rarer than the profile's interval. */
const PUSH_PULL_SCALES_ABOVE = 32
/** The factor by which a peer tries dead members more often if it considers all others dead. */
const HURRY_ALONE = 3

export interface RepairInit {
  table: MemberTable
  neighbours: Neighbours
  profile: Profile
  random: Random
}

/** Decides when and with which members to exchange tables: with a live member, to repair losses of gossip, and with dead ones, which may be back. */
export class Repair {
  readonly #init: RepairInit
  readonly #turns: ProbeList

  constructor(init: RepairInit) {
    this.#init = init
    this.#turns = new ProbeList(init.random)
  }

  /** The time (ms) until the next push-pull: longer in a large cluster, whose push-pulls carry more (memberlist's pushPullScale). */
  pushPullPause(): number {
    const { profile, neighbours } = this.#init
    const scale = 1 + Math.ceil(Math.log2(Math.max(1, neighbours.live / PUSH_PULL_SCALES_ABOVE)))
    return this.#jittered(profile.pushPullInterval * scale)
  }

  /** The partner of the next push-pull; undefined: there is no other member. */
  partner(): PeerIdString | undefined {
    return pick(this.#init.neighbours.ids(), this.#init.random)
  }

  /** The time (ms) until dead members are tried again: shorter without live members, because this peer was probably cut off itself. */
  healPause(): number {
    const { profile, table } = this.#init
    return this.#jittered(profile.healInterval / (table.liveOthers === 0 ? HURRY_ALONE : 1))
  }

  /**
   * The dead members to try again. One is random, and recent deaths are likelier even among many old ones: its place in the order of death has a
   * uniform logarithm. The other is the next in turn, so that the time until a member is tried is bounded.
   */
  deadToTry(): PeerIdString[] {
    const { table, random } = this.#init
    const dead = table.dead().sort((a, b) => table.get(b)!.since - table.get(a)!.since)
    const likely = dead[Math.floor((dead.length + 1) ** random()) - 1]
    if (likely === undefined) return []
    return [...new Set([likely, this.#turns.next(dead) ?? likely])]
  }

  /** A random time between three and five quarters of the interval, so that peers fall out of step. */
  #jittered(interval: number): number {
    return interval * (0.75 + this.#init.random() / 2)
  }
}
