import { compareRanks } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Followers } from './followers.ts'
import type { ReplicatedEntry } from './replicated-entry.ts'

/** Who stores the journal beside the leader, where there is no quorum. */
const STANDBYS = 2

/** Which followers store the journal, and how many of them an entry needs: two standbys, or under a quorum a majority of the voters. */
export class Standbys {
  readonly #followers: Followers
  /** The other voters. */
  readonly #voters: ReadonlySet<PeerIdString> | undefined
  /** How many of them make a majority together with the leader. */
  readonly #majority: number

  constructor(self: PeerIdString, followers: Followers, voters: readonly PeerIdString[] | undefined) {
    this.#followers = followers
    this.#voters = voters && new Set(voters.filter(id => id !== self))
    this.#majority = Math.floor((voters?.length ?? 0) / 2)
  }

  get hasQuorum(): boolean {
    return this.#voters !== undefined
  }

  /** How many others have to store the entry of a running job. */
  get required(): number {
    return this.#voters === undefined ? Math.min(STANDBYS, this.#followers.size) : this.#majority
  }

  /** The peers that can make an entry replicated. */
  get #eligible(): PeerIdString[] {
    return this.#voters === undefined ? [...this.#followers.keys()] : [...this.#voters]
  }

  /** The peers that should store the journal. Those that would lead next come first, since they need it. */
  choose(): PeerIdString[] {
    const reachable = [...this.#followers.values()].filter(({ reachable }) => reachable)
    if (this.#voters !== undefined) return reachable.map(({ rank }) => rank.id).filter(id => this.#voters!.has(id))
    reachable.sort((a, b) => Number(b.electable) - Number(a.electable) || compareRanks(b.rank, a.rank))
    return reachable.slice(0, STANDBYS).map(({ rank }) => rank.id)
  }

  /** The peers that would have to answer where `standbys` are too few; none where they are enough. */
  missing(standbys: readonly PeerIdString[]): PeerIdString[] {
    if (standbys.length >= this.required) return []
    return this.#eligible.filter(id => this.#followers.get(id)?.reachable !== true)
  }

  /** How many others store the newest version of an entry. */
  stored(entry: ReplicatedEntry<unknown>): number {
    return this.#eligible.filter(id => entry.isStoredBy(id)).length
  }

  /** Reachable followers that have not answered the read. */
  get unread(): number {
    return [...this.#followers.values()].filter(({ answered, reachable }) => !answered && reachable).length
  }

  /** Under a quorum: how many more voters have to answer the read. */
  get votersMissing(): number {
    return this.#majority - [...(this.#voters ?? [])].filter(id => this.#followers.hasAnswered(id)).length
  }
}
