import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { compareWriters, type Entry, type Head } from './entry.ts'
import type { JournalEffect, JournalEvent, JournalEventOf } from './events.ts'
import { type Follower, Followers, type JournalMember } from './followers.ts'
import type { JournalInit } from './init.ts'
import { HOLDERS, HOLDERS_MS, NamedHolders } from './named-holders.ts'
import { OwnCopies } from './own-copies.ts'
import { type Decision, Recovery } from './recovery.ts'
import { ReplicatedEntry } from './replicated-entry.ts'
import { type JournalRules, journalRules } from './rules.ts'
import { Standbys } from './standbys.ts'

export class Journal<Record> implements Core<JournalEvent<Record>, JournalEffect<Record>> {
  readonly #init: JournalInit<Record>
  readonly #rules: JournalRules
  readonly #followers: Followers
  readonly #policy: Standbys
  readonly #recovery: Recovery<Record>
  readonly #holders: NamedHolders
  readonly #jobs = new Map<string, ReplicatedEntry<Record>>()
  readonly #own: OwnCopies
  /** The jobs for which the journal has something to send or to report. */
  readonly #touched = new Set<string>()
  #standbys: readonly PeerIdString[] = []
  /** The peers that were last reported as missing for replication. */
  #missing: readonly PeerIdString[] = []
  /** The named holders that were last reported as unread. */
  #unread: readonly PeerIdString[] = []
  #nextVersion = 1
  #state: 'new' | 'reading' | 'ready' | 'fenced' = 'new'
  #effects: JournalEffect<Record>[] = []

