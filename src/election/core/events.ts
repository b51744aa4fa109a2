/** What comes into the election core, and what goes out of it. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import type { ElectionMember } from './electable-members.ts'
import type { CoordinatorMessage, ElectionMessage } from './messages.ts'

export type BullyEvent =
  /** A member, this peer included, appeared or changed for this peer's membership. */
  | { type: 'member'; member: ElectionMember }
  /** The first push-pull is done, or the lone-start delay has passed. */
  | { type: 'ready' }
  | { type: 'message'; from: PeerIdString; message: ElectionMessage }
  /** A push-pull with `from` brought the newest leadership that `from` has accepted. */
  | { type: 'pushPull'; from: PeerIdString; coordinator: CoordinatorMessage }
  | { type: 'gossip'; coordinator: CoordinatorMessage }
  /** The hand-off to `to` that a `handOff` effect began has ended. */
  | { type: 'handedOff'; to: PeerIdString; ok: boolean }
  /** Under a quorum: a majority granted `epoch`, which a `seek` effect asked for. */
  | { type: 'held'; epoch: number }
  /** Under a quorum: the lease ended before it could be renewed. */
  | { type: 'lost'; ago: number }
  /** Under a quorum: whether this voter can keep a promise now, the one to itself included. Until it is told, it can. */
  | { type: 'disk'; writable: boolean }
  /** This peer is about to leave the cluster. */
  | { type: 'leave' }
  | TimerEvent

export type BullyTimer = 'coordinator' | 'takeover' | 'rivals' | 'announce' | 'handOff' | 'succession'

export type BullyEffect =
  /**
   * Write this leadership to disk, the newest accepted one. All later effects but `seek` and `release` wait until the write
   * has ended: what this peer has accepted, no later life of it goes back from. After a failed write the peer goes on.
   */
  | { type: 'persist'; coordinator: CoordinatorMessage }
  | { type: 'send'; to: PeerIdString; message: ElectionMessage }
  | { type: 'gossip'; coordinator: CoordinatorMessage }
  /** Whom this peer follows changed; undefined: nobody now. */
  | { type: 'leader'; leader: Leadership | undefined }
  /** Give `to` all that the next leader needs, then say so with a `handedOff` event. */
  | { type: 'handOff'; to: PeerIdString }
  /** Give the running hand-off up; its `handedOff` event counts no more. */
  | { type: 'cancelHandOff' }
  /** Under a quorum: find a majority for an epoch above this, then say so with a `held` event. */
  | { type: 'seek'; above: number }
  /** Under a quorum: give back what is held or sought. */
  | { type: 'release' }
  /** Nothing holds this peer back from leaving any more. */
  | { type: 'left' }
  | (TimerEffect & { name: BullyTimer })
