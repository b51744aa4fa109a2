/** The events that the election core handles, and the effects that it returns. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import type { ElectionMember } from './electable-members.ts'
import type { CoordinatorMessage, ElectionMessage } from './messages.ts'

export type CoreEvent =
  /** The membership of this peer has a new or changed member, which may be this peer. */
  | { type: 'member'; member: ElectionMember }
  /** The first push-pull is done, or this peer has found no other peer within the lone-start delay. */
  | { type: 'ready' }
  | { type: 'message'; from: PeerIdString; message: ElectionMessage }
  /** A push-pull with `from` brought the newest leadership that `from` has accepted. */
  | { type: 'pushPull'; from: PeerIdString; coordinator: CoordinatorMessage }
  | { type: 'gossip'; coordinator: CoordinatorMessage }
  /** The hand-off to `to` that a `handOff` effect began has ended. */
  | { type: 'handedOff'; to: PeerIdString; ok: boolean }
  /** Under leases: a majority or the store granted `epoch`, which a `seek` effect asked for. */
  | { type: 'held'; epoch: number }
  /** Under leases: the lease ended before it could be renewed. */
  | { type: 'lost'; ago: number }
  /** Under a quorum: this voter became able or unable to write a promise to its disk. Before the first such event, the disk counts as writable. */
  | { type: 'disk'; writable: boolean }
  /** Under a store: whether this peer reaches the store. Before the first such event it does. */
  | { type: 'reach'; isReached: boolean }
  /** The least lead in priority with which this peer takes over. Undefined, and before the first such event: any higher rank takes over. */
  | { type: 'margin'; margin: number | undefined }
  /** This peer is about to leave the cluster. */
  | { type: 'leave' }
  | TimerEvent

export type CoreTimer = 'coordinator' | 'takeover' | 'rivals' | 'announce' | 'handOff' | 'succession'

export type CoreEffect =
  /**
   * Write the newest accepted leadership to disk. All later effects but `seek` and `release` wait until the write has ended,
   * so that a restarted peer remembers every leadership that it has shown. The effects continue even after a failed write.
   */
  | { type: 'persist'; coordinator: CoordinatorMessage }
  | { type: 'send'; to: PeerIdString; message: ElectionMessage }
  | { type: 'gossip'; coordinator: CoordinatorMessage }
  /** The leader that this peer follows changed. `leader` is undefined while there is no leader. */
  | { type: 'leader'; leader: Leadership | undefined }
  /** Give `to` the state that the next leader needs, and then report the end with a `handedOff` event. */
  | { type: 'handOff'; to: PeerIdString }
  /** Cancel the running hand-off. Its `handedOff` event no longer counts. */
  | { type: 'cancelHandOff' }
  /** Under leases: get the lease for an epoch above `above`, then report it with a `held` event. */
  | { type: 'seek'; above: number }
  /** Under leases: release the lease that is held or sought. `heir`: the peer to which this peer has handed over. */
  | { type: 'release'; heir: PeerIdString | undefined }
  /** This peer may leave the cluster now. */
  | { type: 'left' }
  | (TimerEffect & { name: CoreTimer })
