/** The leader's side of the journal: connects the core to the membership, the channels to the followers, and the clock. */

import pDefer from 'p-defer'
import { StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Rank, RankOrder } from '../election/core/rank.ts'
import type { HolderRecord } from '../election/types.ts'
import { orAborted } from '../lib/abort.ts'
import { Backoff } from '../lib/backoff.ts'
import type { TimerEvent } from '../lib/core.ts'
import { CoreTimers } from '../lib/core-timers.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import type { Membership } from '../membership/types.ts'
import type { Channel, PeerIdString, Protocol } from '../network/types.ts'
import type { Entry } from './core/entry.ts'
import type { JournalEffect, JournalEvent } from './core/events.ts'
import { UNANSWERED_MS } from './core/followers.ts'
import { Journal } from './core/journal.ts'
import type { JournalReplica } from './core/replica.ts'
import type { Durability } from './core/replication.ts'
import { FollowerLink } from './follower-link.ts'
import type { LeaderJournalEvents } from './leader-journal-events.ts'
import type { LedLocks, LockKeeper } from './lock-keeper.ts'
import { logWaits } from './log-waits.ts'
import { memoryAge } from './memory-age.ts'
import type { JournalMessage, JournalReply } from './messages.ts'
import { isJob, isLock, type JobRecord, type JournalRecord, ledBy, type Write } from './record.ts'
import { eventOf } from './reply-event.ts'
import type { ScheduleRecord } from './schedule-record.ts'
import { SyncCopies, type WhenSynced } from './sync-copies.ts'
import { type Waiting, Waits } from './waits.ts'

/** The `submissionId` of the entries of locks and schedules. */
const LOCK = 'lock'
const SCHEDULE = 'schedule'
/** The pauses between two attempts to name the holders of the journal in the store, in ms. */
const NAME_PAUSES = { first: 100, last: 1_000 } as const

export interface LeaderJournalInit {
  epoch: number
  rank: Rank
  /** The voters. Undefined without a quorum. */
  voters: readonly PeerIdString[] | undefined
  /** Orders peers by who should lead next. */
  order: RankOrder
  /** The record in which the leader names the peers that hold the journal. Undefined if the election has no store. */
  holders: HolderRecord | undefined
  replica: JournalReplica<JournalRecord>
  whenSynced: WhenSynced
  /** How long this leader waits after a full stop for another holder, in ms. Default: as JournalInit. */
  recoverWait?: number | undefined
  membership: Membership
  protocol: Protocol<JournalMessage>
  logger: Logger
  events: LeaderJournalEvents
  /** Grants locks, and keeps them in this journal. Default: this leader grants none. */
  locks?: LockKeeper | undefined
  /** When the replica of this peer was created, by `performance.now()`. */
  startedAt: number
}

export class LeaderJournal {
  readonly #init: LeaderJournalInit
  readonly #core: Journal<JournalRecord>
  readonly #links = new Map<PeerIdString, FollowerLink>()
  readonly #copies: SyncCopies
  readonly #timers = new CoreTimers(event => this.#onTimer(event))
  /** The jobs whose newest entry is not replicated yet. */
  readonly #unreplicated = new Map<string, { version: number; done: () => void }>()
  /** The events that arrived while the effects of an earlier event were carried out. They are handled next. */
  readonly #events: (() => JournalEvent<JournalRecord>)[] = []
  #isBusy = false
  readonly #waits = new Waits()
  readonly #over = new AbortController()
  readonly #locks: LedLocks | undefined
  /** When the followers that have answered the read started, by the clock of this peer. */
  readonly #startedAt = new Map<PeerIdString, number>()

