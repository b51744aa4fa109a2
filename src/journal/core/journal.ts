import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { compareWriters, type Entry, runs, type Stamp } from './entry.ts'
import type { JournalEffect, JournalEvent, JournalEventOf } from './events.ts'
import { Followers } from './followers.ts'
import { Forgetting } from './forgetting.ts'
import { HolderLists } from './holder-lists.ts'
import { type JournalInit, RECOVER_WAIT_MS } from './init.ts'
import { HOLDERS, HOLDERS_MS, NamedHolders } from './named-holders.ts'
import { OwnCopies } from './own-copies.ts'
import { PresentHolders } from './present-holders.ts'
import { Reading } from './reading.ts'
import { type Decision, Recovery } from './recovery.ts'
import { ReplicatedEntries } from './replicated-entries.ts'
import { ReplicatedEntry } from './replicated-entry.ts'
import { type Durability, Replication } from './replication.ts'
import { Reports } from './reports.ts'
import { type JournalRules, journalRules } from './rules.ts'
import { Standbys } from './standbys.ts'

export class Journal<Record> implements Core<JournalEvent<Record>, JournalEffect<Record>> {
  readonly #init: JournalInit<Record>
  readonly #rules: JournalRules
  readonly #followers: Followers
  readonly #policy: Standbys
  readonly #recovery: Recovery<Record>
  readonly #holders: NamedHolders
  readonly #lists: HolderLists
  readonly #jobs = new ReplicatedEntries<Record>()
  readonly #own: OwnCopies
  readonly #reading: Reading
  readonly #reports = new Reports(report => this.#effects.push(report))
  readonly #replication: Replication
  readonly #present: PresentHolders<Record>
  readonly #forgetting: Forgetting<Record>
  /** The jobs for which the journal has something to send or to report. */
  readonly #touched = new Set<string>()
  /** The ends that are forgotten as soon as all journals are read. Before, an older copy may turn up, which must not run again. */
  readonly #forgottenLater = new Map<string, Stamp>()
  #nextVersion = 1
  #state: 'new' | 'reading' | 'ready' | 'fenced' = 'new'
  #effects: JournalEffect<Record>[] = []

