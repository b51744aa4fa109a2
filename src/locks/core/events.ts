/** The events and effects of the locks of a leader. `Connection` identifies the connection of a client. */
import type { LockRecord } from '../../journal/record.ts'
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { LockAnswer, LockRequest } from './types.ts'

export type LockEvent<Connection> =
  /** This leader knows all grants of earlier leaders. `age`: how long ago the peers started whose journals it knows them from, in ms. */
  | { type: 'ready'; age: number }
  /** The journal has an entry of an earlier leader. */
  | { type: 'adopted'; key: string; record: LockRecord }
  | { type: 'request'; from: Connection; client: PeerIdString; request: LockRequest }
  | { type: 'closed'; from: Connection }
  /** Enough peers store the newest entry of the lock. */
  | { type: 'replicated'; key: string }
  | TimerEvent

export type LockEffect<Connection> =
  /** Write an entry, and report it with `replicated`. Until then the core writes no other entry of this lock. */
  | { type: 'write'; key: string; record: LockRecord }
  | { type: 'forget'; key: string }
  | { type: 'send'; to: Connection; answer: LockAnswer }
  | TimerEffect
