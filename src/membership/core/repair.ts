import type { Random } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Profile } from '../profile.ts'
import type { Neighbours } from './neighbours.ts'
import { ProbeList, pick } from './probe-list.ts'
import type { MemberTable } from './table.ts'

/** Above this many members push-pulls are rarer than the interval of the profile. */
const PUSH_PULL_SCALES_ABOVE = 32
/** How much sooner a peer that holds all others dead tries them again. */
const HURRY_ALONE = 3

export interface RepairInit {
  table: MemberTable
  neighbours: Neighbours
  profile: Profile
  random: Random
}

/** When and with whom to exchange tables: with a live member, for what gossip lost, and with dead ones, which may be back. */
export class Repair {
  readonly #init: RepairInit
  readonly #turns: ProbeList

  constructor(init: RepairInit) {
    this.#init = init
    this.#turns = new ProbeList(init.random)
  }

  /** Until the next push-pull, in ms: longer in a large cluster, where each carries more (memberlist's pushPullScale). */
  pushPullPause(): number {
    const { profile, neighbours } = this.#init
    const scale = 1 + Math.ceil(Math.log2(Math.max(1, neighbours.live / PUSH_PULL_SCALES_ABOVE)))
    return this.#jittered(profile.pushPullInterval * scale)
  }

  /** The partner of the next push-pull; undefined when there is nobody. */
  partner(): PeerIdString | undefined {
    return pick(this.#init.neighbours.ids(), this.#init.random)
  }

  /** Until dead members are tried again, in ms. A peer that has nobody left was probably cut off itself, and hurries. */
  healPause(): number {
    const { profile, table } = this.#init
    return this.#jittered(profile.healInterval / (table.liveOthers === 0 ? HURRY_ALONE : 1))
  }

  /**
   * Dead members to try again. One is the likelier the later it died, however many have been dead for long: its place in the order of death has
   * a uniform logarithm. The other is the next in turn, so that the time until any given member is tried is bounded.
   */
  deadToTry(): PeerIdString[] {
    const { table, random } = this.#init
    const dead = table.dead().sort((a, b) => table.get(b)!.since - table.get(a)!.since)
    const likely = dead[Math.floor((dead.length + 1) ** random()) - 1]
    if (likely === undefined) return []
    return [...new Set([likely, this.#turns.next(dead) ?? likely])]
  }

  /** Between three and five quarters: peers fall out of step. */
  #jittered(interval: number): number {
    return interval * (0.75 + this.#init.random() / 2)
  }
}
