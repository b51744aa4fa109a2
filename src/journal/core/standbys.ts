import { compareRanks, type RankOrder } from '../../election/core/rank.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Follower, Followers } from './followers.ts'
import type { ReplicatedEntry } from './replicated-entry.ts'

/** The number of standbys without a quorum. More are chosen if a job must be on more disks. */
const STANDBYS = 2

interface StandbysInit {
  self: PeerIdString
  followers: Followers
  /** The voters, including this peer. Undefined without a quorum. */
  voters: readonly PeerIdString[] | undefined
  /** Whether this peer counts as read. */
  isWhole: () => boolean
  order: RankOrder | undefined
}

/**
 * Chooses the standbys, which are the followers that store the journal. Decides how many peers must store an entry: two standbys or,
 * with a quorum, a majority of the voters.
 */
export class Standbys {
  readonly #self: PeerIdString
  readonly #followers: Followers
  /** The other voters. Undefined without a quorum. */
  readonly #voters: ReadonlySet<PeerIdString> | undefined
  /** The number of other voters that form a majority together with the leader. */
  readonly #majority: number
  readonly #order: RankOrder
  readonly #isWhole: () => boolean

  constructor({ self, followers, voters, isWhole, order = compareRanks }: StandbysInit) {
    this.#order = order
    this.#isWhole = isWhole
    this.#self = self
    this.#followers = followers
    this.#voters = voters && new Set(voters.filter(id => id !== self))
    this.#majority = Math.floor((voters?.length ?? 0) / 2)
  }

  get hasQuorum(): boolean {
    return this.#voters !== undefined
  }

  /** The number of other peers that must store the entry of a running job. */
  get required(): number {
    return this.#voters === undefined ? Math.min(STANDBYS, this.#followers.size) : this.#majority
  }

  /** The peers whose copies count for replication. */
  get #eligible(): PeerIdString[] {
    return this.#voters === undefined ? [...this.#followers.keys()] : [...this.#voters]
  }

  /**
   * Returns the peers that should store the journal. Peers with a disk come first, because the journal survives there when all peers stop. Of
   * these, the most likely next leaders come first, because they will need the journal.
   *
   * @param disks - the number of these peers whose disks should take entries
   */
  choose(disks = 0): PeerIdString[] {
    const reachable = [...this.#followers.values()].filter(({ reachable }) => reachable)
    if (this.#voters !== undefined) return reachable.map(({ rank }) => rank.id).filter(id => this.#voters!.has(id))
    const isBefore = (a: Follower, b: Follower): boolean => this.#compare(a, b) < 0
    const first = firstOf(reachable, STANDBYS, isBefore)
    const hasWorkingDisk = ({ rank }: Follower): boolean => this.#followers.hasWorkingDisk(rank.id)
    const left = disks - first.filter(hasWorkingDisk).length
    const more = left > 0 ? reachable.filter(follower => hasWorkingDisk(follower) && !first.includes(follower)) : []
    return [...first, ...firstOf(more, left, isBefore)].map(({ rank }) => rank.id)
  }

  #compare(a: Follower, b: Follower): number {
    return (
      Number(b.hasDisk) - Number(a.hasDisk) || Number(b.electable) - Number(a.electable) || this.#order(b.rank, a.rank)
    )
  }

  /** Returns how many other peers have disks that take entries. */
  get disks(): number {
    const isReachable = (id: PeerIdString): boolean => this.#followers.get(id)?.reachable === true
    return this.#eligible.filter(id => isReachable(id) && this.#followers.hasWorkingDisk(id)).length
  }

  /** Returns the peers that must answer if `standbys` has too few peers, or an empty list if `standbys` has enough peers. */
  missing(standbys: readonly PeerIdString[]): PeerIdString[] {
    if (standbys.length >= this.required) return []
    return this.#eligible.filter(id => this.#followers.get(id)?.reachable !== true)
  }

  /** Returns how many peers whose copies count store this version of an entry. */
  stored(entry: ReplicatedEntry<unknown>, version = entry.version): number {
    return this.#eligible.filter(id => entry.isStoredBy(id, version)).length
  }

  /** Returns the peers whose copies count that have this version of an entry on disk. */
  onDisk(entry: ReplicatedEntry<unknown>, version = entry.version): PeerIdString[] {
    return this.#eligible.filter(id => entry.isOnDiskOf(id, version))
  }

  /** The number of reachable followers that have not answered the read. */
  get unread(): number {
    return [...this.#followers.values()].filter(({ answered, reachable }) => !answered && reachable).length
  }

  /**
   * The number of voters whose answer to the read is missing for a majority of voters that have lost nothing. 0 or less if no answer is missing, and
   * without a quorum.
   */
  get votersMissing(): number {
    if (this.#voters === undefined) return 0
    const whole = [...this.#voters].filter(id => this.#followers.isWhole(id)).length + (this.#isWhole() ? 1 : 0)
    return this.#majority + 1 - whole
  }

  /** The voters that have answered, but do not count, because they have lost entries. */
  get incomplete(): PeerIdString[] {
    if (this.#voters === undefined) return []
    const others = [...this.#voters].filter(id => this.#followers.hasAnswered(id) && !this.#followers.isWhole(id))
    return this.#isWhole() ? others : [this.#self, ...others]
  }
}

/** Returns the first `count` items, in order. Without sorting all, since each of a thousand members may change the standbys. */
function firstOf<T>(items: readonly T[], count: number, isBefore: (a: T, b: T) => boolean): T[] {
  const first: T[] = []
  for (const item of items) {
    let at = first.length
    while (at > 0 && isBefore(item, first[at - 1]!)) at -= 1
    if (at >= count) continue
    first.splice(at, 0, item)
    first.length = Math.min(first.length, count)
  }
  return first
}
