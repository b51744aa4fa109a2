import type { LockRecord } from '../../journal/record.ts'
import type { Core } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { LockEffect, LockEvent } from './events.ts'
import { IdleLocks } from './idle-locks.ts'
import { LeadershipBalance } from './leadership-balance.ts'
import { type Holder, NamedLock, type Waiter } from './named-lock.ts'
import { type LockRules, lockRules } from './rules.ts'
import { type LockLimits, SessionLimits } from './session-limits.ts'
import { type KeepRequest, keyOf, type LockAnswer, type LockState, type ReleaseRequest } from './types.ts'

export interface LockTableInit {
  epoch: number
  /** Returns the number of the next ticket of this leadership. */
  nextTicket(): number
  /** The time in ms since the Unix epoch. */
  wall(): number
  /** Whether this peer certainly still leads. */
  lasts(): boolean
  /** Whether enough peers store what the journal has last reported of the lock. */
  isStored(key: string): boolean
  limits: LockLimits
  rules?: LockRules | undefined
}

/** How long a new leader waits for the sessions of earlier leaders before it serves their locks in the order of their tickets, in ms. */
export const SETTLE_MS = 1_000
/** The timer after which a new leader grants locks. */
const OPEN = 'open'
/** The entry whose token is the floor of the tokens of forgotten locks. Names of locks are not empty. */
const FLOOR = keyOf({ kind: 'lock', name: '' })

/** The locks of one leadership: who holds them and who waits for them. */
export class LockTable<Connection> implements Core<LockEvent<Connection>, LockEffect<Connection>> {
  readonly #init: LockTableInit
  readonly #rules: LockRules
  readonly #locks = new Map<string, NamedLock<Connection>>()
  readonly #balance: LeadershipBalance<Connection>
  readonly #idle = new IdleLocks()
  readonly #sessions: SessionLimits
  /** The requests that came before this leader was ready. */
  #early: Extract<LockEvent<Connection>, { type: 'request' }>[] = []
  #isReady = false
  /** When this leader begins to grant locks, and when it begins to grant those of earlier leaders. */
  #opensAt = 0
  #settledAt = 0
  #now = 0
  #effects: LockEffect<Connection>[] = []

  constructor(init: LockTableInit) {
    this.#init = init
    this.#rules = init.rules ?? lockRules
    this.#balance = new LeadershipBalance(this.#rules)
    this.#sessions = new SessionLimits(init.limits)
  }

  /** The locks that some session holds or waits for. */
  states(): LockState[] {
    return [...this.#locks.values()]
      .filter(({ holders, waiters }) => holders.size > 0 || waiters.length > 0)
      .map(lock => lock.state())
  }

  /** How many sessions hold locks, and how many wait. */
  counts(): { held: number; waiting: number } {
    let held = 0
    for (const { holders } of this.#locks.values()) held += holders.size
    return { held, waiting: this.#sessions.sum - held }
  }

  handle(event: LockEvent<Connection>, now: number): LockEffect<Connection>[] {
    this.#now = now
    this.#effects = []
    this.#step(event)
    return this.#effects
  }

  #step(event: LockEvent<Connection>) {
    switch (event.type) {
      case 'ready':
        return this.#onReady(event.age)
      case 'adopted':
        return this.#onAdopted(event.key, event.record)
      case 'request':
        if (this.#isReady) this.#onRequest(event)
        else if (this.#early.length < this.#init.limits.lockSessions) this.#early.push(event)
        return
      case 'closed':
        return this.#onClosed(event.from)
      case 'replicated':
        return this.#onReplicated(event.key)
      case 'timer':
        if (event.name === OPEN) for (const lock of this.#locks.values()) this.#update(lock)
        else this.#onTimer(event.name)
    }
  }

  #onReady(age: number): void {
    this.#isReady = true
    const closedFor = this.#rules.closedFor(age)
    this.#opensAt = this.#now + closedFor
    this.#settledAt = Math.max(this.#opensAt, this.#now + SETTLE_MS)
    this.#effects.push({ type: 'timer', name: OPEN, delay: this.#settledAt - this.#now })
    for (const event of this.#early) this.#onRequest(event)
    this.#early = []
  }

  #onAdopted(key: string, record: LockRecord): void {
    if (key === FLOOR) {
      this.#idle.adopt(record.token)
      return
    }
    const lock = this.#lock(key)
    lock.isInherited = true
    lock.isJournaled = true
    if (lock.holders.size + lock.waiters.length === 0) lock.limit = record.limit
    lock.token = Math.max(lock.token, record.token)
    for (const { session, ...holder } of record.holders) {
      if (lock.holders.has(session)) continue
      const endsAt = this.#rules.inheritedEndsAt(this.#now, holder.ttl)
      lock.removeWaiter(session) ?? this.#sessions.count(holder.client, 1)
      const rest = { connection: undefined, sequence: 0, isTold: true, yields: false }
      lock.holders.set(session, { id: session, ...holder, endsAt, ...rest })
      if (lock.id.kind === 'leadership') this.#balance.add(holder.client, 1)
    }
    this.#update(lock)
  }

  // --- Requests

  #onRequest({ from, client, request }: Extract<LockEvent<Connection>, { type: 'request' }>): void {
    const lock = this.#locks.get(keyOf(request))
    if (request.type === 'release') {
      this.#onRelease(lock, from, client, request)
      return
    }
    const { session, sequence, ttl, ticket } = request
    const known = lock?.holders.get(session) ?? lock?.waiters.find(({ id }) => id === session)
    if (lock !== undefined && known?.client === client) {
      if (sequence >= known.sequence) Object.assign(known, { sequence, connection: from })
      known.endsAt = Math.max(known.endsAt, this.#rules.endsAt(this.#now, known.ttl))
      this.#update(lock)
      this.#answer(lock, known)
      return
    }
    if (known !== undefined || request.isHeld) {
      this.#send(from, { session, type: 'lost' })
      return
    }
    const reason = this.#refusal(lock, client, request)
    if (reason !== undefined) {
      this.#send(from, { session, type: 'refused', reason })
      return
    }
    this.#add(
      lock ?? this.#lock(keyOf(request)),
      {
        id: session,
        client,
        owner: request.owner,
        ttl,
        endsAt: this.#rules.endsAt(this.#now, ttl),
        connection: from,
        sequence,
        since: this.#init.wall(),
        // A ticket of another leadership keeps its place; this leadership has given all of its own.
        ticket: this.#isEarlier(ticket) ? ticket! : { epoch: this.#init.epoch, number: this.#init.nextTicket() }
      },
      request.limit
    )
  }

  #isEarlier(ticket: KeepRequest['ticket']): boolean {
    return ticket !== undefined && ticket.epoch <= this.#init.epoch
  }

  #add(lock: NamedLock<Connection>, waiter: Waiter<Connection>, limit: number): void {
    if (lock.holders.size + lock.waiters.length === 0) lock.limit = limit
    this.#sessions.count(waiter.client, 1)
    lock.addWaiter(waiter)
    this.#update(lock)
    this.#answer(lock, waiter)
  }

  #refusal(lock: NamedLock<Connection> | undefined, client: PeerIdString, request: KeepRequest): string | undefined {
    if (lock !== undefined && lock.holders.size + lock.waiters.length > 0 && lock.limit !== request.limit)
      return `the lock ${JSON.stringify(request.name)} has the limit ${lock.limit}, not ${request.limit}: give all its clients the same limit`
    return this.#sessions.refusal(client, lock === undefined ? this.#locks.size - this.#idle.size : 0)
  }

