/** A simulated peer that keeps a replica of the journal on its disk, and fires schedules while it leads. */
import type { ScheduleRecord } from '../../src/journal/schedule-record.ts'
import type { ScheduleEffect, ScheduleEvent } from '../../src/schedules/core/events.ts'
import type { ScheduleRules } from '../../src/schedules/core/rules.ts'
import { ScheduleTable } from '../../src/schedules/core/schedule-table.ts'
import type { Calendar, ScheduleAnswer, ScheduleClock, ScheduleReport } from '../../src/schedules/core/types.ts'
import type { Host, Process } from './world.ts'

const STEP = 'step'
const STEP_MS = 100
const CORE = 'core:'
const JOB = 'job:'
const SYNC = 'sync'
/** The time that a leader without voters waits for the journals of the other peers, in ms. */
const RECOVER_MS = 1_500

/** `start` tells two jobs with one id apart. */
export interface SimulatedJob {
  kind: 'job'
  start: number
  state: 'running' | 'completed'
}

export interface Entry {
  epoch: number
  version: number
  record: ScheduleRecord | SimulatedJob
}

/** What a peer still knows after a crash. */
export interface Disk {
  replica: Map<string, Entry>
  /** The newest epoch whose leader has read this replica. Entries of older leaders are refused. */
  promised: number
}

type Message =
  | { type: 'read'; epoch: number }
  | { type: 'heads'; epoch: number; entries: [string, Entry][] }
  | { type: 'put'; epoch: number; entries: [string, Entry][] }
  | { type: 'stored'; epoch: number; entries: [string, number][] }

export type Token = number
export type ScheduleRequest = Extract<ScheduleEvent<Token>, { token: Token }>

/** The observer of the world. */
export interface ScheduleWitness {
  onReady(process: ScheduleProcess): void
  onFire(process: ScheduleProcess, fire: Extract<ScheduleEffect<Token>, { type: 'fire' }>): void
  /** Enough peers store the job. */
  onAccepted(process: ScheduleProcess, job: string, start: number): void
  onRefused(process: ScheduleProcess, fire: Extract<ScheduleEffect<Token>, { type: 'fire' }>, isFinal: boolean): void
  onReport(process: ScheduleProcess, report: ScheduleReport): void
  onAnswer(process: ScheduleProcess, token: Token, answer: ScheduleAnswer): void
}

export interface ScheduleProcessInit {
  host: Host
  peers: readonly string[]
  disk: Disk
  hasVoters: boolean
  connected(): readonly string[]
  clock(): ScheduleClock
  calendar(cron: string): Calendar
  /** Why the leader refuses a job, if it does. */
  refusal(): { isFinal: boolean } | undefined
  rules: ScheduleRules
  /** The longest time that a write takes until it is on the disk of the leader, in ms. */
  syncMs: number
  witness: ScheduleWitness
  /** Whether jobs and marks count when enough peers store them. */
  waitsForJournal: boolean
  /** Whether a job that this leader has found counts before enough peers store it again. */
  countsUnstored: boolean
}

interface Kept {
  entry: Entry
  /** Whether it is on the disk of the leader. */
  isSynced: boolean
  confirmed: Set<string>
  isStored: boolean
  /** The newest record that enough peers have stored. */
  stored: Entry['record'] | undefined
}

/** One leadership of this process. */
interface Term {
  epoch: number
  began: number
  table: ScheduleTable<Token>
  isReady: boolean
  answered: Set<string>
  found: Map<string, Entry>
  entries: Map<string, Kept>
  /** The entries that not all peers have confirmed. */
  open: Map<string, Kept>
  /** The jobs whose acceptance the core waits for. */
  awaited: Set<string>
}

export class ScheduleProcess implements Process {
  readonly init: ScheduleProcessInit
  #term: Term | undefined
  #versions = 0
  #isSyncing = false

  constructor(init: ScheduleProcessInit) {
    this.init = init
  }

  start(): void {
    this.init.host.timer(STEP, STEP_MS)
  }

  get epoch(): number | undefined {
    return this.#term?.epoch
  }

  get isReady(): boolean {
    return this.#term?.isReady === true
  }

  get table(): ScheduleTable<Token> | undefined {
    return this.#term?.table
  }

