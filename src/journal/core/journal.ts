/**
 * The leader's side of the journal as a pure state machine: what must survive this leader is written to its standbys, and what earlier
 * leaders have written is read before anything is accepted or denied.
 *
 *     read all live members → adopt what counts → ready → write → put to the standbys → held
 *
 * Reading may take seconds, and meanwhile those may die who hold what was found: so it is copied at once to those standbys that hold nothing
 * of the job.
 *
 * What it guarantees: what was said to be held is held by two other peers (by all others where fewer are live; under a quorum by a majority
 * of the voters), so it is read by whoever leads next as long as one of them lives. Who is live is for the membership to say. A member that does
 * not answer is replaced by another one; where there is none, no job or outcome is held before it answers or is gone, but a stop of a job does
 * not wait for it. No leader writes where it has not read, and none that is older than the newest that has read. A copy is forgotten only when
 * the newest version is held elsewhere.
 */

import { compareRanks } from '../../election/core/rank.ts'
import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import { compareWriters, ENDS, type Entry, type Head, newest, type Writer } from './entry.ts'
import type { JournalEffect, JournalEvent, JournalMember } from './events.ts'
import { headOf, type JournalKeeper } from './keeper.ts'
import { TrackedJob } from './tracked-job.ts'

/** Who holds the journal beside the leader, where there is no quorum. */
const STANDBYS = 2
/** A live member that does not answer for so long (ms) is read later, and others keep the journal in its place: a link may be broken for good. */
export const UNANSWERED_MS = 5_000

/** The rules that keep what was acknowledged; the simulation switches single ones off to see that it notices. */
export interface JournalRules {
  /** Says that something is held only when it is. */
  awaitsStandbys: boolean
  /** A live member that does not answer is one of those that must hold it, unless others do. */
  countsSilent: boolean
  /** Is ready only when the others have been read. */
  readsFirst: boolean
  /** Copies elsewhere are forgotten only when the newest version is held by the standbys. */
  keepsUntilHeld: boolean
  /** What has ended elsewhere has ended. */
  endsOverrule: boolean
  /** What is completed on one side of a cut and cancelled on the other is completed. */
  completedBeats: boolean
}

export const JOURNAL_RULES: JournalRules = {
  awaitsStandbys: true,
  countsSilent: true,
  readsFirst: true,
  keepsUntilHeld: true,
  endsOverrule: true,
  completedBeats: true
}

export interface JournalInit<Record> {
  writer: Writer
  /** What this peer itself keeps. */
  keeper: JournalKeeper<Record>
  /** Under a quorum: who votes, this peer included. */
  voters?: readonly PeerIdString[] | undefined
  /** What is written from now on of a job that an earlier leader had, and that runs. Default: the same. */
  inherit?: ((record: Record) => Record) | undefined
  rules?: JournalRules | undefined
}

interface Peer extends JournalMember {
  /** Whether it has answered the read, on the connection that there is now. */
  answered: boolean
  reachable: boolean
  /** Whether there is a timer for what it was asked or given, and whether it has confirmed something of that since it began. */
  timed: boolean
  confirmed: boolean
}

export class Journal<Record> implements Core<JournalEvent<Record>, JournalEffect<Record>> {
  readonly #writer: Writer
  readonly #keeper: JournalKeeper<Record>
  readonly #voters: ReadonlySet<PeerIdString> | undefined
  readonly #rules: JournalRules
  readonly #peers = new Map<PeerIdString, Peer>()
  readonly #jobs = new Map<string, TrackedJob<Record>>()
  /** Copies of earlier leaders that have not been looked at, by job and holder. */
  readonly #found = new Map<string, Map<PeerIdString, Head>>()
  /** Whom each job was asked of whose newest entry is not here. */
  readonly #fetching = new Map<string, PeerIdString>()
  /** Of those found, the ones that something new is known of. */
  readonly #unseen = new Set<string>()
  /** Jobs for which something may have to be sent or said. */
  readonly #touched = new Set<string>()
  readonly #inherit: (record: Record) => Record
  #standbys: PeerIdString[] = []
  /** Where too few can keep the journal: the live members that do not answer. */
  #silent: PeerIdString[] = []
  /** Somebody came, went, changed or answered: others may have to be the standbys. */
  #peersChanged = true
  /** One above the newest version that was written under this leadership, of whatever job. */
  #nextVersion = 1
  #state: 'new' | 'reading' | 'ready' | 'fenced' = 'new'
  #effects: JournalEffect<Record>[] = []

