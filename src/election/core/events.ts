/** What comes into the election core, and what goes out of it. */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import type { Elector } from './electorate.ts'
import type { Coordinator, ElectionMessage } from './messages.ts'

export type BullyEvent =
  /** A member, this peer included, appeared or changed for this peer's membership. */
  | { type: 'member'; member: Elector }
  /** The first push-pull is done, or the lone-start delay has passed. */
  | { type: 'ready' }
  | { type: 'message'; from: PeerIdString; message: ElectionMessage }
  /** A push-pull with `from` brought the newest leadership that `from` has accepted. */
  | { type: 'pushPull'; from: PeerIdString; coordinator: Coordinator }
  | { type: 'gossip'; coordinator: Coordinator }
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
  | { type: 'send'; to: PeerIdString; message: ElectionMessage }
  | { type: 'gossip'; coordinator: Coordinator }
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

/**
 * The rules that make Bully safe and live. All hold; only tests switch one off, to see that the simulation notices.
 *
 * @internal
 */
export interface BullyRules {
  /** Nothing older than the newest leadership accepted is accepted. */
  refuseOlder: boolean
  /** A peer whose leader is live takes a rival only with that leader's go-ahead. */
  needGoAhead: boolean
  /** A claim's epoch is above all epochs accepted. */
  mintAbove: boolean
  /** Only electable peers claim. */
  onlyElectable: boolean
  /** Nobody claims over a live higher peer that has not declined. */
  askHigher: boolean
  /** A leader that gives its go-ahead leads no longer. */
  stopBeforeGoAhead: boolean
  /** Nobody claims before its first push-pull or the lone-start delay. */
  waitUntilReady: boolean
  /** A leader that hears of a newer leadership whose leader is gone claims again, above it. */
  outbidTheDead: boolean
  /** Under a quorum: nobody claims without a majority. */
  needQuorum: boolean
}

export const BULLY_RULES: BullyRules = {
  refuseOlder: true,
  needGoAhead: true,
  mintAbove: true,
  onlyElectable: true,
  askHigher: true,
  stopBeforeGoAhead: true,
  waitUntilReady: true,
  outbidTheDead: true,
  needQuorum: true
}
