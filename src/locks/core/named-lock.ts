import type { LockRecord } from '../../journal/record.ts'
import type { PeerIdString } from '../../network/types.ts'
import { compareTickets, type LockId, type LockState, lockOf, type Ticket } from './types.ts'

/** A session at the leader. `Connection` identifies the connection of its client. */
export interface Session<Connection> {
  readonly id: string
  readonly client: PeerIdString
  readonly owner: string
  readonly ttl: number
  /** When the session ends unless it is renewed, by the leader's monotonic clock. */
  endsAt: number
  /** Undefined while the client is not connected to this leader. */
  connection: Connection | undefined
  /** The number of the newest request. */
  sequence: number
  /** When the session was granted the lock, or began to wait, in ms since the Unix epoch. */
  since: number
}

export interface Holder<Connection> extends Session<Connection> {
  readonly token: number
  /** Whether the grant is replicated, so that the client may know of it. */
  isTold: boolean
  /** Whether the client was asked to let another peer lead. */
  yields: boolean
}

export interface Waiter<Connection> extends Session<Connection> {
  ticket: Ticket
}

/** One lock: who holds it, who waits for it, and which of its changes are written to the journal. */
export class NamedLock<Connection> {
  readonly key: string
  readonly id: LockId
  limit = 1
  token = 0
  readonly holders = new Map<string, Holder<Connection>>()
  /** In the order in which they are served. */
  readonly waiters: Waiter<Connection>[] = []
  /** Whether an earlier leader knew the lock, so that sessions may come back to it. */
  isInherited = false
  /** Whether the journal has an entry of the lock. */
  isJournaled = false
  /** The present write: the sessions whose grant, and those whose release, it contains. Undefined while nothing is written. */
  writing: { granted: string[]; released: Session<Connection>[] } | undefined
  /** Whether the lock has changed since the present write began. */
  isChanged = false
  /** The sessions that were released since the present write began. */
  released: Session<Connection>[] = []
  /** When the timer of the lock is due. */
  timerAt: number | undefined

  constructor(key: string) {
    this.key = key
    this.id = lockOf(key)
  }

  /** Whether nobody holds the lock or waits for it, and nothing about it must be written. */
  get isIdle(): boolean {
    return this.holders.size === 0 && this.waiters.length === 0 && this.writing === undefined
  }

  *sessions(): Iterable<Holder<Connection> | Waiter<Connection>> {
    yield* this.holders.values()
    yield* this.waiters
  }

  addWaiter(waiter: Waiter<Connection>): void {
    const at = this.waiters.findIndex(({ ticket }) => compareTickets(ticket, waiter.ticket) > 0)
    this.waiters.splice(at === -1 ? this.waiters.length : at, 0, waiter)
  }

  removeWaiter(session: string): Waiter<Connection> | undefined {
    const at = this.waiters.findIndex(({ id }) => id === session)
    return at === -1 ? undefined : this.waiters.splice(at, 1)[0]
  }

  record(): LockRecord {
    const holders = [...this.holders.values()].map(({ id, client, owner, token, ttl, since }) => ({
      session: id,
      client,
      owner,
      token,
      ttl,
      since
    }))
    return { limit: this.limit, token: this.token, holders }
  }

  state(): LockState {
    const waiters = this.waiters.map(({ client, owner, since }) => ({ client, owner, since }))
    return { ...this.id, ...this.record(), waiters }
  }
}
