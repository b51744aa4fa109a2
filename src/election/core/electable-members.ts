import type { PeerIdString } from '../../network/types.ts'
import type { Rank, RankOrder } from './rank.ts'

/** The properties of a member that matter to the election. */
export interface ElectionMember {
  id: PeerIdString
  priority: number
  /** Whether the role of the member lets it lead. */
  electable: boolean
  /** Whether the membership of this peer holds the member alive or suspect. */
  live: boolean
}

/** The live members, including this peer, and the highest-ranked electable member. */
export class ElectableMembers {
  readonly #order: RankOrder
  readonly #live = new Map<PeerIdString, ElectionMember>()
  /** The highest-ranked electable member, cached because every event reads it. */
  #highest: ElectionMember | undefined

  constructor(order: RankOrder) {
    this.#order = order
  }

  /** Updates a member. Returns whether the member has just become live. */
  update(member: ElectionMember): boolean {
    const previous = this.#live.get(member.id)
    if (member.live) this.#live.set(member.id, member)
    else this.#live.delete(member.id)
    if (this.#highest?.id === member.id) this.#highest = this.#find(() => true)
    else if (member.live && member.electable && !(this.#highest && this.#ranksAbove(this.#highest, member)))
      this.#highest = member
    return member.live && previous === undefined
  }

  has(id: PeerIdString): boolean {
    return this.#live.has(id)
  }

  get(id: PeerIdString): ElectionMember | undefined {
    return this.#live.get(id)
  }

  ids(): Iterable<PeerIdString> {
    return this.#live.keys()
  }

  highest(): ElectionMember | undefined {
    return this.#highest
  }

  /** Returns the highest-ranked electable member other than `id`. */
  highestBut(id: PeerIdString): ElectionMember | undefined {
    return this.#highest?.id === id ? this.#find(member => member.id !== id) : this.#highest
  }

  /** Returns all electable members. */
  electable(): ElectionMember[] {
    return [...this.#live.values()].filter(({ electable }) => electable)
  }

  /** Returns the electable members that rank above `rank`. */
  above(rank: Rank): ElectionMember[] {
    if (this.#highest === undefined || !this.#ranksAbove(this.#highest, rank)) return []
    return this.electable().filter(member => this.#ranksAbove(member, rank))
  }

  #find(fits: (member: ElectionMember) => boolean): ElectionMember | undefined {
    let highest: ElectionMember | undefined
    for (const member of this.#live.values()) {
      if (member.electable && fits(member) && !(highest && this.#ranksAbove(highest, member))) highest = member
    }
    return highest
  }

  #ranksAbove(a: Rank, b: Rank): boolean {
    return this.#order(a, b) > 0
  }
}