  constructor(init: JournalInit<Record>) {
    this.#init = init
    this.#rules = init.rules ?? journalRules
    this.#own = new OwnCopies(init.replica.isDurable, this.#rules.countsItself)
    this.#followers = new Followers((name, delay) => this.#effects.push({ type: 'timer', name, delay }))
    this.#policy = new Standbys(init.writer.rank.id, this.#followers, init.voters, init.order)
    this.#holders = new NamedHolders(init.writer.rank.id, init.holders, init.replica.reader !== undefined)
    this.#recovery = new Recovery({
      ...init,
      rules: this.#rules,
      own: job => this.get(job),
      emit: effect => this.#effects.push(effect)
    })
  }

  /** Whether this leader may accept and deny jobs. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Returns this leadership's newest entry of a job. */
  get(job: string): Entry<Record> | undefined {
    return this.#jobs.get(job)?.entry
  }

  *entries(): Iterable<Entry<Record>> {
    for (const { entry } of this.#jobs.values()) yield entry
  }

  /** Whether this leader knows every acknowledged entry of the job. */
  knows(job: string): boolean {
    return !this.#recovery.has(job) && (this.#state === 'ready' || this.#jobs.has(job))
  }

  /** Whether enough peers now store all of a job that was acknowledged. */
  isStored(name: string): boolean {
    const job = this.#jobs.get(name)
    if (job === undefined || !this.#own.count(job.acknowledged)) return false
    if (this.#policy.acknowledged(job) < this.#policy.required) return false
    return this.#rules.isNamed(this.#holders.lacking(id => job.hasAcknowledged(id)))
  }

  /** The version of the next entry of any job. */
  get nextVersion(): number {
    return this.#nextVersion
  }

  /** The other peers that store the journal. */
  get standbys(): readonly PeerIdString[] {
    return this.#standbys
  }

  /** Whether `id` has answered the read. Such a peer obeys this leader, and may receive entries. */
  isFollowedBy(id: PeerIdString): boolean {
    return this.#followers.hasAnswered(id)
  }

  /** Whether `id` stores at least these versions of jobs, or is no standby. */
  storesAll(id: PeerIdString, versions: readonly (readonly [job: string, version: number])[]): boolean {
    if (!this.#standbys.includes(id)) return true
    return versions.every(([job, version]) => this.#jobs.get(job)?.isStoredBy(id, version) ?? true)
  }

  handle(event: JournalEvent<Record>, _now: number): JournalEffect<Record>[] {
    if (this.#state === 'fenced') return []
    this.#effects = []
    this.#step(event)
    if (this.#state === 'reading' || this.#state === 'ready') {
      this.#advance()
      const version = this.#own.next()
      if (version !== undefined) this.#effects.push({ type: 'sync', version })
    }
    return this.#effects
  }

  #step(event: JournalEvent<Record>) {
    switch (event.type) {
      case 'start':
        return this.#start()
      case 'member':
        return this.#onMember(event.member)
      case 'gone':
        if (this.#followers.delete(event.id)) this.#distrust(event.id)
        return
      case 'disconnected':
        return this.#onDisconnected(event.id)
      case 'unreachable':
        return this.#onUnreachable(event.id)
      case 'timer':
        return event.name === HOLDERS ? this.#holders.waive() : this.#onUnanswered(event.name)
      case 'named':
        return this.#onNamed(event.holders)
      case 'heads':
        return this.#onHeads(event.from, event.heads)
      case 'entry':
        return this.#onEntry(event)
      case 'stored':
        return this.#onStored(event)
      case 'synced':
        return this.#own.onSynced(event.version, this.#touched)
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

  // --- Followers

  #start(): void {
    this.#state = 'reading'
    const { replica, writer } = this.#init
    const heads = replica.read(writer)
    if (heads === undefined) {
      this.#fence()
      return
    }
    for (const head of heads) this.#recovery.add(writer.rank.id, head)
    for (const follower of this.#followers.values()) this.#read(follower)
    if (!this.#isHolderRead) this.#effects.push({ type: 'timer', name: HOLDERS, delay: HOLDERS_MS })
  }

  #onMember(member: JournalMember): void {
    if (this.#followers.update(member) && this.#state !== 'new') this.#read(this.#followers.get(member.rank.id)!)
  }

  #onDisconnected(id: PeerIdString): void {
    const follower = this.#followers.get(id)
    if (follower === undefined) return
    // The timer of a lost read continues, so that a member with an unstable connection gets no extra time.
    if (follower.answered) this.#read(follower)
    else this.#effects.push({ type: 'read', to: id })
    follower.answered = false
    this.#distrust(id)
  }

  #onUnreachable(id: PeerIdString): void {
    const follower = this.#followers.get(id)
    if (follower !== undefined) this.#followers.markUnreachable(follower)
  }

  /** Handles a follower that has not answered the read in time, or has confirmed none of the entries that it received. */
  #onUnanswered(id: PeerIdString): void {
    const follower = this.#followers.get(id)
    if (follower === undefined) return
    follower.timed = false
    if (follower.answered) {
      if (![...this.#jobs.values()].some(job => job.isUnconfirmedBy(id))) return
      if (follower.confirmed) {
        this.#followers.awaitAnswer(follower)
        return
      }
      follower.answered = false
      this.#distrust(id)
      this.#effects.push({ type: 'read', to: id })
    }
    this.#followers.markUnreachable(follower)
  }

  #read(follower: Follower): void {
    this.#effects.push({ type: 'read', to: follower.rank.id })
    this.#followers.awaitAnswer(follower)
  }

  /** Forgets which entries a peer stores, because its copies may be lost, and its answers may never arrive. */
  #distrust(id: PeerIdString): void {
    for (const [name, job] of this.#jobs) {
      job.reset(id)
      this.#touched.add(name)
    }
    this.#recovery.lose(id)
  }

  #onHeads(from: PeerIdString, heads: readonly Head[]): void {
    const follower = this.#followers.get(from)
    if (follower === undefined) return
    this.#followers.markAnswered(follower)
    this.#distrust(from)
    for (const head of heads) {
      const job = this.#jobs.get(head.job)
      if (compareWriters(head.stamp, this.#init.writer) !== 0) this.#recovery.add(from, head)
      else if (job?.entry.submissionId === head.submissionId) job.confirm(from, head.stamp.version)
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
    const runsAgain = job !== undefined && job.entry.end !== undefined && entry.end === undefined
    this.#effects.push({ type: job === undefined || runsAgain ? 'adopt' : 'overruled', entry })
  }

  /** Whether this leader has read enough members to know every acknowledged entry. It also reads each member that joins later. */
  get #hasRead(): boolean {
    if (this.#state === 'ready') return true
    if (!this.#rules.hasRead(this.#policy.unread, this.#policy.votersMissing)) return false
    return this.#isHolderRead && this.#own.count(0)
  }

  get #isHolderRead(): boolean {
    return this.#rules.hasReadHolder(this.#holders.isRead(id => this.#followers.hasAnswered(id)))
  }

  // --- What this leader writes

  #onWrite({ job: name, submissionId, end, hasOutcome, record }: JournalEventOf<Record, 'write'>): void {
    const stamp = { ...this.#init.writer, version: this.#nextVersion++ }
    const entry = { job: name, stamp, submissionId, end, hasOutcome, record }
    if (!this.#store(entry)) return
    const job = this.#jobs.get(name)
    if (job === undefined) this.#jobs.set(name, new ReplicatedEntry(entry, []))
    else job.entry = entry
  }

  /** Stores an entry at this peer. If a newer leader has read this replica, this fails, and this leader is fenced. */
  #store(entry: Entry<Record>): boolean {
    const isStored = this.#init.replica.write(entry)
    if (isStored) {
      this.#touched.add(entry.job)
      this.#own.add(entry.stamp.version, entry.job)
    } else this.#fence()
    return isStored
  }

  #onStored({ from, job: name, version }: JournalEventOf<Record, 'stored'>): void {
    const job = this.#jobs.get(name)
    const follower = this.#followers.get(from)
    if (job === undefined || follower?.answered !== true) return
    follower.confirmed = true
    job.confirm(from, version)
    this.#touched.add(name)
  }

  #onNamed(holders: readonly PeerIdString[]): void {
    this.#holders.confirm(holders)
    for (const name of this.#jobs.keys()) this.#touched.add(name)
  }

  #onForget(name: string): void {
    const job = this.#jobs.get(name)
    if (job === undefined) return
    this.#jobs.delete(name)
    const { stamp } = job.entry
    this.#init.replica.forget(this.#init.writer, name, stamp)
    for (const to of job.copies) this.#effects.push({ type: 'forget', to, job: name, stamp })
  }

  #fence(): void {
    this.#state = 'fenced'
    for (const name of this.#followers.keys()) this.#effects.push({ type: 'timer', name, delay: undefined })
    this.#effects.push({ type: 'fenced' })
  }

  // --- What an event makes possible

  #advance(): void {
    if (!this.#hasRead) {
      this.#tellUnread(this.#policy.unread === 0 ? this.#holders.unread : [])
      if (this.#recovery.isDone) return
      this.#recovery.protect(this.#policy.choose().filter(id => this.#followers.hasAnswered(id)))
      return
    }
    for (const decision of this.#recovery.decide()) this.#onDecision(decision)
    if (this.#state === 'reading' && this.#recovery.isDone) {
      this.#state = 'ready'
      this.#tellUnread([])
      this.#effects.push({ type: 'ready' })
    }
    if (this.#followers.changed) this.#chooseStandbys()
    if (this.#state === 'ready' && this.#holders.areNeeded) this.#nameHolders()
    for (const name of this.#touched) {
      // A copy on which there is no decision yet may count, so no entry may replace this copy.
      if (this.#recovery.has(name)) continue
      this.#touched.delete(name)
      const job = this.#jobs.get(name)
      if (job !== undefined) this.#replicate(name, job)
    }
  }

  #tellUnread(holders: readonly PeerIdString[]): void {
    if (holders.join() === this.#unread.join()) return
    this.#unread = holders
    this.#effects.push({ type: 'unread', holders })
  }

  #chooseStandbys(): void {
    this.#followers.changed = false
    const standbys = this.#policy.choose()
    const missing = this.#policy.missing(standbys)
    if (missing.join() !== this.#missing.join()) {
      this.#missing = missing
      this.#effects.push({ type: 'under-replicated', missing })
    }
    if (standbys.join() === this.#standbys.join()) return
    this.#standbys = standbys
    for (const job of this.#jobs.keys()) this.#touched.add(job)
  }

  #nameHolders(): void {
    const jobs = this.#jobs.size === 0 && this.#recovery.isDone ? undefined : [...this.#jobs.values()]
    const isSynced = (id: PeerIdString): boolean => jobs!.every(job => job.hasAcknowledged(id))
    const mayName = (synced: number, standbys: number): boolean =>
      this.#rules.mayName(synced, Math.min(this.#policy.required, Math.max(1, standbys)))
    const holders = this.#holders.next(jobs && { standbys: this.#standbys, isSynced, mayName })
    if (holders !== undefined) this.#effects.push({ type: 'name', holders })
  }

  /**
   * Sends an entry to the standbys that lack the entry. Reports the entry when enough peers store it. Then drops other copies.
   */
  #replicate(name: string, job: ReplicatedEntry<Record>): void {
    const { entry, version } = job
    for (const to of this.#standbys) {
      const follower = this.#followers.get(to)
      if (follower?.answered !== true || job.isSentTo(to)) continue
      if (!follower.timed) this.#followers.awaitAnswer(follower)
      job.send(to)
      this.#effects.push({ type: 'put', to, entry })
    }
    const { required, hasQuorum } = this.#policy
    const stored = this.#policy.stored(job)
    const needed = hasQuorum ? required : this.#rules.replicasNeeded(entry.end, required, this.#standbys.length)
    const behind = this.#standbys.filter(id => !job.isStoredBy(id)).length
    const isNamed = this.#rules.isNamed(this.#holders.lacking(id => job.isStoredBy(id)))
    const isHere = this.#own.count(version)
    if (job.reported < version && this.#rules.isReplicated(stored, needed) && isNamed && isHere) {
      job.reported = version
      this.#effects.push({ type: 'replicated', job: name, version })
    }
    if (!isHere || !this.#rules.mayDropCopies(stored, needed, behind)) return
    for (const to of job.copies) {
      if (this.#standbys.includes(to) || !this.#followers.hasAnswered(to)) continue
      if (!this.#rules.mayDrop(this.#holders.has(to))) continue
      job.reset(to)
      this.#effects.push({ type: 'forget', to, job: name, stamp: entry.stamp })
    }
  }
}