  constructor(init: JournalInit<Record>) {
    const { replica, voters, order, rules = journalRules } = init
    const self = init.writer.rank.id
    this.#init = init
    this.#rules = rules
    this.#own = new OwnCopies(replica.isDurable)
    const followers = new Followers({
      setTimer: (name, delay) => this.#effects.push({ type: 'timer', name, delay }),
      read: to => this.#effects.push({ type: 'read', to }),
      distrust: id => this.#distrust(id),
      isUnconfirmedBy: id => this.#jobs.isUnconfirmedBy(id),
      mayCount: rules.countsAsRead
    })
    const isWhole = (): boolean => rules.countsAsRead(replica.isIncomplete)
    const emit = (effect: JournalEffect<Record>): unknown => this.#effects.push(effect)
    const lists = new HolderLists({ ...init, rules, emit })
    const policy = new Standbys({ self, followers, voters, isWhole, order })
    const holders = new NamedHolders(self, init.holders, replica.reader !== undefined && isWhole())
    this.#followers = followers
    this.#lists = lists
    this.#policy = policy
    this.#holders = holders
    this.#reading = new Reading({ rules, followers, policy, holders, lists })
    this.#recovery = new Recovery({ ...init, rules, lists, own: job => this.get(job), emit })
    const parts = { writer: init.writer, rules, policy, named: holders, own: this.#own }
    this.#replication = new Replication(parts)
    this.#present = new PresentHolders({
      ...parts,
      replica,
      followers,
      lists,
      jobs: this.#jobs,
      recovery: this.#recovery,
      reports: this.#reports,
      touched: this.#touched,
      emit
    })
    this.#forgetting = new Forgetting({ ...parts, followers, lists, jobs: this.#jobs, present: this.#present })
  }

  /** Whether this leader may accept and deny jobs. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Returns this leadership's newest entry of a job. */
  get(job: string): Entry<Record> | undefined {
    return this.#jobs.get(job)?.entry
  }

  entries(): Iterable<Entry<Record>> {
    return this.#jobs.newest()
  }

  /** Whether this leader knows every acknowledged entry of the job. */
  knows(job: string): boolean {
    return !this.#recovery.has(job) && (this.#state === 'ready' || this.#jobs.has(job))
  }

  /** Whether this leader may forget the end of a job: no peer may come back with an older entry of it. */
  mayForget(job: string): boolean {
    return this.#forgetting.mayForget(this.#jobs.get(job))
  }

  /** Whether enough peers now store all of a job that was acknowledged. */
  isStored(name: string): boolean {
    const job = this.#jobs.get(name)
    return job !== undefined && this.#replication.isStored(job)
  }

  /** The number of disks that take entries. */
  get disks(): number {
    return this.#replication.disks
  }

  held(name: string): Durability | undefined {
    const job = this.#jobs.get(name)
    return job && this.#replication.held(job)
  }

  get nextVersion(): number {
    return this.#nextVersion
  }

  /** The other peers that store the journal. */
  get standbys(): readonly PeerIdString[] {
    return this.#present.standbys
  }

  /** Whether `id` has answered the read, and so obeys this leader. */
  isFollowedBy(id: PeerIdString): boolean {
    return this.#followers.hasAnswered(id)
  }

  /** Whether `id` stores at least these versions of jobs, or is no standby. */
  storesAll(id: PeerIdString, versions: readonly (readonly [job: string, version: number])[]): boolean {
    return !this.#present.standbys.includes(id) || this.#jobs.areVersionsStoredBy(id, versions)
  }

  handle(event: JournalEvent<Record>, _now: number): JournalEffect<Record>[] {
    if (this.#state === 'fenced') return []
    this.#effects = []
    this.#step(event)
    if (this.#state === 'reading' || this.#state === 'ready') {
      this.#advance()
      for (const copies of this.#own.take()) this.#effects.push({ type: 'sync', copies })
    }
    return this.#effects
  }

  #step(event: JournalEvent<Record>) {
    switch (event.type) {
      case 'start':
        return this.#start()
      case 'member':
        return this.#followers.update(event.member)
      case 'gone':
        return this.#followers.remove(event.id)
      case 'disconnected':
        return this.#followers.onDisconnected(event.id)
      case 'unreachable':
        return this.#followers.markUnreachable(event.id)
      case 'timer':
        if (event.name !== HOLDERS) return this.#followers.onUnanswered(event.name)
        this.#lists.waive()
        return this.#holders.waive()
      case 'named':
        return this.#onNamed(event.holders)
      case 'heads':
        return this.#onHeads(event)
      case 'entry':
        return this.#onEntry(event)
      case 'stored':
        return this.#onStored(event)
      case 'noted':
        return this.#lists.onNoted(event.from, event.version)
      case 'synced':
        return this.#onSynced(event)
      case 'refused':
        // Only the refusal of a live member fences this leader.
        if (this.#followers.get(event.from) !== undefined) this.#fence()
        return
      case 'write':
        return this.#onWrite(event)
      case 'forget':
        return this.#onForget(event.job)
    }
  }

  #start(): void {
    this.#state = 'reading'
    const { replica, writer } = this.#init
    const heads = replica.read(writer)
    if (heads === undefined) {
      this.#fence()
      return
    }
    this.#lists.read(writer.rank.id, replica.known.list, heads.length > 0)
    for (const head of heads) this.#recovery.add(writer.rank.id, head)
    this.#followers.readAll()
    // A member that answers may know of a holder, so this leader waits in any case for no longer than this.
    const { recoverWait = RECOVER_WAIT_MS } = this.#init
    this.#effects.push({ type: 'timer', name: HOLDERS, delay: this.#holders.areNeeded ? HOLDERS_MS : recoverWait })
  }

  /** Forgets which entries a peer stores, because its copies may be lost, and its answers may never arrive. */
  #distrust(id: PeerIdString): void {
    for (const name of this.#jobs.reset(id)) this.#touched.add(name)
    this.#lists.reset(id)
    this.#recovery.lose(id)
  }

  #onHeads({ from, heads, list, isIncomplete, ...rest }: JournalEventOf<Record, 'heads'>): void {
    const follower = this.#followers.get(from)
    if (follower === undefined) return
    this.#followers.markAnswered(follower, isIncomplete)
    this.#distrust(from)
    const isOnDisk = this.#present.noteDisk(follower, rest.isOnDisk)
    this.#lists.read(from, list, heads.length > 0)
    for (const head of heads) {
      const job = this.#jobs.get(head.job)
      if (compareWriters(head.stamp, this.#init.writer) !== 0) this.#recovery.add(from, head)
      else if (job?.entry.submissionId === head.submissionId) job.confirm(from, head.stamp.version, isOnDisk)
      // During the reading, the entry is from before an aborted handover of this leadership. After the reading, it is an
      // entry whose `forget` was lost.
      else if (this.#state === 'reading') this.#recovery.add(from, head)
      else this.#effects.push({ type: 'forget', to: from, job: head.job, stamp: head.stamp })
    }
  }

  // --- What earlier leaders wrote

  #onEntry({ from, job, entry }: JournalEventOf<Record, 'entry'>): void {
    const decision = this.#recovery.receive(from, job, entry, this.#hasRead)
    if (decision !== undefined) this.#onDecision(decision)
  }

  /** Makes the copy that counts an entry of this leadership. */
  #onDecision({ job: name, entry: found, holders }: Decision<Record>): void {
    const job = this.#jobs.get(name)
    if (found === undefined) {
      for (const id of holders) job!.copies.add(id)
      this.#touched.add(name)
      return
    }
    const { writer, inherit } = this.#init
    // A copy from before an aborted handover of this leadership may have a higher version.
    const before = compareWriters(found.stamp, writer) === 0 ? found.stamp.version : 0
    this.#nextVersion = Math.max(this.#nextVersion, before + 1)
    const record = found.end === undefined && inherit !== undefined ? inherit(found.record) : found.record
    const entry = { ...found, record, stamp: { ...writer, version: this.#nextVersion++ } }
    if (!this.#store(entry)) return
    this.#jobs.set(name, new ReplicatedEntry(entry, [...(job?.copies ?? []), ...holders], true))
    const isNew = job === undefined || (entry.end === undefined && !runs(job.entry))
    this.#effects.push({ type: isNew ? 'adopt' : entry.end === undefined ? 'advanced' : 'overruled', entry })
  }

  /** Whether this leader has read enough members to know every acknowledged entry. It also reads each member that joins later. */
  get #hasRead(): boolean {
    if (this.#state === 'ready') return true
    return this.#reading.isDone && this.#rules.countsItself(this.#own.isReadSynced)
  }

  // --- What this leader writes

  #onWrite({ type: _, job: name, ...rest }: JournalEventOf<Record, 'write'>): void {
    const stamp = { ...this.#init.writer, version: this.#nextVersion++ }
    const job = this.#jobs.get(name)
    const before = job?.entry.submissionId === rest.submissionId ? job.entry.durable : 0
    const entry = { job: name, stamp, ...rest, durable: rest.durable ?? before }
    if (!this.#store(entry)) return
    if (job === undefined) this.#jobs.set(name, new ReplicatedEntry(entry, []))
    else job.entry = entry
  }

  /** Stores an entry at this peer. If a newer leader has read this replica, this fails, and this leader is fenced. */
  #store(entry: Entry<Record>): boolean {
    const isStored = this.#init.replica.write(entry)
    if (isStored) {
      this.#touched.add(entry.job)
      this.#own.add(entry.job, entry.stamp.version)
      this.#present.count(this.#jobs.get(entry.job)?.entry, entry)
    } else this.#fence()
    return isStored
  }

  #onSynced({ copies, ...rest }: JournalEventOf<Record, 'synced'>): void {
    const isOnDisk = this.#rules.countsAsDisk(rest.isOnDisk)
    if (copies.length === 0) this.#own.onAllSynced(rest.isOnDisk)
    for (const [name, version] of copies) {
      this.#jobs.get(name)?.confirmHere(version, isOnDisk)
      this.#touched.add(name)
    }
    this.#present.noteOwnDisk(isOnDisk)
  }

  #onStored({ from, job: name, version, isOnDisk }: JournalEventOf<Record, 'stored'>): void {
    const job = this.#jobs.get(name)
    const follower = this.#followers.get(from)
    if (follower?.answered !== true) return
    follower.confirmed = true
    // Also of a job that is forgotten meanwhile: nothing else may tell that the disk takes entries again.
    const counts = this.#present.noteDisk(follower, isOnDisk)
    if (job === undefined) return
    job.confirm(from, version, counts)
    this.#touched.add(name)
  }

  #onNamed(holders: readonly PeerIdString[]): void {
    this.#holders.confirm(holders)
    for (const name of this.#jobs.keys()) this.#touched.add(name)
  }

  #onForget(name: string): void {
    const job = this.#jobs.get(name)
    if (job === undefined) return
    if (job.entry.end !== undefined && this.#state === 'reading') {
      this.#forgottenLater.set(name, job.entry.stamp)
      return
    }
    if (job.entry.end !== undefined && !this.#forgetting.raiseFloor(job)) {
      this.#fence()
      return
    }
    this.#jobs.delete(name)
    this.#present.count(job.entry, undefined)
    const { stamp } = job.entry
    this.#init.replica.forget(this.#init.writer, name, stamp)
    for (const to of job.copies) this.#effects.push({ type: 'forget', to, job: name, stamp })
  }

  #fence(): void {
    this.#state = 'fenced'
    for (const name of this.#followers.keys()) this.#effects.push({ type: 'timer', name, delay: undefined })
    this.#effects.push({ type: 'fenced' })
  }

  #advance(): void {
    if (!this.#hasRead) {
      this.#reports.unread(this.#reading.unread)
      this.#reports.incomplete(this.#reading.incomplete)
      this.#protect()
      return
    }
    for (const decision of this.#recovery.decide()) this.#onDecision(decision)
    if (this.#state === 'reading' && this.#recovery.isDone) {
      this.#state = 'ready'
      this.#reports.unread([])
      this.#reports.incomplete([])
      this.#effects.push({ type: 'ready' })
    }
    if (this.#followers.changed) this.#present.choose()
    if (this.#state === 'ready' && this.#holders.areNeeded) this.#present.name()
    // A peer that gets entries has to know who else has them, so the list goes first.
    if (this.#lists.isDue(this.#jobs.size === 0) && !this.#present.tell()) this.#fence()
    // Only a list of this leadership has a floor to raise.
    for (const [name, stamp] of this.#forgottenLater) {
      if (this.#state !== 'ready') break
      this.#forgottenLater.delete(name)
      if (this.#jobs.get(name)?.entry.stamp === stamp) this.#onForget(name)
    }
    if (this.#state === 'ready') this.#present.tellWhole()
    for (const name of this.#touched) {
      // A copy on which there is no decision yet may count, so no entry may replace this copy.
      if (this.#recovery.has(name)) continue
      this.#touched.delete(name)
      const job = this.#jobs.get(name)
      if (job !== undefined) this.#replicate(name, job)
    }
  }

  /** Sends what was found to the standbys, because this leader may die before it has read all. */
  #protect(): void {
    const standbys = this.#policy.choose().filter(id => this.#followers.hasAnswered(id))
    const copies = this.#recovery.isDone ? [] : this.#followers.byDisk(standbys)[0]
    this.#lists.tellEarlier(this.#followers.answered, copies)
    if (!this.#recovery.isDone) this.#recovery.protect(standbys)
  }

  /**
   * Sends an entry to the standbys that lack the entry. Reports the entry when enough peers store it. Then drops other copies.
   */
  #replicate(name: string, job: ReplicatedEntry<Record>): void {
    const { entry, version } = job
    for (const to of this.#present.standbys) {
      const follower = this.#followers.get(to)
      if (follower?.answered !== true || job.isSentTo(to)) continue
      if (!follower.timed) this.#followers.awaitAnswer(follower)
      job.send(to)
      this.#effects.push({ type: 'put', to, entry })
    }
    if (job.reported < version && this.#replication.isReplicated(job, this.#present.standbys)) {
      job.reported = version
      this.#effects.push({ type: 'replicated', job: name, version })
    } else if (!job.isRefused && this.#replication.isOutOfReach(job)) {
      job.isRefused = true
      this.#effects.push({ type: 'not-durable', job: name, disks: this.disks })
    }
    const held = this.#replication.heldNow(job)
    if (held !== undefined) this.#effects.push({ type: 'held', job: name, ...held })
    if (!this.#replication.mayDropCopies(job, this.#present.standbys)) return
    for (const to of job.copies) {
      if (this.#present.standbys.includes(to) || !this.#followers.hasAnswered(to)) continue
      // What the peer still has to confirm would look like the answer to a later put.
      if (job.isUnconfirmedBy(to) || (this.#followers.hasDisk(to) && !job.isSyncedBy(to))) continue
      if (!this.#rules.mayDrop(this.#holders.has(to))) continue
      job.reset(to)
      this.#effects.push({ type: 'forget', to, job: name, stamp: entry.stamp })
    }
  }
}
