/** A simulated peer of a quorum that grants locks while it leads, keeps a replica of their journal, and holds locks itself. */
import { RENEWALS } from '../../src/election/quorum/lease.ts'
import type { LockRecord } from '../../src/journal/record.ts'
import type { LockEffect, LockEvent } from '../../src/locks/core/events.ts'
import { Holding } from '../../src/locks/core/holding.ts'
import { LockTable } from '../../src/locks/core/lock-table.ts'
import type { LockRules } from '../../src/locks/core/rules.ts'
import { compareTickets, type LockAnswer, type LockRequest, type Ticket } from '../../src/locks/core/types.ts'
import type { ElectionProcess } from './election.ts'
import type { Host, Process } from './world.ts'

const LOCKS = 'locks'
const JOURNAL = 'lock-journal'
/** The prefixes of the timers of locks and of the timers of their core. */
const TIMER = 'locks:'
const CORE_TIMER = 'locks-core:'
/** The interval at which a process looks after its journal and its sessions, in ms. */
const STEP_MS = 100
const LIMITS = { locks: 100, lockSessions: 1_000, lockSessionsPerClient: 100 }

interface Entry {
  epoch: number
  version: number
  record: LockRecord
}

type JournalMessage =
  | { type: 'read'; epoch: number }
  | { type: 'heads'; epoch: number; run: number; entries: [string, Entry][]; age: number }
  | { type: 'put'; key: string; entry: Entry }
  | { type: 'stored'; epoch: number; run: number; key: string; version: number }

/** A session that a simulated client holds or wants. */
export interface SimulatedSession {
  id: string
  name: string
  limit: number
  ttl: number
  holding: Holding
  state: 'waiting' | 'held' | 'releasing'
  ticket: Ticket | undefined
  token: number
  /** When the session is renewed, and when a held lock is released. */
  renewsAt: number
  endsAt: number
}

export interface LockProcessInit {
  host: Host
  election: ElectionProcess
  voters: readonly string[]
  /** Tells the runs of a process apart. */
  run: number
  /** Returns the present run of a voter, whose connection breaks when it ends. */
  runOf(voter: string): number | undefined
  times(): { monotonic: number; elapsed: number }
  wall(): number
  rules: LockRules
  /** Whether a grant is told only when it is replicated. */
  waitsForJournal: boolean
  /** The locks of which the process wants one now. */
  wanted(): readonly { name: string; limit: number }[]
  /** Called when a session holds its lock, as its client has just learned. */
  onHeld(session: SimulatedSession): void
}

/** The locks and names of the world, with their limits. */
export const WORLD_LOCKS = [
  { name: 'mutex', limit: 1 },
  { name: 'pair', limit: 2 }
] as const
export const TTLS = [1_000, 2_000, 3_000] as const

/** One leadership of this process. */
interface Term {
  epoch: number
  table: LockTable<string>
  isReady: boolean
  /** The runs of voters that have answered the read, and when they started by the clock of this process. */
  answered: Map<string, number>
  /** The newest entry of each lock that the answers contain. */
  found: Map<string, Entry>
  entries: Map<string, { entry: Entry; confirmed: Set<string>; reported: number }>
  version: number
  /** The sessions that wait here, with their tickets, as long as they do. */
  waiting: Map<string, { client: string; key: string; ticket: Ticket; until: number }>
}

export class LockProcess implements Process {
  readonly sessions = new Map<string, SimulatedSession>()
  readonly #init: LockProcessInit
  readonly #replica = new Map<string, Entry>()
  readonly #startedAt: number
  #reader = 0
  #term: Term | undefined
  #tickets = 0
  #names = 0

  constructor(init: LockProcessInit) {
    this.#init = init
    this.#startedAt = init.times().monotonic
  }

  start(): void {
    this.#init.election.start()
    this.#init.host.timer(`${TIMER}step`, STEP_MS)
  }

  receive(from: string, protocol: string, message: unknown): void {
    if (protocol === LOCKS) this.#onLockMessage(from, message as LockRequest | LockAnswer)
    else if (protocol === JOURNAL) this.#onJournal(from, message as JournalMessage)
    else this.#init.election.receive(from, protocol, message)
    this.#look()
  }

  gossip(topic: string, message: unknown): void {
    this.#init.election.gossip(topic, message)
    this.#look()
  }

  timer(name: string): void {
    if (name === `${TIMER}step`) this.#step()
    else if (name.startsWith(CORE_TIMER)) this.#handle({ type: 'timer', name: name.slice(CORE_TIMER.length) })
    else this.#init.election.timer(name)
    this.#look()
  }

  refused(peer: string): void {
    this.#init.election.refused(peer)
  }

  /** Tells the locks that a member is dead, as a broken connection would. */
  closed(client: string): void {
    for (const [session, waiting] of this.#term?.waiting ?? []) {
      if (waiting.client === client) this.#term!.waiting.delete(session)
    }
    this.#handle({ type: 'closed', from: client })
  }

