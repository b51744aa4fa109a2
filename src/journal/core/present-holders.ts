import type { PeerIdString } from '../../network/types.ts'
import { DurableJobs } from './durable-jobs.ts'
import type { Head, Writer } from './entry.ts'
import type { JournalEffect } from './events.ts'
import type { Follower, Followers } from './followers.ts'
import type { HolderLists } from './holder-lists.ts'
import type { NamedHolders } from './named-holders.ts'
import type { OwnCopies } from './own-copies.ts'
import type { Recovery } from './recovery.ts'
import type { JournalReplica } from './replica.ts'
import type { ReplicatedEntries } from './replicated-entries.ts'
import type { Reports } from './reports.ts'
import type { JournalRules } from './rules.ts'
import type { Standbys } from './standbys.ts'

export interface PresentHoldersInit<Record> {
  writer: Writer
  replica: Pick<JournalReplica<Record>, 'isIncomplete' | 'markWhole'>
  rules: JournalRules
  followers: Followers
  policy: Standbys
  named: NamedHolders
  lists: HolderLists
  own: OwnCopies
  jobs: ReplicatedEntries<Record>
  recovery: Recovery<Record>
  reports: Pick<Reports, 'underReplicated'>
  /** The jobs for which the journal has something to send or to report. */
  touched: Set<string>
  emit(effect: JournalEffect<Record>): void
}

/** The peers that hold the entries of this leader: chooses them, and lets the others know. */
export class PresentHolders<Record> {
  readonly #init: PresentHoldersInit<Record>
  readonly #durable = new DurableJobs()
  #standbys: readonly PeerIdString[] = []

  constructor(init: PresentHoldersInit<Record>) {
    this.#init = init
  }

  get standbys(): readonly PeerIdString[] {
    return this.#standbys
  }

  /** Chooses other standbys if the newest entry of a job changes how many disks are needed. */
  count(before: Head | undefined, after: Head | undefined): void {
    if (this.#durable.replace(before, after)) this.#init.followers.changed = true
  }

  /** Returns whether what a member has confirmed counts as being on disk. */
  noteDisk(follower: Follower, isOnDisk = false): boolean {
    const { rules, followers, jobs } = this.#init
    const counts = rules.countsAsDisk(isOnDisk)
    if (followers.noteDisk(follower, counts)) {
      jobs.checkAgain(follower.rank.id)
      this.#onDiskChange()
    }
    return counts
  }

  noteOwnDisk(isOnDisk: boolean): void {
    const { own } = this.#init
    if (own.fails === isOnDisk) this.#onDiskChange()
    own.fails = !isOnDisk
  }

  /** Handles that a disk fails, or takes entries again. */
  #onDiskChange(): void {
    const { followers, lists, jobs, touched } = this.#init
    followers.changed = true
    lists.onStandbys()
    for (const [name, { entry }] of jobs) if (entry.durable > 0) touched.add(name)
  }

  choose(): void {
    const { writer, followers, policy, own, lists, jobs, reports, touched, emit } = this.#init
    followers.changed = false
    const here = own.hasWorkingDisk ? [writer.rank.id] : []
    const standbys = policy.choose(this.#durable.most - here.length)
    const disks = [...here, ...standbys.filter(id => followers.hasWorkingDisk(id))]
    const tooFew = this.#durable.check(disks, lists.earlier)
    if (tooFew !== undefined) emit(tooFew)
    reports.underReplicated(policy.missing(standbys))
    if (standbys.join() === this.#standbys.join()) return
    this.#standbys = standbys
    lists.onStandbys()
    for (const job of jobs.keys()) touched.add(job)
  }

  /** Lets all peers know who holds the journal. Returns false if a newer leader has read the replica of this peer. */
  tell(): boolean {
    const { writer, followers, own, lists, jobs, recovery } = this.#init
    const self = writer.rank.id
    const isClean = (id: PeerIdString): boolean =>
      !recovery.hasCopiesOf(id) && jobs.isClean(id, this.#standbys.includes(id), followers.hasDisk(id))
    // What a peer has taken since its disk fails is gone after a restart, although the peer returns.
    const ownFails = own.isDurable && own.fails
    const taking = this.#standbys.filter(id => followers.get(id)?.diskFails !== true)
    const all = jobs.size === 0 ? [] : [...(ownFails ? [] : [self]), ...lists.complete(taking, isClean)]
    const [holders, inMemory] = followers.byDisk(all, own.isDurable)
    const [incomplete] = followers.byDisk(jobs.size === 0 ? [] : this.#standbys.filter(id => !all.includes(id)))
    if (ownFails) incomplete.push(self)
    const isCleanHere = (): boolean =>
      !recovery.hasCopiesOf(self) && (!own.isDurable || (jobs.areHere() && own.areRemovalsSynced))
    return lists.tell({ holders, inMemory, incomplete, reachable: followers.answered, isClean, isCleanHere })
  }

  /** Tells peers that had lost entries, this one among them, when they have all of them again. The leader has read a majority that had lost nothing. */
  tellWhole(): void {
    const { writer, replica, rules, followers, own, lists, jobs, emit } = this.#init
    if (replica.isIncomplete && rules.isCaughtUp(!own.isDurable || jobs.areHere())) replica.markWhole(writer)
    const hasCaughtUp = (id: PeerIdString): boolean => rules.isCaughtUp(jobs.size === 0 || lists.isComplete(id))
    for (const to of followers.markWhole(hasCaughtUp)) emit({ type: 'whole', to })
  }

  /** Lets the store of the election name the holders. */
  name(): void {
    const { rules, policy, named, recovery, emit } = this.#init
    const jobs = this.#init.jobs.size === 0 && recovery.isDone ? undefined : [...this.#init.jobs.values()]
    const isSynced = (id: PeerIdString): boolean => jobs!.every(job => job.hasAcknowledged(id))
    const mayName = (synced: number, standbys: number): boolean =>
      rules.mayName(synced, Math.min(policy.required, Math.max(1, standbys)))
    const holders = named.next(jobs && { standbys: this.#standbys, isSynced, mayName })
    if (holders !== undefined) emit({ type: 'name', holders })
  }
}
