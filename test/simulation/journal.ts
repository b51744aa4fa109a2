/**
 * A process of the simulated world that takes part in elections, keeps the journal, and accepts jobs while it leads. The process follows the
 * rules of src/jobs/leader/leader.ts, but its jobs take time without computing anything.
 */
import type { Leadership } from '../../src/election/types.ts'
import {
  compareWriters,
  type End,
  type Entry,
  type Head,
  type Stamp,
  type Writer
} from '../../src/journal/core/entry.ts'
import type { JournalEffect, JournalEvent } from '../../src/journal/core/events.ts'
import type { HolderList, KnownList } from '../../src/journal/core/holder-list.ts'
import { Journal } from '../../src/journal/core/journal.ts'
import { JournalReplica } from '../../src/journal/core/replica.ts'
import type { JournalRules } from '../../src/journal/core/rules.ts'
import { isLive, type Member } from '../../src/membership/core/member.ts'
import type { SimulatedDisk } from './disk.ts'
import {
  ElectionProcess,
  type ElectionProcessOptions,
  type MembershipHooks,
  type MembershipProcess
} from './election.ts'
import { STREAM, Streams } from './streams.ts'
import type { Host, Process } from './world.ts'

const TIMER = 'jobs:'
const AGAIN_MS = 100

/** The journal's record of a simulated job. */
export interface JobRecord {
  /** How long the rest of the job takes, in ms. */
  takes: number
  /** The outcome: the peer that computed the job. */
  outcome: string | undefined
}

export interface JournalJudge {
  /** The leader told a peer to delete its copy of the job. */
  forgot(job: string): void
  /** The leader has read the entries that earlier leaders left. */
  ready(leader: string): void
  /** The leader reports to a client that it has accepted the job. `first` is true for the first report, right after the entry was replicated. */
  accepted(leader: string, epoch: number, job: string, first: boolean): void
  ended(leader: string, epoch: number, job: string, end: End, outcome: string | undefined): void
  /** The leader takes a job that it does not know. */
  given?(leader: string, job: string): void
  /** A peer keeps the entry of an earlier leader, for a leader that still reads. */
  copied?(id: string, entry: Head): void
  /** The leader forgets a job that has ended. `isForced`: it has too many of them, although a peer may have an older entry. */
  forgets?(leader: string, entry: Head, isForced: boolean): void
  /** The leader goes on with a job of an earlier leader, which has not ended. */
  goesOn?(leader: string, job: string): void
  /** The leader takes over a job that may have ended already, and does not run it. */
  suspends?(leader: string, entry: Head): void
  /** A checkpoint of the job is replicated. `next`: the number of slices that it covers. */
  checkpointed?(job: string, submissionId: string, next: number): void
  /** The leader resumes a suspended job, because a client asks for it. */
  resumes?(job: string): void
  /** The leader tells a peer that it has all entries again. */
  toldWhole?(leader: string, to: string): void
  /** The leader does not know the job. */
  unknown(leader: string, epoch: number, job: string): void
}

type Message =
  | { type: 'read'; writer: Writer }
  | {
      type: 'heads'
      epoch: number
      heads: Head[]
      list: HolderList | undefined
      isIncomplete: boolean
      isOnDisk: boolean
    }
  | { type: 'whole'; writer: Writer }
  | { type: 'tell'; writer: Writer; list: HolderList }
  | { type: 'noted'; epoch: number; version: number }
  | { type: 'fetch'; epoch: number; job: string }
  | { type: 'entry'; epoch: number; job: string; entry: Entry<JobRecord> | undefined }
  | { type: 'put'; entry: Entry<JobRecord> }
  | { type: 'copy'; writer: Writer; entry: Entry<JobRecord> }
  | { type: 'stored'; epoch: number; job: string; version: number; isOnDisk: boolean }
  | { type: 'forget'; writer: Writer; job: string; stamp: Stamp }
  | { type: 'refused'; epoch: number }

export interface JournalProcessOptions {
  election: Omit<ElectionProcessOptions, 'membership'>
  membership: (host: Host, hooks: MembershipHooks) => MembershipProcess
  priority: number
  judge: JournalJudge
  /** How long a leader waits after a full stop for another holder, in ms. Default: as JournalInit. */
  recoverWait?: number
  /** How long the end of a job is kept at least, in ms. Default: for ever. */
  keeps?: number
  /** The most ends of jobs that a leader keeps. Default: no limit. */
  mostEnded?: number
  /** How long a slice of a job takes, in ms. A checkpoint is taken after each slice. Default: no checkpoints. */
  slice?: number
  /** Whether streams to that peer carry nothing, although membership and election messages arrive. */
  isMuted?: (to: string) => boolean
  rules?: JournalRules
  /** The record of the store, if the election has one. */
  record?: HolderRecord
  /** Whether another peer has a disk. Default: no. */
  hasDisk?: (id: string) => boolean
  /** The disk of the peer. Default: the replica is lost with the process. */
  disk?: SimulatedDisk<JobRecord> | undefined
}

