import type { PeerIdString } from '../network/types.ts'
import type { LeaseMessage } from './quorum/quorum.ts'
import type { HolderRecord } from './types.ts'

/** Gets, keeps and releases the lease without which this peer must not lead. */
export interface Lease {
  /** The time for which this peer certainly still holds the lease of this epoch, in ms; 0 without this lease. */
  remaining(epoch: number): number
  /** Seeks the lease, with an epoch above `above`. */
  seek(above: number): void
  /** Releases the lease that is held or sought. `heir`: the peer that gets the lease next. */
  release(heir: PeerIdString | undefined): void
  /** Handles a message of another peer about leases. Default: the lease does not come from other peers. */
  onMessage?(from: PeerIdString, message: LeaseMessage): void
  /** The store's own number of the lease that this peer holds. Default: there is no such number. */
  readonly number?: string | undefined
  /** The record of the store for the lease that this peer holds. Default: there is no record. */
  readonly holders?: HolderRecord | undefined
  /** Resolves when the releases are done, or have failed. */
  flush(): Promise<void>
  stop(): Promise<void>
}