  constructor({ writer, keeper, voters, inherit = record => record, rules = JOURNAL_RULES }: JournalInit<Record>) {
    this.#writer = writer
    this.#keeper = keeper
    this.#voters = voters && new Set(voters)
    this.#inherit = inherit
    this.#rules = rules
  }

  /** Whether jobs may be accepted and denied. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** The newest entry of a job of this leadership. */
  get(job: string): Entry<Record> | undefined {
    return this.#jobs.get(job)?.entry
  }

  *entries(): Iterable<Entry<Record>> {
    for (const { entry } of this.#jobs.values()) yield entry
  }

  /** Whether all that was ever acknowledged of a job is known, so that something can be said about it. */
  knows(job: string): boolean {
    return !this.#found.has(job) && (this.#state === 'ready' || this.#jobs.has(job))
  }

  /** The version that the next entry which is written gets. */
  get nextVersion(): number {
    return this.#nextVersion
  }

  /** Who holds the journal beside this peer. */
  get standbys(): readonly PeerIdString[] {
    return this.#standbys
  }

  /** Whether `id` has shown what it keeps, so that it may be given more: it obeys this leader. */
  obeyedBy(id: PeerIdString): boolean {
    return this.#peers.get(id)?.answered === true
  }

  /** Whether `id` holds these versions of jobs or newer ones, or is none of those who are to hold them. */
  holdsAll(id: PeerIdString, versions: Iterable<readonly [job: string, version: number]>): boolean {
    if (!this.#standbys.includes(id)) return true
    for (const [name, version] of versions) {
      const job = this.#jobs.get(name)
      if (job !== undefined && (job.held.get(id) ?? 0) < version) return false
    }
    return true
  }

  handle(event: JournalEvent<Record>, _now: number): JournalEffect<Record>[] {
    if (this.#state === 'fenced') return []
    this.#effects = []
    switch (event.type) {
      case 'start':
        this.#start()
        break
      case 'member':
        this.#onMember(event.member)
        break
      case 'gone':
        this.#onGone(event.id)
        break
      case 'disconnected': {
        const peer = this.#peers.get(event.id)
        if (peer === undefined) break
        // What was asked may be lost, too; but whoever is lost again and again is not waited for any longer.
        if (!peer.answered) this.#effects.push({ type: 'read', to: event.id })
        else this.#ask(event.id)
        peer.answered = false
        this.#doubt(event.id)
        break
      }
      case 'unreachable':
        this.#onUnreachable(event.id)
        break
      case 'heads':
        this.#onHeads(event.from, event.heads)
        break
      case 'entry':
        this.#onEntry(event)
        break
      case 'held': {
        const job = this.#jobs.get(event.job)
        const peer = this.#peers.get(event.from)
        if (job === undefined || peer?.answered !== true) break
        peer.confirmed = true
        job.confirm(event.from, Math.min(event.version, job.version))
        this.#touched.add(event.job)
        break
      }
      case 'refused':
        // Whoever is gone has no say in who leads.
        if (this.#peers.has(event.from)) this.#fence()
        break
      case 'write':
        this.#write(event)
        break
      case 'forget':
        this.#forget(event.job)
        break
      case 'timer':
        this.#onTimer(event.name)
        break
    }
    this.#settle()
    return this.#effects
  }

  #start(): void {
    this.#state = 'reading'
    const own = this.#keeper.read(this.#writer)
    if (own === undefined) {
      this.#fence()
      return
    }
    for (const head of own) this.#find(this.#writer.rank.id, head)
    for (const id of this.#peers.keys()) this.#ask(id)
  }

  #onMember(member: JournalMember): void {
    const { id } = member.rank
    const known = this.#peers.get(id)
    this.#peers.set(id, { answered: false, reachable: true, timed: false, confirmed: false, ...known, ...member })
    this.#peersChanged = true
    if (known === undefined && this.#state !== 'new') this.#ask(id)
  }

  #onGone(id: PeerIdString): void {
    if (!this.#peers.delete(id)) return
    this.#peersChanged = true
    this.#effects.push({ type: 'timer', name: id, delay: undefined })
    this.#doubt(id)
  }

  #onUnreachable(id: PeerIdString): void {
    const peer = this.#peers.get(id)
    if (peer === undefined || peer.answered || !peer.reachable) return
    peer.reachable = false
    this.#peersChanged = true
  }

  /** A peer has not answered for a while, or has confirmed nothing of what it was given. */
  #onTimer(id: PeerIdString): void {
    const peer = this.#peers.get(id)
    if (peer === undefined) return
    peer.timed = false
    if (peer.answered) {
      if (![...this.#jobs.values()].some(job => job.isOwedBy(id))) return
      if (peer.confirmed) {
        this.#time(id, peer)
        return
      }
      peer.answered = false
      this.#doubt(id)
      this.#effects.push({ type: 'read', to: id })
    }
    this.#onUnreachable(id)
  }

  #ask(id: PeerIdString): void {
    this.#effects.push({ type: 'read', to: id })
    this.#time(id, this.#peers.get(id)!)
  }

  #time(id: PeerIdString, peer: Peer): void {
    peer.timed = true
    peer.confirmed = false
    this.#effects.push({ type: 'timer', name: id, delay: UNANSWERED_MS })
  }

  /** What a peer held may be lost, and what it was asked may not be answered. */
  #doubt(id: PeerIdString): void {
    for (const [name, job] of this.#jobs) {
      job.doubt(id)
      this.#touched.add(name)
    }
    for (const [job, heads] of this.#found) {
      if (this.#fetching.get(job) === id) this.#fetching.delete(job)
      if (heads.delete(id)) this.#unseen.add(job)
      if (heads.size === 0) this.#found.delete(job)
    }
  }

  #onHeads(from: PeerIdString, heads: readonly Head[]): void {
    const peer = this.#peers.get(from)
    if (peer === undefined) return
    peer.answered = true
    this.#peersChanged ||= !peer.reachable
    peer.reachable = true
    peer.timed = false
    this.#effects.push({ type: 'timer', name: from, delay: undefined })
    this.#doubt(from)
    for (const head of heads) {
      const job = this.#jobs.get(head.job)
      if (compareWriters(head.stamp, this.#writer) !== 0) this.#find(from, head)
      else if (job !== undefined && job.entry.submissionId === head.submissionId)
        job.confirm(from, Math.min(head.stamp.version, job.version))
      // Of this leadership before it was about to be handed over; else the word to forget it was lost.
      else if (this.#state === 'reading') this.#find(from, head)
      else this.#effects.push({ type: 'forget', to: from, job: head.job, stamp: head.stamp })
    }
  }

  #find(from: PeerIdString, head: Head): void {
    const heads = this.#found.get(head.job)
    this.#unseen.add(head.job)
    if (heads === undefined) this.#found.set(head.job, new Map([[from, head]]))
    else heads.set(from, head)
  }

  #onEntry({ from, job, entry }: Extract<JournalEvent<Record>, { type: 'entry' }>): void {
    if (this.#fetching.get(job) !== from) return
    this.#fetching.delete(job)
    this.#unseen.add(job)
    const heads = this.#found.get(job)
    if (heads === undefined) return
    if (entry === undefined) {
      heads.delete(from)
      if (heads.size === 0) this.#found.delete(job)
      return
    }
    heads.set(from, headOf(entry))
    if (this.#hasRead()) {
      if (this.#best(job, heads).holder === from) this.#take(entry)
    } else if (this.#keeper.copy(this.#writer, entry)) {
      // First of all, so that it is not asked for again.
      this.#found.set(job, new Map([[this.#writer.rank.id, headOf(entry)], ...heads]))
    }
  }

  /** The copy that counts, and who holds it; `holder` undefined: that of this leadership. */
  #best(job: string, heads: ReadonlyMap<PeerIdString, Head>): { head: Head; holder: PeerIdString | undefined } {
    const own = this.#jobs.get(job)?.entry
    const ends = this.#rules.completedBeats ? ENDS : ENDS.toReversed()
    const head = newest([...(own === undefined ? [] : [own]), ...heads.values()], ends)!
    // Of what runs, this leadership's is the newest; only an end elsewhere can overrule it.
    if (own !== undefined && (head.end === undefined || !this.#rules.endsOverrule))
      return { head: own, holder: undefined }
    return { head, holder: [...heads].find(([, each]) => each === head)?.[0] }
  }

  /** Makes sure that what was found survives those who hold it, before it is known what of it counts. */
  #protect(): void {
    if (this.#found.size === 0) return
    const self = this.#writer.rank.id
    const standbys = this.#choose().filter(id => this.#peers.get(id)?.answered === true)
    for (const [job, heads] of this.#found) {
      // Of a job of this leadership, which is kept: what somebody else has of it is looked at when all has been read.
      if (this.#jobs.has(job)) continue
      const here = heads.get(self)
      if (here === undefined) {
        this.#fetch(job, heads)
        continue
      }
      for (const to of standbys) {
        if (heads.has(to)) continue
        heads.set(to, here)
        this.#effects.push({ type: 'copy', to, entry: this.#keeper.get(job)! })
      }
    }
  }

  /** Asks for the copy that counts among those that were found; they are elsewhere. */
  #fetch(job: string, heads: ReadonlyMap<PeerIdString, Head>): void {
    const { holder } = this.#best(job, heads)
    if (holder === undefined || this.#fetching.get(job) === holder) return
    this.#fetching.set(job, holder)
    this.#effects.push({ type: 'fetch', to: holder, job })
  }

  /** Looks at what was found; resolves each job or asks for what is missing. */
  #look(): void {
    for (const job of this.#unseen) {
      this.#unseen.delete(job)
      const heads = this.#found.get(job)
      if (heads === undefined) continue
      const { holder } = this.#best(job, heads)
      if (holder === undefined) {
        const { copies } = this.#jobs.get(job)!
        for (const id of heads.keys()) copies.add(id)
        this.#found.delete(job)
        this.#touched.add(job)
      } else if (holder === this.#writer.rank.id) {
        this.#take(this.#keeper.get(job)!)
      } else this.#fetch(job, heads)
    }
  }

  /** Makes the entry of an earlier leader one of this leadership. */
  #take(found: Entry<Record>): void {
    const { job } = found
    const own = this.#jobs.get(job)
    const heads = this.#found.get(job)
    // It may be of this very leadership, if that was about to be handed over and stayed after all.
    const before = compareWriters(found.stamp, this.#writer) === 0 ? found.stamp.version : 0
    this.#nextVersion = Math.max(this.#nextVersion, before + 1)
    const record = found.end === undefined ? this.#inherit(found.record) : found.record
    const entry = { ...found, record, stamp: { ...this.#writer, version: this.#nextVersion++ } }
    const copies = [...(own?.copies ?? []), ...(heads?.keys() ?? [])].filter(id => id !== this.#writer.rank.id)
    this.#found.delete(job)
    if (!this.#keep(entry)) return
    this.#jobs.set(job, new TrackedJob(entry, copies))
    this.#touched.add(job)
    const isAgain = own !== undefined && own.entry.end !== undefined && entry.end === undefined
    this.#effects.push({ type: own === undefined || isAgain ? 'adopt' : 'overruled', entry })
  }

  #write({ job, submissionId, end, hasOutcome, record }: Extract<JournalEvent<Record>, { type: 'write' }>): void {
    const own = this.#jobs.get(job)
    const stamp = { ...this.#writer, version: this.#nextVersion++ }
    const entry = { job, stamp, submissionId, end, hasOutcome, record }
    if (!this.#keep(entry)) return
    if (own === undefined) this.#jobs.set(job, new TrackedJob(entry, []))
    else own.entry = entry
    this.#touched.add(job)
  }

  /** Writes to what this peer itself keeps. */
  #keep(entry: Entry<Record>): boolean {
    const kept = this.#keeper.write(entry)
    if (!kept) this.#fence()
    return kept
  }

  #forget(name: string): void {
    const job = this.#jobs.get(name)
    if (job === undefined) return
    this.#jobs.delete(name)
    const { stamp } = job.entry
    this.#keeper.forget(this.#writer, name, stamp)
    for (const to of job.copies) this.#effects.push({ type: 'forget', to, job: name, stamp })
  }

  #fence(): void {
    this.#state = 'fenced'
    for (const id of this.#peers.keys()) this.#effects.push({ type: 'timer', name: id, delay: undefined })
    this.#effects.push({ type: 'fenced' })
  }

  /** Does what has become possible. */
  #settle(): void {
    if (this.#state === 'new' || this.#state === 'fenced') return
    if (!this.#hasRead()) {
      this.#protect()
      return
    }
    this.#look()
    if (this.#state === 'reading' && this.#found.size === 0) {
      this.#state = 'ready'
      this.#effects.push({ type: 'ready' })
    }
    const standbys = this.#peersChanged ? this.#choose() : this.#standbys
    if (this.#peersChanged) this.#lookForSilent(standbys)
    this.#peersChanged = false
    if (standbys.join() !== this.#standbys.join()) {
      this.#standbys = standbys
      for (const job of this.#jobs.keys()) this.#touched.add(job)
    }
    for (const name of this.#touched) {
      // Nothing is written over a copy that may count.
      if (this.#found.has(name)) continue
      this.#touched.delete(name)
      const job = this.#jobs.get(name)
      if (job !== undefined) this.#settleJob(name, job)
    }
  }

  /** Whether enough is read to know of all that was acknowledged; once it was so, those who come later are read as they come. */
  #hasRead(): boolean {
    if (this.#state === 'ready' || !this.#rules.readsFirst) return true
    const peers = [...this.#peers]
    // Under a quorum as well: a voter that was started again has forgotten what it held.
    if (!peers.every(([, { answered, reachable }]) => answered || !reachable)) return false
    const voters = peers.filter(([id, { answered }]) => answered && this.#voters?.has(id) === true)
    return this.#voters === undefined || voters.length + 1 >= this.#majority
  }

  get #majority(): number {
    return Math.floor((this.#voters?.size ?? 0) / 2) + 1
  }

  /** Who is to hold the journal: those who would lead next come first, since they need it. */
  #choose(): PeerIdString[] {
    const able = [...this.#peers.values()].filter(({ reachable }) => reachable)
    if (this.#voters !== undefined) return able.flatMap(({ rank }) => (this.#voters!.has(rank.id) ? [rank.id] : []))
    able.sort((a, b) => Number(b.electable) - Number(a.electable) || compareRanks(b.rank, a.rank))
    return able.slice(0, STANDBYS).map(({ rank }) => rank.id)
  }

  /** How many others must hold what runs. */
  get #needed(): number {
    return this.#voters === undefined ? Math.min(STANDBYS, this.#peers.size) : this.#majority - 1
  }

  /** Tells of it when too few answer: nothing is held then. */
  #lookForSilent(standbys: readonly PeerIdString[]): void {
    const isShort = standbys.length < this.#needed
    const wanted = [...(this.#voters ?? this.#peers.keys())].filter(id => id !== this.#writer.rank.id)
    const silent = isShort ? wanted.filter(id => this.#peers.get(id)?.reachable !== true) : []
    if (silent.join() === this.#silent.join()) return
    this.#silent = silent
    this.#effects.push({ type: 'short', silent })
  }

  #settleJob(name: string, job: TrackedJob<Record>): void {
    for (const to of this.#standbys) {
      const peer = this.#peers.get(to)
      if (peer?.answered !== true || job.sent.get(to) === job.version) continue
      if (!peer.timed) this.#time(to, peer)
      job.sent.set(to, job.version)
      job.copies.add(to)
      this.#effects.push({ type: 'put', to, entry: job.entry })
    }
    if (job.announced < job.version && (this.#isHeld(job) || !this.#rules.awaitsStandbys)) {
      job.announced = job.version
      this.#effects.push({ type: 'held', job: name, version: job.version })
    }
    if (this.#rules.keepsUntilHeld && !(this.#isHeld(job) && this.#standbys.every(id => job.holds(id)))) return
    const { stamp } = job.entry
    for (const to of job.copies) {
      if (this.#standbys.includes(to) || this.#peers.get(to)?.answered !== true) continue
      job.doubt(to)
      this.#effects.push({ type: 'forget', to, job: name, stamp })
    }
  }

  #isHeld(job: TrackedJob<Record>): boolean {
    const able = this.#voters ?? this.#peers.keys()
    const holders = [...able].filter(id => job.holds(id)).length
    if (this.#voters !== undefined) return holders >= this.#needed
    const { end } = job.entry
    const isStopped = end === 'cancelled' || end === 'abandoned'
    // Whoever stops a job does not wait for a member that is silent: at worst it is run once more.
    const needed = this.#rules.countsSilent && !isStopped ? this.#needed : this.#standbys.length
    // An outcome is large, can be computed again, and is safe as soon as it is not here alone.
    return holders >= (end === undefined ? needed : Math.min(1, needed))
  }
}