  lead(epoch: number): void {
    const { host, disk, rules } = this.init
    if (disk.promised >= epoch) return
    disk.promised = epoch
    this.#term = {
      epoch,
      began: host.now(),
      table: new ScheduleTable({
        clock: () => this.init.clock(),
        calendar: cron => this.init.calendar(cron),
        jobState: job => this.jobState(job),
        isStored: job => this.isStored(job),
        limits: { schedules: 100 },
        rules
      }),
      isReady: false,
      answered: new Set(),
      found: new Map(disk.replica),
      entries: new Map(),
      open: new Map(),
      awaited: new Set()
    }
    host.trace(`leads @${epoch}`)
    this.#replicate()
  }

  stop(): void {
    if (this.#term !== undefined) this.init.host.trace(`leads no more @${this.#term.epoch}`)
    this.#term = undefined
  }

  /** A request of a client. It has no effect unless this process leads. */
  request(event: ScheduleRequest): void {
    if (this.isReady) this.#handle(event)
  }

  /** The state of a job that this leader knows. */
  jobState(job: string): SimulatedJob['state'] | undefined {
    return (this.#term?.entries.get(JOB + job)?.entry.record as SimulatedJob | undefined)?.state
  }

  isStored(job: string): boolean {
    const { waitsForJournal, countsUnstored } = this.init
    return !waitsForJournal || countsUnstored || this.#term?.entries.get(JOB + job)?.isStored === true
  }

  /** The newest record of an entry that enough peers have stored. */
  stored(key: string): ScheduleRecord | undefined {
    return this.#term?.entries.get(key)?.stored as ScheduleRecord | undefined
  }

  /** The newest record with a key. */
  written(key: string): ScheduleRecord | undefined {
    return this.#term?.entries.get(key)?.entry.record as ScheduleRecord | undefined
  }

  /** The jobs of a schedule that run now, as far as this leader knows. */
  runningOf(name: string): string[] {
    return [...(this.#term?.entries ?? [])].flatMap(([key, { entry, isStored }]) =>
      isStored && key.startsWith(`${JOB}${name}@`) && (entry.record as SimulatedJob).state === 'running'
        ? [key.slice(JOB.length)]
        : []
    )
  }

  receive(from: string, _protocol: string, raw: unknown): void {
    const message = raw as Message
    const { disk, host } = this.init
    const term = this.#term
    switch (message.type) {
      case 'read':
        if (message.epoch < disk.promised) return
        disk.promised = message.epoch
        if (term !== undefined && term.epoch < message.epoch) this.stop()
        host.send(from, 'journal', { type: 'heads', epoch: message.epoch, entries: [...disk.replica] })
        break
      case 'put':
        if (message.epoch !== disk.promised) return
        for (const [key, entry] of message.entries) this.#store(key, entry)
        host.send(from, 'journal', {
          type: 'stored',
          epoch: message.epoch,
          entries: message.entries.map(([key, { version }]) => [key, version])
        })
        break
      case 'heads':
        if (term === undefined || message.epoch !== term.epoch || term.answered.has(from)) return
        term.answered.add(from)
        if (term.isReady) this.#adoptLate(term, message.entries)
        for (const [key, entry] of message.entries) if (isNewer(entry, term.found.get(key))) term.found.set(key, entry)
        this.#becomeReady()
        break
      case 'stored':
        if (term === undefined || message.epoch !== term.epoch) return
        for (const [key, version] of message.entries) {
          const kept = term.entries.get(key)
          if (kept?.entry.version === version) kept.confirmed.add(from)
        }
        this.#report()
        break
    }
  }

  gossip(): void {}

  timer(name: string): void {
    const { host } = this.init
    if (name === STEP) {
      host.timer(STEP, STEP_MS)
      this.#becomeReady()
      this.#replicate()
      this.#report()
    } else if (name === SYNC) {
      this.#sync()
      this.#report()
    } else if (name.startsWith(JOB)) {
      const kept = this.#term?.entries.get(name)
      if (kept === undefined) return
      this.#write(name, { ...(kept.entry.record as SimulatedJob), state: 'completed' })
    } else this.#handle({ type: 'timer', name: name.slice(CORE.length) })
  }

  // --- The journal

  #store(key: string, entry: Entry): void {
    const { replica } = this.init.disk
    if (isNewer(entry, replica.get(key))) replica.set(key, entry)
  }

  #sync(): void {
    this.#isSyncing = false
    const term = this.#term
    for (const [key, kept] of term?.open ?? []) {
      kept.isSynced = true
      if (kept.entry.epoch === this.init.disk.promised) this.#store(key, kept.entry)
    }
  }

  #isEnough(confirmed: ReadonlySet<string>): boolean {
    const { peers, hasVoters, connected } = this.init
    if (hasVoters) return 1 + confirmed.size > peers.length / 2
    return confirmed.size > 0 || connected().length === 0
  }

  #replicate(): void {
    const term = this.#term
    const { host, peers } = this.init
    if (term === undefined) return
    for (const peer of peers) {
      if (peer === host.id) continue
      if (!term.answered.has(peer)) host.send(peer, 'journal', { type: 'read', epoch: term.epoch })
      else {
        // Jobs and the entries of schedules travel apart, so that one may arrive without the other.
        const entries = [...term.open].filter(([, { confirmed }]) => !confirmed.has(peer))
        this.#put(
          peer,
          term,
          entries.filter(([key]) => key.startsWith(JOB))
        )
        this.#put(
          peer,
          term,
          entries.filter(([key]) => !key.startsWith(JOB))
        )
      }
    }
  }

  #put(peer: string, { epoch }: Term, kept: [string, Kept][]): void {
    if (kept.length === 0) return
    const entries = kept.map(([key, { entry }]) => [key, entry])
    this.init.host.send(peer, 'journal', { type: 'put', epoch, entries })
  }

  #becomeReady(): void {
    const term = this.#term
    if (term === undefined || term.isReady) return
    const { hasVoters, connected, witness, host } = this.init
    const isRead = connected().every(peer => term.answered.has(peer)) || host.now() - term.began > RECOVER_MS
    if (hasVoters ? !this.#isEnough(term.answered) : !isRead) return
    term.isReady = true
    for (const [key, { record }] of term.found) this.#write(key, record)
    for (const [key, { record }] of term.found) {
      if (record.kind !== 'job') this.#handle({ type: 'adopted', key, record })
      else if (record.state === 'running') {
        this.#handle({ type: 'job', job: key.slice(JOB.length), state: 'running' })
        this.#runs(key)
      }
    }
    host.trace(`is ready @${term.epoch}`)
    witness.onReady(this)
    this.#handle({ type: 'ready' })
  }

  /** Adopts the schedules that only a peer has which was read late. A majority of the voters knows them all. */
  #adoptLate(term: Term, entries: readonly [string, Entry][]): void {
    if (this.init.hasVoters) return
    for (const [key, { record }] of entries) {
      if (record.kind === 'job' || term.found.has(key) || term.entries.has(key)) continue
      this.#write(key, record)
      this.#handle({ type: 'adopted', key, record })
    }
  }

  #runs(key: string): void {
    this.init.host.timer(key, 50 + this.init.host.random() ** 3 * 6_000)
  }

  #write(key: string, record: Entry['record']): void {
    const term = this.#term!
    const entry = { epoch: term.epoch, version: ++this.#versions, record }
    const { stored } = term.entries.get(key) ?? {}
    const kept = { entry, isSynced: false, confirmed: new Set<string>(), isStored: false, stored }
    term.entries.set(key, kept)
    term.open.set(key, kept)
    if (!this.#isSyncing) this.init.host.timer(SYNC, this.init.host.random() * this.init.syncMs)
    this.#isSyncing = true
    this.#replicate()
  }

  /** Reports the entries that enough peers store by now. */
  #report(): void {
    const term = this.#term
    if (term === undefined) return
    for (const [key, kept] of [...term.open]) {
      if (term.open.get(key) !== kept) continue
      if (kept.confirmed.size === this.init.peers.length - 1 && kept.isStored) term.open.delete(key)
      if (kept.isStored || !kept.isSynced || !this.#isEnough(kept.confirmed)) continue
      kept.isStored = true
      const { record } = kept.entry
      kept.stored = record
      if (record.kind === 'job') {
        const job = key.slice(JOB.length)
        this.init.witness.onAccepted(this, job, record.start)
        if (term.awaited.delete(job) || record.state !== 'running')
          this.#handle({ type: 'job', job, state: record.state })
      } else if (this.init.waitsForJournal) this.#handle({ type: 'written', key })
      if (this.#term !== term) return
    }
  }

  // --- The core

  #handle(event: ScheduleEvent<Token>): void {
    const term = this.#term
    if (term === undefined) return
    for (const effect of term.table.handle(event, this.init.host.now())) if (this.#term === term) this.#do(term, effect)
  }

  #do(term: Term, effect: ScheduleEffect<Token>): void {
    const { host, witness, waitsForJournal } = this.init
    switch (effect.type) {
      case 'write':
        this.#write(effect.key, effect.record)
        if (!waitsForJournal) this.#handle({ type: 'written', key: effect.key })
        break
      case 'forget':
        term.entries.delete(effect.key)
        term.open.delete(effect.key)
        break
      case 'fire':
        this.#fire(term, effect)
        break
      case 'await':
        this.#await(term, effect.job)
        break
      case 'answer':
        witness.onAnswer(this, effect.token, effect.answer)
        break
      case 'report':
        host.trace(JSON.stringify(effect.report))
        witness.onReport(this, effect.report)
        break
      case 'timer':
        host.timer(CORE + effect.name, effect.delay)
        break
    }
  }

  #fire(term: Term, fire: Extract<ScheduleEffect<Token>, { type: 'fire' }>): void {
    const { host, witness } = this.init
    const { job } = fire
    host.trace(`fires ${job}`)
    witness.onFire(this, fire)
    const key = JOB + job
    const refusal = term.entries.has(key) ? undefined : this.init.refusal()
    if (refusal !== undefined) {
      witness.onRefused(this, fire, refusal.isFinal)
      this.#handle({ type: 'refused', job, reason: 'there is no room', ...refusal })
      return
    }
    if (this.jobState(job) === undefined) {
      this.#write(key, { kind: 'job', start: host.random(), state: 'running' })
      this.#runs(key)
    }
    this.#await(term, job)
  }

  #await(term: Term, job: string): void {
    if (this.isStored(job)) this.#handle({ type: 'job', job, state: this.jobState(job)! })
    else term.awaited.add(job)
  }
}

function isNewer(entry: Entry, than: Entry | undefined): boolean {
  return than === undefined || entry.epoch > than.epoch || (entry.epoch === than.epoch && entry.version > than.version)
}
