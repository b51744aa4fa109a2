import type { Logger } from '../common/logger.ts'
import type { Profile } from '../membership/profile.ts'
import type { Membership } from '../membership/types.ts'
import type { PeerIdString } from '../network/types.ts'
import type { CoreEvent } from './core/events.ts'
import type { LocalPeer } from './core/local-peer.ts'
import type { Electorate } from './electorate.ts'
import type { Lease } from './lease.ts'
import { LeaseKeeper, type LeaseKeeperInit } from './lease-keeper.ts'
import type { LeaseMessage } from './quorum/quorum.ts'
import { StoreKeeper } from './store/store-keeper.ts'
import type { ElectionStore } from './types.ts'

export interface LeaseInit {
  self: PeerIdString
  electorate: Electorate
  profile: Profile
  membership: Membership
  /** The store of the promises that this peer gives as a voter. Default: promises are kept in memory only. */
  store: ElectionStore | undefined
  logger: Logger | undefined
  /** What this peer knows in the election. */
  peer: LocalPeer
  send: (to: PeerIdString, message: LeaseMessage) => void
  /** Called when this peer gets or loses the lease, and when it begins or ceases to reach the store. */
  told: (event: Extract<CoreEvent, { type: 'held' | 'lost' | 'reach' }>) => void
}

const NO_STORE: LeaseKeeperInit['store'] = {
  promised: undefined,
  keepPromise: () => Promise.resolve(true),
  hasLostPromises: false,
  foundPromises: () => {},
  onLostPromises: () => {}
}

/** Creates this peer's part in the lease that the electorate needs. Returns undefined if a leadership needs no lease. */
export function createLease(init: LeaseInit): Lease | undefined {
  const { self, electorate, profile, membership, store, logger, peer, send, told } = init
  const { terms, store: opened } = electorate
  if (opened !== undefined)
    return new StoreKeeper({ self, opened, membership, patience: 2 * profile.suspicionMax, logger, told })
  if (terms === undefined) return undefined
  return new LeaseKeeper({
    self,
    terms,
    store: store ?? NO_STORE,
    isHigher: id => peer.isHigher(id),
    acceptedEpoch: () => peer.accepted?.epoch ?? 0,
    send,
    logger,
    told
  })
}
