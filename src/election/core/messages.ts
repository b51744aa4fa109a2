import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import { compareRanks, type Rank } from './rank.ts'

/** No epoch is above this: beyond it a JavaScript number cannot count. */
export const MAX_EPOCH = Number.MAX_SAFE_INTEGER

/** The largest step by which one message may raise the accepted epoch: no bug and no liar can use the numbers up. */
export const MAX_EPOCH_STEP = 2 ** 20

/**
 * A leader goes above what somebody shows it only where that is at most so far above what it has accepted: what it claims must be within
 * {@link MAX_EPOCH_STEP} for all others as well, who may have missed some of what came between.
 */
export const MAX_OUTBID_STEP = MAX_EPOCH_STEP / 16

/** The most go-aheads that one COORDINATOR carries. */
export const MAX_GO_AHEADS = 8

/** A leader's word that it has stopped and that `to` may lead in its place. Signed by `from`. */
export interface GoAhead {
  from: PeerIdString
  /** The epoch of the leadership that ended; it ends the older ones of `from` as well. */
  fromEpoch: number
  to: PeerIdString
  /** The statement as `from` signed it, to be relayed verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** "I lead, with this epoch." Signed by `leader`. */
export interface CoordinatorMessage {
  epoch: number
  leader: PeerIdString
  /** The leader's electionPriority when it claimed: with its id, its rank. */
  priority: number
  /** From leaders in whose place this one leads. */
  goAheads: GoAhead[]
  /** The statement as `leader` signed it, to be relayed verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** A message that a third peer relays, because the direct link is broken. The connection names only the relaying peer, so `from` signs it. */
export interface RelayedMessage {
  from: PeerIdString
  to: PeerIdString
  /** Chosen by the peer that asks; the answer repeats it. */
  nonce: number
  kind: 'election' | 'claiming' | 'declined' | 'coordinator' | 'request' | 'goAhead' | 'rival'
  /**
   * With `election` and `coordinator`: the newest leadership that `from` has accepted. With `request`: the leadership
   * that it asks for. With `rival`: the leadership that it refuses.
   */
  accepted: CoordinatorMessage | undefined
  /** With `goAhead`. */
  goAhead?: GoAhead | undefined
  /** The statement as `from` signed it, relayed verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** Signs this peer's own statements. Handed to the core, which knows no keys. */
export interface Signer {
  coordinator(claim: Omit<CoordinatorMessage, 'signed'>): CoordinatorMessage
  goAhead(goAhead: Omit<GoAhead, 'signed'>): GoAhead
  relayed(message: Omit<RelayedMessage, 'signed'>): RelayedMessage
  /** A number that nobody can guess, so that no answer is had in advance. */
  nonce(): number
}

/** What electing peers say to each other, directly. The connection tells who speaks. */
export type ElectionMessage =
  /** "I see no leader. Will you, who rank higher, claim?" With the newest that the asker has accepted, to be outbid. */
  | { type: 'election'; accepted: CoordinatorMessage | undefined }
  | { type: 'answer'; answer: 'claiming' | 'declined' }
  /** "This is the newest leadership that I have accepted." */
  | { type: 'coordinator'; coordinator: CoordinatorMessage }
  /** To the own leader: "this one claims too, without your go-ahead." */
  | { type: 'rival'; coordinator: CoordinatorMessage }
  /** To a leader: "I rank higher; hand over to me." */
  | { type: 'request' }
  | { type: 'goAhead'; goAhead: GoAhead }
  | { type: 'relayed'; relayed: RelayedMessage }

export function rankOf(coordinator: CoordinatorMessage): Rank {
  return { priority: coordinator.priority, id: coordinator.leader }
}

export function leadershipOf(coordinator: CoordinatorMessage): Leadership {
  return { id: coordinator.leader, epoch: coordinator.epoch, rank: rankOf(coordinator) }
}

/** The order of leaderships, (epoch, rank): above 0 when `a` is the newer one, 0 when they are the same. */
export function compareLeaderships(a: CoordinatorMessage, b: CoordinatorMessage): number {
  return a.epoch - b.epoch || compareRanks(rankOf(a), rankOf(b))
}