  /** How long a session still holds its lock by the clock of this process, in ms. */
  remaining(session: SimulatedSession): number {
    return session.state === 'waiting' ? 0 : session.holding.remaining(this.#init.times().elapsed)
  }

  // --- The leader

  #look(): void {
    const { election, host, rules } = this.#init
    const epoch = election.isLeader ? election.leader?.epoch : undefined
    if (this.#term !== undefined && this.#term.epoch !== epoch) this.#term = undefined
    if (epoch === undefined || !election.leads || this.#term !== undefined || this.#reader > epoch) return
    this.#reader = epoch
    this.#term = {
      epoch,
      table: new LockTable({
        epoch,
        nextTicket: () => ++this.#tickets,
        wall: () => this.#init.wall(),
        lasts: () => election.leads && election.leader?.epoch === epoch,
        isStored: key => this.#isStored(key),
        limits: LIMITS,
        rules
      }),
      isReady: false,
      answered: new Map(),
      found: new Map(),
      entries: new Map(),
      version: 0,
      waiting: new Map()
    }
    host.trace(`reads the locks of earlier leaders @${epoch}`)
    for (const [key, entry] of this.#replica) this.#find(key, entry)
    this.#replicate()
  }

  #find(key: string, entry: Entry): void {
    const { found } = this.#term!
    const other = found.get(key)
    const isNewer = other === undefined || entry.epoch - other.epoch || entry.version - other.version
    if (isNewer === true || (typeof isNewer === 'number' && isNewer > 0)) found.set(key, entry)
  }

  get #majority(): number {
    return Math.floor(this.#init.voters.length / 2) + 1
  }

  /** The runs of the other voters that this process is connected with. */
  get #others(): { voter: string; name: string }[] {
    const { voters, host, runOf } = this.#init
    return voters
      .filter(voter => voter !== host.id)
      .flatMap(voter => (runOf(voter) === undefined ? [] : [{ voter, name: `${voter}#${runOf(voter)}` }]))
  }