/** The store's record of the peers that hold the journal. */
export interface HolderRecord {
  /** Begins a leadership. Returns the holders that the record names. */
  begin(leader: string, epoch: number): readonly string[]
  /** Changes the names for the present leader, and calls `done`. Does nothing for an earlier leader. */
  name(leader: string, epoch: number, holders: readonly string[], done: () => void): void
}

/** A leadership of this process. */
export interface Term {
  epoch: number
  since: number
  /** What this peer knew before this term of who holds the journal. */
  known: KnownList
  journal: Journal<JobRecord>
  /** The lists that peers have shown in this term, whether they are still there or not. */
  heard: HolderList[]
  /** Actions to run as soon as the given version of a job's entry is replicated. */
  waiting: Map<string, { version: number; done: () => void }>
  /** Questions that clients asked before the journal was ready. */
  asked: (() => void)[]
}

export class JournalProcess implements Process {
  readonly election: ElectionProcess
  readonly replica: JournalReplica<JobRecord>
  term: Term | undefined
  readonly #host: Host
  readonly #options: JournalProcessOptions
  readonly #streams: Streams
  readonly #members = new Map<string, Pick<Member, 'id' | 'state' | 'role' | 'electionPriority'>>()
  readonly #asked = new Map<string, Writer>()
  #follows: Leadership | undefined
  /** The epoch of a leadership that ended because this process heard of a newer one. */
  #fenced: number | undefined

