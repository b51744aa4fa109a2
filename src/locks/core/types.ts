/** The messages and records of locks. */
import type { LockRecord } from '../../journal/record.ts'
import type { PeerIdString } from '../../network/types.ts'

/** What is locked: a lock or semaphore, or a leadership with a name. Each kind has names of its own. */
export type LockKind = 'lock' | 'leadership'

export interface LockId {
  readonly kind: LockKind
  readonly name: string
}

/** The place in a queue. The leaderships are in the order of their epochs. */
export interface Ticket {
  readonly epoch: number
  readonly number: number
}

/**
 * Asks for a lock, or renews what the session has: the lock, or the place in its queue. The request is complete, so that a new leader
 * understands it.
 */
export interface KeepRequest extends LockId {
  type: 'keep'
  /** Identifies the session: one attempt of one client to hold one lock. */
  session: string
  /** A number that grows with each request of the session. */
  sequence: number
  /** How many sessions may hold the lock at the same time. */
  limit: number
  /** How long the session lasts after each request, in ms. */
  ttl: number
  /** Describes the client to people. */
  owner: string
  /** The place in the queue that an earlier answer has given. */
  ticket: Ticket | undefined
  /** Whether the client has been told that it holds the lock. */
  isHeld: boolean
}

/** Ends the session. */
export interface ReleaseRequest extends LockId {
  type: 'release'
  session: string
}

export type LockRequest = KeepRequest | ReleaseRequest

/** The answer of a leader. `session` is the session of the request. */
export type LockAnswer = { session: string } & (
  | { type: 'held'; sequence: number; token: number }
  /** The session waits. `ahead`: the number of sessions before it. */
  | { type: 'queued'; ticket: Ticket; ahead: number }
  /** The session no longer holds the lock. */
  | { type: 'lost' }
  | { type: 'released' }
  /** The leadership must go to another peer. */
  | { type: 'yield' }
  | { type: 'refused'; reason: string }
)

/** A session that waits for a lock. */
export interface WaitingSession {
  readonly client: PeerIdString
  readonly owner: string
  /** When the session began to wait, in ms since the Unix epoch. */
  readonly since: number
}

/** The state of one lock. */
export interface LockState extends LockId, LockRecord {
  readonly waiters: readonly WaitingSession[]
}

/** The shortest and the longest `ttl`, in ms. */
export const TTL = { least: 1_000, usual: 10_000, most: 30_000 } as const
/** The most sessions that may hold one lock. */
export const MOST_HOLDERS = 1_000
/** The longest name, in characters. */
export const LONGEST_NAME = 200

export function compareTickets(a: Ticket, b: Ticket): number {
  return a.epoch - b.epoch || a.number - b.number
}

/** Returns the name of a lock in the journal. Ids of jobs contain no slash. */
export function keyOf({ kind, name }: LockId): string {
  return `${kind}/${name}`
}

export function lockOf(key: string): LockId {
  const [kind = ''] = key.split('/', 1)
  return { kind: kind as LockKind, name: key.slice(kind.length + 1) }
}