  #onRelease(
    lock: NamedLock<Connection> | undefined,
    from: Connection,
    client: PeerIdString,
    { session }: ReleaseRequest
  ): void {
    const holder = lock?.holders.get(session)
    const waiter = lock?.waiters.find(({ id }) => id === session)
    if (lock !== undefined && holder?.client === client) {
      this.#removeHolder(lock, holder)
      lock.released.push({ ...holder, connection: from })
      this.#update(lock)
      return
    }
    if (lock !== undefined && waiter?.client === client) {
      lock.removeWaiter(session)
      this.#sessions.count(client, -1)
      this.#update(lock)
    }
    this.#send(from, { session, type: 'released' })
  }

  /** Answers a request of a known session. A grant that is not replicated yet is answered later. */
  #answer(lock: NamedLock<Connection>, session: Holder<Connection> | Waiter<Connection>): void {
    const { id, connection } = session
    if (connection === undefined) return
    if (!('ticket' in session)) {
      if (session.isTold) this.#tellHolder(lock, session)
      return
    }
    const ahead = lock.waiters.indexOf(session)
    if (ahead === -1) return
    this.#send(connection, { session: id, type: 'queued', ticket: session.ticket, ahead })
  }

  #tellHolder(lock: NamedLock<Connection>, { id, connection, sequence, token, yields }: Holder<Connection>): void {
    if (connection === undefined || !this.#rules.mayTell(this.#init.lasts(), this.#init.isStored(lock.key))) return
    this.#send(connection, { session: id, type: 'held', sequence, token })
    if (yields) this.#send(connection, { session: id, type: 'yield' })
  }

  #onClosed(from: Connection): void {
    for (const lock of this.#locks.values()) {
      let isChanged = false
      for (const session of [...lock.sessions()]) {
        if (session.connection !== from) continue
        session.connection = undefined
        isChanged = true
        if (this.#rules.endsWithConnection) session.endsAt = this.#now
      }
      if (isChanged) this.#onTimer(lock.key)
    }
  }

  // --- Time

  #onTimer(key: string): void {
    const lock = this.#locks.get(key)
    if (lock === undefined) return
    lock.timerAt = undefined
    for (const session of [...lock.sessions()]) {
      if (session.endsAt > this.#now) continue
      if ('ticket' in session) {
        lock.removeWaiter(session.id)
        this.#sessions.count(session.client, -1)
      } else {
        this.#removeHolder(lock, session)
        if (session.connection !== undefined) this.#send(session.connection, { session: session.id, type: 'lost' })
      }
    }
    this.#update(lock)
  }

  #setTimer(lock: NamedLock<Connection>): void {
    let first = Number.POSITIVE_INFINITY
    for (const { endsAt } of lock.sessions()) first = Math.min(first, endsAt)
    // Sessions end later when they are renewed. Then the timer finds nothing, and starts again.
    if (first === Number.POSITIVE_INFINITY || (lock.timerAt !== undefined && lock.timerAt <= first)) return
    lock.timerAt = first
    this.#effects.push({ type: 'timer', name: lock.key, delay: Math.max(0, first - this.#now) })
  }

  // --- Changes

  /** Gives the lock to the next waiters, and writes what has changed. */
  #update(lock: NamedLock<Connection>): void {
    this.#serve(lock)
    if (lock.id.kind === 'leadership') this.#move()
    if (lock.isChanged && lock.writing === undefined) this.#write(lock)
    this.#setTimer(lock)
    this.#sweep(lock)
  }

  #serve(lock: NamedLock<Connection>): void {
    const opensAt = lock.isInherited ? this.#settledAt : this.#opensAt
    if (!this.#isReady || this.#now < opensAt) return
    while (this.#rules.hasRoom(lock.holders.size, lock.limit)) {
      const waiter = this.#nextOf(lock)
      if (waiter === undefined) return
      lock.removeWaiter(waiter.id)
      const { ticket: _, ...session } = waiter
      lock.token = this.#rules.token(Math.max(lock.token, this.#idle.floor), this.#init.wall())
      const grant = { token: lock.token, since: this.#init.wall(), isTold: false, yields: false }
      const holder = { ...session, ...grant }
      lock.holders.set(holder.id, holder)
      lock.isChanged = true
      if (lock.id.kind === 'leadership') this.#balance.add(holder.client, 1)
    }
  }

  /** The next session to hold the lock. A session without a connection keeps its place, and waits. */
  #nextOf(lock: NamedLock<Connection>): Waiter<Connection> | undefined {
    const waiters = lock.waiters.filter(({ connection }) => connection !== undefined)
    if (lock.id.kind === 'leadership') return this.#balance.next(waiters)
    return waiters.reduce<Waiter<Connection> | undefined>(
      (first, waiter) => (first === undefined || this.#rules.order(waiter.ticket, first.ticket) < 0 ? waiter : first),
      undefined
    )
  }

  /** Asks peers that lead too many named leaderships to let others lead. */
  #move(): void {
    const leaderships = [...this.#locks.values()].filter(({ id }) => id.kind === 'leadership')
    for (const holder of this.#balance.moves(leaderships)) {
      holder.yields = true
      if (holder.connection !== undefined) this.#send(holder.connection, { session: holder.id, type: 'yield' })
    }
  }

  #removeHolder(lock: NamedLock<Connection>, holder: Holder<Connection>): void {
    lock.holders.delete(holder.id)
    lock.isChanged = true
    this.#sessions.count(holder.client, -1)
    if (lock.id.kind === 'leadership') this.#balance.add(holder.client, -1)
  }

  #write(lock: NamedLock<Connection>): void {
    lock.isChanged = false
    lock.isJournaled = true
    lock.writing = { granted: [...lock.holders.keys()], released: lock.released }
    lock.released = []
    this.#effects.push({ type: 'write', key: lock.key, record: lock.record() })
  }

  #onReplicated(key: string): void {
    if (key === FLOOR) {
      this.#forgetIdle()
      return
    }
    const lock = this.#locks.get(key)
    const written = lock?.writing
    if (lock === undefined || written === undefined) return
    lock.writing = undefined
    for (const id of written.granted) {
      const holder = lock.holders.get(id)
      if (holder === undefined || holder.isTold) continue
      holder.isTold = true
      this.#tellHolder(lock, holder)
    }
    for (const { id, connection } of written.released) this.#send(connection!, { session: id, type: 'released' })
    this.#update(lock)
  }

  /** Forgets a lock that nobody uses, or lets the journal remember its token. */
  #sweep(lock: NamedLock<Connection>): void {
    this.#idle.delete(lock.key)
    if (!lock.isIdle) return
    if (!lock.isJournaled) {
      this.#locks.delete(lock.key)
      return
    }
    const token = this.#idle.add(lock.key, lock.token)
    if (token !== undefined) this.#effects.push({ type: 'write', key: FLOOR, record: { limit: 1, token, holders: [] } })
  }

  #forgetIdle(): void {
    for (const key of this.#idle.written()) {
      this.#locks.delete(key)
      this.#effects.push({ type: 'forget', key })
    }
  }

  #lock(key: string): NamedLock<Connection> {
    const known = this.#locks.get(key)
    if (known !== undefined) return known
    const lock = new NamedLock<Connection>(key)
    this.#locks.set(key, lock)
    return lock
  }

  #send(to: Connection, answer: LockAnswer): void {
    this.#effects.push({ type: 'send', to, answer })
  }
}
