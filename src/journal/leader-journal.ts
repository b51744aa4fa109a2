/** The leader's side of the journal: ties the core to the members, to the channels to those who keep it, and to the clock. */

import { StoppedError } from '../common/errors.ts'
import type { Logger } from '../common/logger.ts'
import type { Rank } from '../election/core/rank.ts'
import { deferred, orAborted } from '../lib/deferred.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import type { Membership } from '../membership/types.ts'
import type { Channel, PeerIdString, Protocol } from '../network/types.ts'
import { since } from './checkpoint.ts'
import type { End, Entry } from './core/entry.ts'
import type { JournalEffect, JournalEvent } from './core/events.ts'
import { Journal } from './core/journal.ts'
import { headOf, type JournalKeeper } from './core/keeper.ts'
import type { JournalMessage, JournalReply, JournalRequest } from './messages.ts'
import { type JobRecord, ledBy } from './record.ts'

/** Before a member that could not be reached is called again, in ms; doubles up to the second. */
const RETRY_MS = 50
const MAX_RETRY_MS = 1_000

export interface LeaderJournalEvents {
  /** All that earlier leaders have left is known. */
  ready(): void
  /** A job of an earlier leader: to be gone on with, or known as ended. */
  adopt(entry: Entry<JobRecord>): void
  /** A job of this leader has ended elsewhere, while the cluster was cut. */
  overruled(entry: Entry<JobRecord>): void
  /** Another leader is newer: this one leads nobody any more. */
  fenced(): void
}

export interface LeaderJournalInit {
  epoch: number
  rank: Rank
  /** Under a quorum: who votes. */
  voters: readonly PeerIdString[] | undefined
  keeper: JournalKeeper<JobRecord>
  membership: Membership
  protocol: Protocol<JournalMessage>
  logger: Logger
  events: LeaderJournalEvents
}

interface Link {
  channel: Channel<JournalMessage> | undefined
  calling: AbortController | undefined
  retry: NodeJS.Timeout | undefined
  pause: number
  /** Of the jobs that run: how far that was which was sent on this channel. */
  sent: Map<string, number>
}

/** What is written of a job; an end without an outcome is only a tombstone. */
export interface Write {
  job: string
  submissionId: string
  end?: End
  record: JobRecord
}

export class LeaderJournal {
  readonly #init: LeaderJournalInit
  readonly #core: Journal<JobRecord>
  readonly #links = new Map<PeerIdString, Link>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** What was written and is not held yet: which version of a job, and what is to be done then. */
  readonly #unheld = new Map<string, { version: number; done: () => void }>()
  /** What happened while effects of something earlier were being done: it comes after them. */
  readonly #events: (() => JournalEvent<JobRecord>)[] = []
  #isBusy = false
  /** What waits until more is known. */
  #waiting: { isDue: () => boolean; run: () => void; signal?: AbortSignal | undefined }[] = []
  readonly #over = new AbortController()

  constructor(init: LeaderJournalInit) {
    const { epoch, rank, keeper, voters } = init
    this.#init = init
    // At once, not with the first checkpoint: what this leader gives to workers counts for the next one.
    const inherit = (record: JobRecord): JobRecord => ledBy(record, { leader: rank.id, epoch })
    this.#core = new Journal({ writer: { epoch, rank }, keeper, voters, inherit })
  }