  #isStored(key: string): boolean {
    const kept = this.#term?.entries.get(key)
    if (kept === undefined) return false
    return 1 + this.#others.filter(({ name }) => kept.confirmed.has(name)).length >= this.#majority
  }

  #replicate(): void {
    const term = this.#term
    if (term === undefined) return
    const { host } = this.#init
    for (const { voter, name } of this.#others) {
      if (!term.answered.has(name)) host.send(voter, JOURNAL, { type: 'read', epoch: term.epoch })
      else
        for (const [key, { entry, confirmed }] of term.entries)
          if (!confirmed.has(name)) host.send(voter, JOURNAL, { type: 'put', key, entry })
    }
  }

  #becomeReady(): void {
    const term = this.#term!
    const { monotonic } = this.#init.times()
    const read = this.#others.filter(({ name }) => term.answered.has(name))
    if (term.isReady || 1 + read.length < this.#majority) return
    term.isReady = true
    for (const [key, { record }] of term.found) {
      this.#write(key, record)
      this.#handle({ type: 'adopted', key, record })
    }
    const starts = [this.#startedAt, ...read.map(({ name }) => term.answered.get(name)!)].sort((a, b) => a - b)
    this.#handle({ type: 'ready', age: monotonic - starts[this.#majority - 1]! })
  }

  #write(key: string, record: LockRecord): void {
    const term = this.#term!
    const entry = { epoch: term.epoch, version: ++term.version, record }
    this.#replica.set(key, entry)
    term.entries.set(key, { entry, confirmed: new Set(), reported: 0 })
    this.#replicate()
  }

  #handle(event: LockEvent<string>): void {
    const term = this.#term
    if (term === undefined) return
    for (const effect of term.table.handle(event, this.#init.times().monotonic)) {
      if (this.#term === term) this.#do(term, effect)
    }
  }

  #do(term: Term, effect: LockEffect<string>): void {
    const { host } = this.#init
    switch (effect.type) {
      case 'write':
        this.#checkOrder(term, effect.key, effect.record)
        this.#write(effect.key, effect.record)
        if (!this.#init.waitsForJournal) this.#handle({ type: 'replicated', key: effect.key })
        break
      case 'forget':
        term.entries.delete(effect.key)
        break
      case 'send':
        if (effect.answer.type === 'held') term.waiting.delete(effect.answer.session)
        host.send(effect.to, LOCKS, effect.answer)
        break
      case 'timer':
        host.timer(CORE_TIMER + effect.name, effect.delay)
        break
    }
  }

  /** Checks that no session is served before one that has waited for longer, and is still connected. */
  #checkOrder(term: Term, key: string, { holders }: LockRecord): void {
    const now = this.#init.times().monotonic
    for (const { session } of holders) {
      const served = term.waiting.get(session)
      term.waiting.delete(session)
      if (served === undefined) continue
      for (const [other, { key: otherKey, ticket, until }] of term.waiting) {
        if (otherKey !== key || until <= now || holders.some(holder => holder.session === other)) continue
        if (compareTickets(ticket, served.ticket) < 0) throw new Error(`${session} is served before ${other}`)
      }
    }
  }

  #onJournal(from: string, message: JournalMessage): void {
    const { host, run } = this.#init
    const term = this.#term
    switch (message.type) {
      case 'read': {
        if (message.epoch < this.#reader) return
        this.#reader = message.epoch
        const age = this.#init.times().monotonic - this.#startedAt
        host.send(from, JOURNAL, { type: 'heads', epoch: message.epoch, run, entries: [...this.#replica], age })
        break
      }
      case 'put': {
        const { key, entry } = message
        if (entry.epoch !== this.#reader) return
        const stored = this.#replica.get(key)
        if (stored === undefined || stored.epoch < entry.epoch || stored.version < entry.version)
          this.#replica.set(key, entry)
        host.send(from, JOURNAL, { type: 'stored', epoch: entry.epoch, run, key, version: entry.version })
        break
      }
      case 'heads': {
        const name = `${from}#${message.run}`
        if (term === undefined || message.epoch !== term.epoch || term.answered.has(name)) return
        term.answered.set(name, this.#init.times().monotonic - message.age)
        if (!term.isReady) for (const [key, entry] of message.entries) this.#find(key, entry)
        this.#becomeReady()
        break
      }
      case 'stored': {
        const kept = term?.entries.get(message.key)
        if (term === undefined || message.epoch !== term.epoch || kept?.entry.version !== message.version) return
        kept.confirmed.add(`${from}#${message.run}`)
        if (kept.reported === message.version || !this.#isStored(message.key)) return
        kept.reported = message.version
        if (this.#init.waitsForJournal) this.#handle({ type: 'replicated', key: message.key })
        break
      }
    }
  }

  // --- The client

  #onLockMessage(from: string, message: LockRequest | LockAnswer): void {
    if (message.type === 'keep' || message.type === 'release') {
      const term = this.#term
      if (term === undefined) return
      this.#handle({ type: 'request', from, client: from, request: message })
      return
    }
    const session = this.sessions.get(message.session)
    if (session === undefined) return
    const { elapsed } = this.#init.times()
    switch (message.type) {
      case 'queued':
        session.ticket = message.ticket
        break
      case 'held':
        session.holding.held(message.sequence, elapsed)
        if (session.state !== 'waiting' || session.holding.remaining(elapsed) <= 0) return
        session.state = 'held'
        session.token = message.token
        session.endsAt = elapsed + this.#init.host.random() * 4_000
        this.#init.host.trace(`holds ${session.name}, token ${session.token} (${session.id})`)
        this.#init.onHeld(session)
        break
      case 'lost':
        if (session.state !== 'waiting') this.sessions.delete(session.id)
        break
      case 'released':
        if (session.state === 'releasing') this.sessions.delete(session.id)
        break
      case 'refused':
        throw new Error(`${session.id} is refused: ${message.reason}`)
    }
  }

  #step(): void {
    const { host } = this.#init
    host.timer(`${TIMER}step`, STEP_MS)
    if (this.#term !== undefined) {
      this.#becomeReady()
      this.#replicate()
    }
    const { elapsed } = this.#init.times()
    if (this.sessions.size < 2 && host.random() < 0.2) this.#add(elapsed)
    for (const session of this.sessions.values()) this.#act(session, elapsed)
  }

  #add(elapsed: number): void {
    const { host } = this.#init
    const wanted = this.#init.wanted()
    const { name, limit } = wanted[Math.floor(host.random() * wanted.length)]!
    const ttl = TTLS[Math.floor(host.random() * TTLS.length)]!
    const id = `${host.id}#${this.#init.run}.${++this.#names}`
    const holding = new Holding(ttl, this.#init.rules)
    const times = { renewsAt: elapsed, endsAt: Number.POSITIVE_INFINITY }
    this.sessions.set(id, { id, name, limit, ttl, holding, state: 'waiting', ticket: undefined, token: 0, ...times })
  }

  #act(session: SimulatedSession, elapsed: number): void {
    const { host, election } = this.#init
    const { id, name, limit, ttl, ticket } = session
    if (session.state !== 'waiting' && session.holding.remaining(elapsed) <= 0) {
      host.trace(`has lost ${name} (${id})`)
      this.sessions.delete(id)
      return
    }
    if (session.state === 'held' && elapsed >= session.endsAt) {
      session.state = 'releasing'
      session.renewsAt = elapsed
    }
    const leader = election.leader?.id
    if (leader === undefined || elapsed < session.renewsAt) return
    session.renewsAt = elapsed + ttl / RENEWALS
    const lock = { kind: 'lock', name } as const
    if (session.state === 'releasing') host.send(leader, LOCKS, { type: 'release', session: id, ...lock })
    else {
      const isHeld = session.state === 'held'
      const sequence = session.holding.ask(elapsed)
      host.send(leader, LOCKS, {
        type: 'keep',
        session: id,
        ...lock,
        sequence,
        limit,
        ttl,
        owner: host.id,
        ticket,
        isHeld
      })
    }
  }
}