  constructor(host: Host, options: JournalProcessOptions) {
    this.#host = host
    this.#options = options
    this.replica = options.disk?.open() ?? new JournalReplica(options.rules)
    const carrying: Host = {
      ...host,
      send: (to, protocol, message) => {
        if (options.isMuted?.(to) !== true) host.send(to, protocol, message)
      }
    }
    this.#streams = new Streams(carrying, {
      onMessage: (from, message) => this.#receive(from, message as Message),
      onBroken: peer => this.#handle({ type: 'disconnected', id: peer })
    })
    this.election = new ElectionProcess(host, {
      ...options.election,
      membership: (host, hooks) => options.membership(host, this.#watched(hooks)),
      watch: effect => {
        if (effect.type === 'leader') this.#onLeader(effect.leader)
      }
    })
  }

  start(): void {
    this.election.start()
  }

  /** The members other than this process that are live in the view of this process. */
  get liveOthers(): string[] {
    return [...this.#members.values()].flatMap(member =>
      isLive(member) && member.id !== this.#host.id ? [member.id] : []
    )
  }

  receive(from: string, protocol: string, message: unknown): void {
    if (protocol === STREAM) this.#streams.receive(from, message)
    else this.election.receive(from, protocol, message)
  }

  gossip(topic: string, message: unknown): void {
    this.election.gossip(topic, message)
  }

  timer(name: string): void {
    if (this.#streams.timer(name)) return
    if (!name.startsWith(TIMER)) {
      this.election.timer(name)
      return
    }
    const [kind, epoch, ...rest] = name.slice(TIMER.length).split(' ')
    if (this.term?.epoch !== Number(epoch)) return
    const about = rest.join(' ')
    if (kind === 'journal') this.#handle({ type: 'timer', name: about })
    else if (kind === 'run') this.#ran(about)
    else if (kind === 'keep') this.#forget(about)
    else if (kind === 'read') this.#send(about, { type: 'read', writer: this.#writer(this.term!.epoch) })
  }

  refused(peer: string): void {
    this.#streams.break(peer)
    this.election.refused(peer)
  }

  /** Submits a job of a client, which must be on `durable` disks. The client learns the outcome unless this process stops leading. */
  submit(job: string, takes: number, durable = 0): void {
    const { term } = this
    if (term === undefined) return
    this.#whenKnown(term, job, () => {
      const entry = term.journal.get(job)
      if (entry === undefined || entry.end === 'abandoned') {
        if (durable > term.journal.disks) return
        // A number would begin anew with each run of the peer.
        const submissionId = `${this.#host.id} ${this.#host.now()}`
        this.#host.trace(`is given ${job}`)
        this.#options.judge.given?.(this.#host.id, job)
        const done = (): void => {
          this.#options.judge.accepted(this.#host.id, term.epoch, job, true)
          this.#run(job)
        }
        this.#write(job, submissionId, undefined, 0, { takes, outcome: undefined }, done, durable)
      } else if (entry.isSuspended === true) {
        this.#host.trace(`resumes ${job}`)
        this.#options.judge.resumes?.(job)
        this.#write(job, entry.submissionId, undefined, entry.next, entry.record, () => {})
        if (this.term === term) this.#run(job)
      } else if (entry.end === undefined) {
        if (this.#isHeld(term, job)) this.#options.judge.accepted(this.#host.id, term.epoch, job, false)
      } else if (this.#isHeld(term, job)) this.#tellEnd(term, entry)
    })
  }

  cancel(job: string): void {
    const { term } = this
    if (term === undefined) return
    this.#whenKnown(term, job, () => {
      const entry = term.journal.get(job)
      if (entry === undefined) this.#options.judge.unknown(this.#host.id, term.epoch, job)
      else if (entry.end === undefined) this.#end(job, 'cancelled', undefined)
      else if (this.#isHeld(term, job)) this.#tellEnd(term, entry)
    })
  }

  #whenKnown(term: Term, job: string, run: () => void): void {
    if (this.term !== term) return
    if (term.journal.knows(job)) run()
    else term.asked.push(() => this.#whenKnown(term, job, run))
  }

  #isHeld(term: Term, job: string): boolean {
    return !term.waiting.has(job)
  }

  #end(job: string, end: End, outcome: string | undefined): void {
    const { term } = this
    const entry = term?.journal.get(job)
    if (term === undefined || entry === undefined || entry.end !== undefined) return
    this.#host.timer(`${TIMER}run ${term.epoch} ${job}`, undefined)
    this.#write(job, entry.submissionId, end, 0, { ...entry.record, outcome }, () =>
      this.#tellEnd(term, term.journal.get(job)!)
    )
  }

  /** Ends a job that was not accepted. Its client may submit it again. */
  #refuse(job: string): void {
    const entry = this.term!.journal.get(job)!
    this.#write(job, entry.submissionId, 'abandoned', 0, entry.record, () => this.#keep(job))
  }

  #keep(job: string): void {
    const { keeps } = this.#options
    if (keeps !== undefined && this.term !== undefined)
      this.#host.timer(`${TIMER}keep ${this.term.epoch} ${job}`, keeps)
  }

  /** Forgets a job that has ended, as soon as no peer may have an older entry of it. */
  #forget(job: string): void {
    const { journal } = this.term!
    const entry = journal.get(job)
    if (entry?.end === undefined) return
    const { mostEnded = Number.POSITIVE_INFINITY, judge } = this.#options
    const mayForget = journal.mayForget(job)
    if (!mayForget && [...journal.entries()].filter(({ end }) => end !== undefined).length <= mostEnded) {
      this.#keep(job)
      return
    }
    judge.forgets?.(this.#host.id, entry, !mayForget)
    this.#handle({ type: 'forget', job })
  }

  /** Runs the next slice of a job, or all of it. */
  #run(job: string): void {
    const { takes } = this.term!.journal.get(job)!.record
    this.#host.timer(`${TIMER}run ${this.term!.epoch} ${job}`, Math.min(takes, this.#options.slice ?? takes))
  }

  #ran(job: string): void {
    const { epoch, journal } = this.term!
    const entry = journal.get(job)
    const { slice, judge } = this.#options
    if (slice === undefined || entry === undefined || entry.record.takes <= slice) {
      this.#end(job, 'completed', `computed @${epoch}`)
      return
    }
    const next = entry.next + 1
    const record = { ...entry.record, takes: entry.record.takes - slice }
    this.#write(job, entry.submissionId, undefined, next, record, () =>
      judge.checkpointed?.(job, entry.submissionId, next)
    )
    if (this.term?.epoch === epoch) this.#run(job)
  }

  #tellEnd(term: Term, { job, end, record }: Entry<JobRecord>): void {
    this.#options.judge.ended(this.#host.id, term.epoch, job, end!, record.outcome)
    this.#keep(job)
  }

  #write(
    job: string,
    submissionId: string,
    end: End | undefined,
    next: number,
    record: JobRecord,
    done: () => void,
    durable?: number
  ): void {
    const term = this.term!
    const version = term.journal.nextVersion
    term.waiting.set(job, { version, done })
    this.#handle({
      type: 'write',
      job,
      submissionId,
      end,
      hasOutcome: end !== undefined && end !== 'abandoned',
      next,
      durable,
      record
    })
  }

  #writer(epoch: number): Writer {
    return { epoch, rank: { priority: this.#options.priority, id: this.#host.id } }
  }

  #onLeader(leader: Leadership | undefined): void {
    this.#follows = leader
    this.#answer()
    const epoch = leader?.id === this.#host.id ? leader.epoch : undefined
    if (epoch === this.term?.epoch) return
    this.term = undefined
    if (epoch === undefined) return
    const { rules, election } = this.#options
    const { known } = this.replica
    const journal = new Journal<JobRecord>({
      writer: this.#writer(epoch),
      replica: this.replica,
      voters: election.quorum?.terms.voters,
      holders: this.#options.record?.begin(this.#host.id, epoch),
      recoverWait: this.#options.recoverWait,
      rules
    })
    this.term = { epoch, since: this.#host.now(), known, journal, heard: [], waiting: new Map(), asked: [] }
    for (const member of this.#members.values()) this.#onMember(member)
    this.#handle({ type: 'start' })
  }

  #watched(hooks: MembershipHooks): MembershipHooks {
    return {
      ...hooks,
      onMember: member => {
        this.#members.set(member.id, member)
        hooks.onMember(member)
        this.#onMember(member)
      }
    }
  }

  #onMember(member: Pick<Member, 'id' | 'state' | 'role' | 'electionPriority'>): void {
    const { id, role, electionPriority } = member
    if (id === this.#host.id) return
    const rank = { priority: electionPriority, id }
    if (isLive(member))
      this.#handle({
        type: 'member',
        member: { rank, electable: role !== 'worker', hasDisk: this.#options.hasDisk?.(id) ?? false }
      })
    else {
      this.#handle({ type: 'gone', id })
      // The peer that reported the newer leader may be gone, and the newer leader may be gone as well.
      if (this.term === undefined && this.#follows?.epoch === this.#fenced) this.#onLeader(this.#follows)
    }
  }

  #handle(event: JournalEvent<JobRecord>): void {
    const { term } = this
    if (term === undefined) return
    for (const effect of term.journal.handle(event, this.#host.now()))
      if (this.term === term) this.#do(term, effect, event)
    for (const run of term.asked.splice(0)) run()
  }

  #do(term: Term, effect: JournalEffect<JobRecord>, event: JournalEvent<JobRecord>): void {
    const { epoch } = term
    switch (effect.type) {
      case 'read':
        // A peer whose connection just broke cannot be reached again at once.
        this.#host.timer(`${TIMER}read ${epoch} ${effect.to}`, event.type === 'disconnected' ? AGAIN_MS : 0)
        break
      case 'fetch':
        this.#send(effect.to, { type: 'fetch', epoch, job: effect.job })
        break
      case 'put':
        this.#send(effect.to, { type: 'put', entry: effect.entry })
        break
      case 'copy':
        this.#send(effect.to, { type: 'copy', writer: this.#writer(epoch), entry: effect.entry })
        break
      case 'forget':
        this.#send(effect.to, { type: 'forget', writer: this.#writer(epoch), job: effect.job, stamp: effect.stamp })
        break
      case 'tell':
        this.#send(effect.to, { type: 'tell', writer: this.#writer(epoch), list: effect.list })
        break
      case 'whole':
        this.#host.trace(`tells ${effect.to} that it has all entries again`)
        this.#send(effect.to, { type: 'whole', writer: this.#writer(epoch) })
        this.#options.judge.toldWhole?.(this.#host.id, effect.to)
        break
      case 'sync':
        for (const copies of effect.copies.length === 0 ? [[]] : effect.copies.map(copy => [copy]))
          this.#whenSynced(
            isOnDisk => {
              if (this.term === term) this.#handle({ type: 'synced', copies, isOnDisk })
            },
            copies.length === 0 ? undefined : copies[0]![0]
          )
        break
      case 'ready':
        this.#host.trace(`is ready @${epoch}`)
        this.#options.judge.ready(this.#host.id)
        break
      case 'adopt':
      case 'overruled':
      case 'advanced':
        this.#take(term, effect.entry)
        break
      case 'replicated': {
        const waiting = term.waiting.get(effect.job)
        if (waiting === undefined || waiting.version > effect.version) break
        term.waiting.delete(effect.job)
        waiting.done()
        break
      }
      case 'not-durable':
        this.#host.trace(`refuses ${effect.job}: ${effect.disks} disks are too few`)
        this.#refuse(effect.job)
        break
      case 'name':
        this.#host.trace(`lets the record name ${effect.holders.join(' ')}`)
        this.#options.record!.name(this.#host.id, epoch, effect.holders, () => {
          if (this.term === term) this.#handle({ type: 'named', holders: effect.holders })
        })
        break
      case 'fenced':
        this.#host.trace(`is fenced @${epoch}`)
        this.#fenced = epoch
        this.term = undefined
        break
      case 'timer':
        this.#host.timer(`${TIMER}journal ${epoch} ${effect.name}`, effect.delay)
        break
    }
  }

  #take(term: Term, entry: Entry<JobRecord>): void {
    const { job, end, stamp } = entry
    if (entry.isSuspended === true) {
      this.#host.trace(`suspends ${job}`)
      this.#options.judge.suspends?.(this.#host.id, entry)
      term.waiting.set(job, { version: stamp.version, done: () => {} })
      return
    }
    this.#host.trace(
      `goes on with ${job}${end === undefined ? ` from ${this.term?.journal.get(job)?.next}` : ''}${end === undefined ? '' : ` (${end})`}`
    )
    if (end === undefined) this.#options.judge.goesOn?.(this.#host.id, job)
    else this.#keep(job)
    if (end === undefined) this.#run(job)
    else this.#host.timer(`${TIMER}run ${term.epoch} ${job}`, undefined)
    term.waiting.set(job, { version: stamp.version, done: () => {} })
  }

  #receive(from: string, message: Message): void {
    switch (message.type) {
      case 'read':
        this.#asked.set(from, message.writer)
        this.#answer()
        break
      case 'fetch':
        this.#send(from, {
          type: 'entry',
          epoch: message.epoch,
          job: message.job,
          entry: this.replica.get(message.job)
        })
        break
      case 'put': {
        const { job, stamp } = message.entry
        const { epoch, version } = stamp
        const kept = this.replica.write(message.entry)
        if (kept) this.#whenSynced(isOnDisk => this.#send(from, { type: 'stored', epoch, job, version, isOnDisk }), job)
        else this.#send(from, { type: 'refused', epoch })
        break
      }
      case 'copy':
        if (this.replica.copy(message.writer, message.entry)) this.#options.judge.copied?.(this.#host.id, message.entry)
        break
      case 'tell': {
        const { writer, list } = message
        const { epoch, version } = list.stamp
        if (compareWriters(list.stamp, writer) !== 0) this.replica.copyList(writer, list)
        else if (this.replica.note(list))
          this.#whenSynced(isOnDisk => {
            if (isOnDisk || this.#options.disk === undefined) this.#send(from, { type: 'noted', epoch, version })
          })
        break
      }
      case 'whole':
        this.replica.markWhole(message.writer)
        break
      case 'forget':
        this.replica.forget(message.writer, message.job, message.stamp)
        this.#options.judge.forgot(message.job)
        break
      default:
        if (message.epoch !== this.term?.epoch) return
        if (message.type === 'heads' && message.list !== undefined) this.term.heard.push(message.list)
        this.#handle({ ...message, from })
    }
  }

  /** Sends the heads of the replica to the leader that asked for them, as soon as this peer follows that leader. */
  #answer(): void {
    const leader = this.#follows
    const writer = leader && this.#asked.get(leader.id)
    if (leader === undefined || writer?.epoch !== leader.epoch) return
    this.#asked.delete(leader.id)
    const { list } = this.replica.known
    const { isIncomplete } = this.replica
    const heads = this.replica.read(writer)
    const { epoch } = writer
    if (heads === undefined) this.#send(leader.id, { type: 'refused', epoch })
    else {
      let isAnswered = false
      this.#whenSynced(isOnDisk => {
        // As src/journal/journal-peer.ts: the leader reads again.
        if (isAnswered) this.#streams.break(leader.id)
        else this.#send(leader.id, { type: 'heads', epoch, heads, list, isIncomplete, isOnDisk })
        isAnswered = true
      })
    }
  }

  #whenSynced(done: (isOnDisk: boolean) => void, job?: string): void {
    const { disk } = this.#options
    if (disk === undefined) done(false)
    else disk.whenSynced(done, job)
  }

  #send(to: string, message: Message): void {
    this.#streams.send(to, message)
  }
}