  /** Begins to read what earlier leaders have written. */
  start(): void {
    const { membership } = this.#init
    membership.addEventListener('member', this.#onMember)
    for (const member of membership.live()) this.#update(member)
    this.#handle({ type: 'start' })
  }

  /** Ends all that is under way; what is held stays where it is. */
  stop(): void {
    this.#over.abort(new StoppedError('this peer leads no more'))
    this.#init.membership.removeEventListener('member', this.#onMember)
    for (const id of [...this.#links.keys()]) this.#unlink(id)
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#unheld.clear()
    this.#waiting = []
  }

  /** Whether clients are heard. */
  get isReady(): boolean {
    return this.#core.isReady
  }

  /** The jobs of this leadership, those that have ended included. */
  entries(): Iterable<Entry<JobRecord>> {
    return this.#core.entries()
  }

  get(job: string): Entry<JobRecord> | undefined {
    return this.#core.get(job)
  }

  /** Runs `run` as soon as all that was ever acknowledged of the job is known; at once where it is. Not once `signal` is aborted. */
  whenKnown(job: string, run: () => void, signal?: AbortSignal): void {
    this.#when(() => this.#core.knows(job), run, signal)
  }

  /** Runs `run` as soon as what was written last of the job survives this leader; at once where it does. Not once `signal` is aborted. */
  whenHeld(job: string, run: () => void, signal?: AbortSignal): void {
    this.#when(() => !this.#unheld.has(job), run, signal)
  }

  /** Writes; `done` is called when it is held, unless something newer is written before. */
  write({ job, submissionId, end, record }: Write, done: () => void = () => {}): void {
    // Which version it gets is certain when those before it are written.
    this.#unheld.set(job, { version: Number.POSITIVE_INFINITY, done })
    this.#queue(() => {
      this.#unheld.set(job, { version: this.#core.nextVersion, done })
      return { type: 'write', job, submissionId, end, hasOutcome: record.outcome !== undefined, record }
    })
  }

  forget(job: string): void {
    this.#unheld.delete(job)
    this.#handle({ type: 'forget', job })
  }

  /** Whether a peer can be given anything. One that leads itself cannot. */
  obeyedBy(id: PeerIdString): boolean {
    return this.#core.obeyedBy(id)
  }

  /**
   * Resolves when `to` holds all that there is now, or is none of those who keep the journal. Where nothing has been taken over yet, all is
   * where `to` will read it; and it may just be `to` that does not answer.
   */
  async handOver(to: PeerIdString, signal: AbortSignal): Promise<void> {
    const versions = [...this.entries()].map(({ job, stamp }) => [job, stamp.version] as const)
    if (versions.length === 0) return
    const held = deferred<void>()
    const isDue = (): boolean => this.#core.isReady && this.#core.holdsAll(to, versions)
    this.#when(isDue, held.resolve)
    try {
      await orAborted(held.promise, AbortSignal.any([signal, this.#over.signal]))
    } finally {
      this.#waiting = this.#waiting.filter(waiting => waiting.isDue !== isDue)
    }
  }

  onMessage(message: JournalMessage & JournalReply, channel: Channel<JournalMessage>): void {
    const from = channel.remote
    const link = this.#links.get(from)
    if (this.#over.signal.aborted || message.epoch !== this.#init.epoch || link?.channel !== channel) return
    // One that only ever answers what it has, and breaks when it is given more, is not called in haste.
    if (message.type !== 'heads') link.pause = RETRY_MS
    switch (message.type) {
      case 'heads':
        this.#handle({ type: 'heads', from, heads: message.heads })
        break
      case 'fetched':
        this.#handle({ type: 'entry', from, job: message.job, entry: message.entry })
        break
      case 'held':
        this.#handle({ type: 'held', from, job: message.job, version: message.version })
        break
      case 'refused':
        this.#handle({ type: 'refused', from })
        break
    }
  }

  onClose(channel: Channel<JournalMessage>): void {
    const link = this.#links.get(channel.remote)
    if (link?.channel !== channel) return
    link.channel = undefined
    this.#handle({ type: 'disconnected', id: channel.remote })
  }

  readonly #onMember = ({ detail }: CustomEvent<{ member: Member }>): void => this.#update(detail.member)

  #update(member: Member): void {
    const { id, role, electionPriority } = member
    if (id === this.#init.rank.id) return
    if (isLive(member)) {
      const rank = { priority: electionPriority, id }
      this.#handle({ type: 'member', member: { rank, electable: role !== 'worker' } })
    } else {
      this.#unlink(id)
      this.#handle({ type: 'gone', id })
    }
  }

  #when(isDue: () => boolean, run: () => void, signal?: AbortSignal): void {
    if (isDue()) run()
    else if (!this.#over.signal.aborted) this.#waiting.push({ isDue, run, signal })
  }

  #handle(event: JournalEvent<JobRecord>): void {
    this.#queue(() => event)
  }

  #queue(event: () => JournalEvent<JobRecord>): void {
    this.#events.push(event)
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) this.#play(next())
    } finally {
      this.#isBusy = false
    }
    this.#runDue()
  }

  #play(event: JournalEvent<JobRecord>): void {
    if (this.#over.signal.aborted) return
    for (const effect of this.#core.handle(event, performance.now())) {
      if (this.#over.signal.aborted) return
      this.#do(effect)
    }
  }

  #runDue(): void {
    const due = new Set(this.#waiting.filter(({ isDue, signal }) => signal?.aborted === true || isDue()))
    if (due.size === 0) return
    this.#waiting = this.#waiting.filter(each => !due.has(each))
    for (const { run, signal } of due) if (signal?.aborted !== true) run()
  }

  #do(effect: JournalEffect<JobRecord>): void {
    const { events, logger, epoch } = this.#init
    switch (effect.type) {
      case 'read':
        this.#read(effect.to)
        break
      case 'fetch':
        this.#send(effect.to, { type: 'fetch', job: effect.job })
        break
      case 'put':
        this.#put(effect.to, effect.entry)
        break
      case 'copy':
        this.#send(effect.to, { type: 'copy', entry: effect.entry })
        break
      case 'forget':
        this.#links.get(effect.to)?.sent.delete(effect.job)
        this.#send(effect.to, { type: 'forget', job: effect.job, stamp: effect.stamp })
        break
      case 'ready':
        logger.debug({ epoch }, 'knows the jobs of earlier leaders')
        events.ready()
        break
      case 'adopt':
      case 'overruled': {
        const { job, stamp } = effect.entry
        this.#unheld.set(job, { version: stamp.version, done: () => {} })
        events[effect.type](effect.entry)
        break
      }
      case 'held': {
        const waiting = this.#unheld.get(effect.job)
        if (waiting === undefined || waiting.version > effect.version) break
        this.#unheld.delete(effect.job)
        waiting.done()
        break
      }
      case 'fenced':
        logger.debug({ epoch }, 'somebody obeys a newer leader')
        events.fenced()
        break
      case 'timer': {
        clearTimeout(this.#timers.get(effect.name))
        this.#timers.delete(effect.name)
        if (effect.delay === undefined) break
        this.#time(effect.name, effect.delay)
        break
      }
      case 'short': {
        const { silent } = effect
        const until = this.#init.voters === undefined ? 'these answer, or are gone' : 'more of these voters answer'
        if (silent.length === 0) logger.info({ epoch }, 'enough members keep the jobs again')
        else logger.warn({ epoch, silent }, `too few members keep the jobs: new ones wait until ${until}`)
        break
      }
    }
  }

  #time(name: PeerIdString, delay: number): void {
    const due = (): void => {
      const pending = this.#links.get(name)?.channel?.pendingBytes ?? 0
      // What it was given is large, and still on its way: that it does not read is the channel's to see.
      if (pending > 0 && this.#core.obeyedBy(name)) this.#time(name, delay)
      else this.#handle({ type: 'timer', name })
    }
    this.#timers.set(name, setTimeout(due, delay))
  }

  /** Calls a peer, again and again, until it can be asked or is gone. */
  #read(to: PeerIdString): void {
    let link = this.#links.get(to)
    if (link === undefined) {
      link = { channel: undefined, calling: undefined, retry: undefined, pause: RETRY_MS, sent: new Map() }
      this.#links.set(to, link)
      this.#call(to, link)
    } else this.#callAgain(to, link)
  }

  #callAgain(to: PeerIdString, link: Link): void {
    clearTimeout(link.retry)
    link.retry = setTimeout(() => this.#call(to, link), link.pause)
    link.pause = Math.min(MAX_RETRY_MS, link.pause * 2)
  }

  #call(to: PeerIdString, link: Link): void {
    link.calling?.abort()
    const calling = new AbortController()
    link.calling = calling
    this.#init.protocol
      .channel(to, { signal: calling.signal })
      .then(channel => {
        if (calling.signal.aborted) return
        channel.closed.throwIfAborted()
        link.channel = channel
        link.sent.clear()
        this.#send(to, { type: 'read', priority: this.#init.rank.priority })
      })
      .catch(() => {
        if (calling.signal.aborted) return
        // A peer that has just come takes those for suspects at first of whom all others know that they are dead.
        const isSuspect = this.#init.membership.get(to)?.state === 'suspect'
        this.#callAgain(to, link)
        if (isSuspect) this.#handle({ type: 'unreachable', id: to })
      })
  }

  /** Sends all of an entry once, and after that only how far it has come. */
  #put(to: PeerIdString, entry: Entry<JobRecord>): void {
    const { job, end, record } = entry
    const sent = this.#links.get(to)?.sent
    const before = sent?.get(job)
    const { checkpoint } = record
    if (end === undefined) sent?.set(job, checkpoint?.next ?? 0)
    else sent?.delete(job)
    if (before === undefined || end !== undefined || checkpoint === undefined) this.#send(to, { type: 'put', entry })
    else this.#send(to, { type: 'update', head: headOf(entry), checkpoint: since(checkpoint, before) })
  }

  #unlink(id: PeerIdString): void {
    const link = this.#links.get(id)
    if (link === undefined) return
    this.#links.delete(id)
    link.calling?.abort()
    clearTimeout(link.retry)
  }

  #send(to: PeerIdString, message: JournalRequest): void {
    const channel = this.#links.get(to)?.channel
    // A channel that is gone tells by its close; what was on it is sent again then. So it is with what could not be sent.
    channel?.send({ epoch: this.#init.epoch, ...message }).catch((error: unknown) => channel.abort(error as Error))
  }
}