  constructor(init: LeaderJournalInit) {
    const { epoch, rank, replica, recoverWait, voters, order, holders } = init
    this.#init = init
    // The first entry already records this leader, not only the first checkpoint. The next leader must accept chunks that
    // this leader assigns.
    const inherit = (record: JournalRecord): JournalRecord => ledBy(record, { leader: rank.id, epoch })
    const writer = { epoch, rank }
    const named = holders?.named
    this.#core = new Journal({ writer, replica, recoverWait, voters, holders: named, order, inherit, canEnd: isJob })
    this.#copies = new SyncCopies(init.whenSynced, (copies, isOnDisk) =>
      this.#handle({ type: 'synced', copies, isOnDisk })
    )
    this.#locks = init.locks?.lead({
      epoch,
      write: (job, record, done) => this.#write({ job, submissionId: LOCK, record }, done),
      forget: key => this.forget(key),
      isStored: key => this.#core.isStored(key)
    })
  }

  /** Starts to read the journals of earlier leaders. */
  start(): void {
    const { membership } = this.#init
    membership.addEventListener('member', this.#onMember)
    for (const member of membership.live()) this.#update(member)
    this.#handle({ type: 'start' })
  }

  /** Aborts the pending waits and the channels. The standbys keep their replicas. */
  stop(): void {
    this.#over.abort(new StoppedError('this peer does not lead any more'))
    this.#init.membership.removeEventListener('member', this.#onMember)
    for (const link of this.#links.values()) link.stop()
    this.#links.clear()
    this.#timers.stop()
    this.#unreplicated.clear()
    this.#waits.clear()
    this.#locks?.stop()
  }

  /** Whether this leader may accept and deny jobs. */
  get isReady(): boolean {
    return this.#core.isReady
  }

  /** Returns the entries of this leadership, including entries of ended jobs. */
  *entries(): Iterable<Entry<JobRecord>> {
    for (const entry of this.#core.entries()) if (isOfJob(entry)) yield entry
  }

  get(job: string): Entry<JobRecord> | undefined {
    const entry = this.#core.get(job)
    return entry !== undefined && isOfJob(entry) ? entry : undefined
  }

  /** The number of disks that take entries. */
  get disks(): number {
    return this.#core.disks
  }

  /** Returns at how many peers a job is held. */
  held(job: string): Durability {
    return this.#core.held(job) ?? { memory: 0, disk: 0 }
  }

  /** Calls `run` as soon as this leader knows every acknowledged entry of the job, unless `signal` aborts first. */
  whenKnown(job: string, run: () => void, signal?: AbortSignal): void {
    this.#when({ isDue: () => this.#core.knows(job), run, signal })
  }

  /** Whether enough peers store the newest entry of a job. */
  isReplicated(job: string): boolean {
    return !this.#unreplicated.has(job)
  }

  /** Calls `run` as soon as the newest entry of the job is replicated, unless `signal` aborts first. */
  whenReplicated(job: string, run: () => void, signal?: AbortSignal): void {
    this.#when({ isDue: () => this.isReplicated(job), run, signal })
  }

  /** Writes an entry. Calls `done` when the entry is replicated, unless a newer entry of the job is written first. */
  write(write: Write, done: () => void = () => {}): void {
    const hasOutcome = write.record.outcome !== undefined
    this.#write({ ...write, hasOutcome }, done)
  }

  /** Writes an entry of a schedule. Calls `done` when the entry is replicated, unless a newer entry with the key is written first. */
  writeSchedule(job: string, record: ScheduleRecord, durable: number, done: () => void): void {
    this.#write({ job, submissionId: SCHEDULE, durable, record }, done)
  }

  #write(entry: Omit<Write, 'record'> & { hasOutcome?: boolean; record: JournalRecord }, done: () => void): void {
    const { job, submissionId, end, hasOutcome = false, durable, record } = entry
    const next = isJob(record) ? (record.checkpoint?.next ?? 0) : 0
    // The core assigns the version after it has handled all earlier events.
    this.#unreplicated.set(job, { version: Number.POSITIVE_INFINITY, done })
    this.#queue(() => {
      this.#unreplicated.set(job, { version: this.#core.nextVersion, done })
      return { type: 'write', job, submissionId, end, hasOutcome, next, durable, record }
    })
  }

  /** Whether this leader may forget the end of a job: no peer may come back with an older entry of it. */
  mayForget(job: string): boolean {
    return this.#core.mayForget(job)
  }

  forget(job: string): void {
    this.#unreplicated.delete(job)
    this.#handle({ type: 'forget', job })
  }

  /** Whether a peer obeys this leader. A peer that leads does not obey another leader. */
  isFollowedBy(id: PeerIdString): boolean {
    return this.#core.isFollowedBy(id)
  }

  /**
   * Resolves when `to` stores all present entries, or is no standby. Resolves immediately if this leader has not adopted the earlier
   * entries yet. Then `to` will read these entries from the same peers, and may itself be the peer that does not answer.
   */
  async handOver(to: PeerIdString, signal: AbortSignal): Promise<void> {
    const versions = [...this.#core.entries()].map(({ job, stamp }) => [job, stamp.version] as const)
    if (versions.length === 0) return
    const stored = pDefer<void>()
    const waiting = { isDue: () => this.#core.isReady && this.#core.storesAll(to, versions), run: stored.resolve }
    this.#when(waiting)
    try {
      await orAborted(stored.promise, AbortSignal.any([signal, this.#over.signal]))
    } finally {
      this.#waits.delete(waiting)
    }
  }

  onMessage(message: JournalMessage & JournalReply, channel: Channel<JournalMessage>): void {
    const from = channel.remote
    const link = this.#links.get(from)
    if (this.#over.signal.aborted || message.epoch !== this.#init.epoch || link?.isOn(channel) !== true) return
    // The pause grows for a follower that answers reads, but closes the channel after any other message.
    if (message.type === 'heads') this.#startedAt.set(from, performance.now() - message.age)
    else link.resetPause()
    if (message.type !== 'held') this.#handle(eventOf(from, message))
    else
      for (const held of link.confirmed(message))
        this.#handle({ type: 'stored', from, ...held, isOnDisk: message.isOnDisk })
  }

  onClose(channel: Channel<JournalMessage>): void {
    const link = this.#links.get(channel.remote)
    if (link?.isOn(channel) !== true) return
    link.lost()
    this.#handle({ type: 'disconnected', id: channel.remote })
  }

  readonly #onMember = ({ detail }: CustomEvent<{ member: Member }>): void => this.#update(detail.member)

  #update(member: Member): void {
    const { id, role, electionPriority, hasDisk } = member
    if (id === this.#init.rank.id) return
    if (isLive(member)) {
      const rank = { priority: electionPriority, id }
      this.#handle({ type: 'member', member: { rank, electable: role !== 'worker', hasDisk } })
    } else {
      this.#links.get(id)?.stop()
      this.#links.delete(id)
      this.#handle({ type: 'gone', id })
    }
  }

  #onTimer(event: TimerEvent): void {
    const isSending = this.#links.get(event.name)?.isSending === true
    // The channel may still be sending a large entry. If the follower does not read, the channel ends by itself.
    if (isSending && this.#core.isFollowedBy(event.name)) this.#timers.set({ ...event, delay: UNANSWERED_MS })
    else this.#handle(event)
  }

  #when(waiting: Waiting): void {
    if (waiting.isDue()) waiting.run()
    else if (!this.#over.signal.aborted) this.#waits.add(waiting)
  }

  #handle(event: JournalEvent<JournalRecord>): void {
    this.#queue(() => event)
  }

  #queue(event: () => JournalEvent<JournalRecord>): void {
    this.#events.push(event)
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) this.#play(next())
    } finally {
      this.#isBusy = false
    }
    this.#waits.runDue()
  }

  #play(event: JournalEvent<JournalRecord>): void {
    if (this.#over.signal.aborted) return
    for (const effect of this.#core.handle(event, performance.now())) {
      if (this.#over.signal.aborted) return
      this.#do(effect)
    }
  }

  #do(effect: JournalEffect<JournalRecord>): void {
    const { events, logger, epoch } = this.#init
    switch (effect.type) {
      case 'read':
        this.#read(effect.to)
        break
      case 'fetch':
        this.#links.get(effect.to)?.send(effect)
        break
      case 'copy':
        this.#links.get(effect.to)?.copy(effect.entry)
        break
      case 'put':
        this.#links.get(effect.to)?.put(effect.entry)
        break
      case 'forget':
        this.#links.get(effect.to)?.forget(effect)
        break
      case 'tell':
        this.#links.get(effect.to)?.tell(effect.list)
        break
      case 'whole':
        this.#init.logger.info({ epoch, peerId: effect.to }, 'a member that had lost jobs has all of them again')
        this.#links.get(effect.to)?.send({ type: 'whole' })
        break
      case 'sync':
        this.#copies.sync(effect.copies)
        break
      case 'ready':
        logger.debug({ epoch }, 'knows the jobs of earlier leaders')
        events.ready()
        this.#locks?.ready(this.#memoryAge())
        break
      case 'adopt':
      case 'overruled':
      case 'advanced': {
        const { entry } = effect
        this.#unreplicated.set(entry.job, { version: entry.stamp.version, done: () => {} })
        const { job, record } = entry
        if (isOfJob(entry)) events[effect.type](entry)
        else if (isLock(record)) this.#locks?.adopted(job, record)
        else events.adoptSchedule(job, record as ScheduleRecord)
        break
      }
      case 'replicated': {
        const waiting = this.#unreplicated.get(effect.job)
        if (waiting === undefined || waiting.version > effect.version) break
        this.#unreplicated.delete(effect.job)
        waiting.done()
        break
      }
      case 'held':
        events.held(effect.job, { memory: effect.memory, disk: effect.disk })
        break
      case 'not-durable':
        events.notDurable(effect.job, effect.disks)
        break
      case 'under-replicated':
      case 'too-few-disks':
      case 'unread':
      case 'incomplete':
        logWaits(effect, this.#init)
        break
      case 'name':
        void this.#name(effect.holders)
        break
      case 'fenced':
        logger.debug({ epoch }, 'a member follows a newer leader')
        events.fenced()
        break
      case 'timer':
        this.#timers.set(effect)
        break
    }
  }

  /** How long ago the peers started that store all locks, in ms. */
  #memoryAge(): number {
    const { voters, holders, rank, startedAt } = this.#init
    const startOf = (id: PeerIdString): number | undefined => {
      if (id === rank.id) return startedAt
      return this.#core.isFollowedBy(id) ? this.#startedAt.get(id) : undefined
    }
    return memoryAge({ voters, holders: holders?.named, startOf, now: performance.now() })
  }

  /** Names the holders in the record. Repeats this until the store answers, or this leadership is over. */
  async #name(holders: readonly PeerIdString[]): Promise<void> {
    const backoff = new Backoff(NAME_PAUSES.first, NAME_PAUSES.last)
    while (!this.#over.signal.aborted) {
      const isNamed = await this.#init.holders?.name(holders).catch(() => undefined)
      if (isNamed === true) this.#handle({ type: 'named', holders })
      // The lease is over, so this leadership ends soon.
      if (isNamed !== undefined) return
      await backoff.wait(this.#over.signal).catch(() => {})
    }
  }

  #read(to: PeerIdString): void {
    const { epoch, rank, protocol, membership } = this.#init
    let link = this.#links.get(to)
    if (link === undefined) {
      const onUnreachable = (): void => {
        // A peer that has just joined may hold members suspect that all other peers know to be dead.
        if (membership.get(to)?.state === 'suspect') this.#handle({ type: 'unreachable', id: to })
      }
      link = new FollowerLink({ to, epoch, priority: rank.priority, protocol, all: this.#links, onUnreachable })
      this.#links.set(to, link)
    }
    link.open()
  }
}

function isOfJob(entry: Entry<JournalRecord>): entry is Entry<JobRecord> {
  return isJob(entry.record)
}
