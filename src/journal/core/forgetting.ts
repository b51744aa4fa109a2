import type { PeerIdString } from '../../network/types.ts'
import { compareStamps, type Writer } from './entry.ts'
import type { Followers } from './followers.ts'
import type { HolderLists } from './holder-lists.ts'
import type { OwnCopies } from './own-copies.ts'
import type { PresentHolders } from './present-holders.ts'
import type { ReplicatedEntries } from './replicated-entries.ts'
import type { ReplicatedEntry } from './replicated-entry.ts'
import type { JournalRules } from './rules.ts'

interface ForgettingInit<Record> {
  writer: Writer
  rules: JournalRules
  followers: Followers
  lists: HolderLists
  own: OwnCopies
  jobs: ReplicatedEntries<Record>
  present: PresentHolders<Record>
}

/** When this leader may forget the end of a job, and what it lets all peers know before. */
export class Forgetting<Record> {
  readonly #init: ForgettingInit<Record>

  constructor(init: ForgettingInit<Record>) {
    this.#init = init
  }

  /** Whether no peer may come back with an older entry of a job. */
  mayForget(job: ReplicatedEntry<Record> | undefined): boolean {
    const { rules, lists } = this.#init
    return rules.mayForget(lists.areOldGone && (job === undefined || !this.#isOldAnywhere(job)))
  }

  /** Raises the floor above the end of a job, and tells all peers. Returns false if a newer leader has read the replica of this peer. */
  raiseFloor(job: ReplicatedEntry<Record>): boolean {
    const { writer, lists, own, jobs, present } = this.#init
    const { stamp } = job.entry
    const old = this.#oldCopies(job)
    if (this.#isOldHere(job)) {
      own.remove()
      old.push(writer.rank.id)
    }
    const isAbove = lists.isAbove(stamp)
    if (old.length === 0 && !isAbove) return true
    // So the floor is raised once for many ends: to look at all of them takes long.
    const all = isAbove ? jobs.floor(other => !this.#isOldAnywhere(other)) : undefined
    lists.raise(all !== undefined && compareStamps(all, stamp) > 0 ? all : stamp, old)
    return present.tell()
  }

  /** Whether the standbys, or this peer, may have an older entry of a job. */
  #isOldAnywhere(job: ReplicatedEntry<Record>): boolean {
    return this.#isOldHere(job) || this.#oldCopies(job).length > 0
  }

  #isOldHere(job: ReplicatedEntry<Record>): boolean {
    return this.#init.own.isDurable && !job.isOnDiskHere()
  }

  #oldCopies(job: ReplicatedEntry<Record>): PeerIdString[] {
    const { present, followers } = this.#init
    return job.oldCopies(present.standbys, id => followers.hasDisk(id))
  }
}
