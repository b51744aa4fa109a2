/** How the locks stand on the journal of each leadership of this peer. */
import type { LockRecord } from './record.ts'

/** The locks in the journal of one leadership. */
export interface LockJournal {
  readonly epoch: number
  /** Writes the record of a lock. Calls `done` when it is replicated, unless a newer record of the lock is written first. */
  write(key: string, record: LockRecord, done: () => void): void
  forget(key: string): void
  /** Whether enough peers now store all of the lock that was reported as replicated. */
  isStored(key: string): boolean
}

/** The locks of one leadership, as the journal tells of them. */
export interface LedLocks {
  adopted(key: string, record: LockRecord): void
  /** This leader knows all locks of earlier leaders. `age`: how long ago the peers started from which it knows them, in ms. */
  ready(age: number): void
  stop(): void
}

/** Grants locks while this peer leads. */
export interface LockKeeper {
  lead(journal: LockJournal): LedLocks
}
