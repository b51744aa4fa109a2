import type { PeerIdString } from '../../network/types.ts'
import type { Leadership } from '../types.ts'
import { compareRanks, type Rank } from './rank.ts'

/** The highest epoch: a JavaScript number cannot count beyond it. */
export const MAX_EPOCH = Number.MAX_SAFE_INTEGER

/** The largest step by which one message may raise the accepted epoch, so that no bug and no malicious peer uses up the epochs. */
export const MAX_EPOCH_STEP = 2 ** 20

/**
 * A leader outbids an epoch only up to this step above the newest epoch that it has accepted. Its claim then stays within
 * {@link MAX_EPOCH_STEP} even for peers that have missed some of the epochs in between.
 */
export const MAX_OUTBID_STEP = MAX_EPOCH_STEP / 16

/** The most go-aheads that one COORDINATOR carries. */
export const MAX_GO_AHEADS = 8

/** A leader's statement that it has stopped and that `to` may lead in its place. Signed by `from`. */
export interface GoAhead {
  from: PeerIdString
  /** The epoch of the leadership that ended. All older leaderships of `from` have ended as well. */
  fromEpoch: number
  to: PeerIdString
  /** The statement as `from` signed it, to be relayed verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** "I lead, with this epoch." Signed by `leader`. */
export interface CoordinatorMessage {
  epoch: number
  leader: PeerIdString
  /** The leader's electionPriority at the time of the claim. The priority and the id form the rank. */
  priority: number
  /** The go-aheads of the leaders that this leader replaces. */
  goAheads: GoAhead[]
  /** The statement as `leader` signed it, to be relayed verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** "I want to lead." Goes round the ring of the electable members (strategies/ring.ts). Signed by `candidate`. */
export interface Token {
  candidate: PeerIdString
  /** The epoch of the newest leadership that the candidate has accepted, or 0. A token for an older election no longer counts. */
  above: number
  /** The candidate chooses it at the beginning of its candidacy. The token of an earlier candidacy no longer counts. */
  nonce: number
  /** The statement as `candidate` signed it, to be passed on verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** A message that a third peer relays, because the direct link is broken. `from` signs it, because the connection identifies only the relaying peer. */
export interface RelayedMessage {
  from: PeerIdString
  to: PeerIdString
  /** The peer that asks chooses the nonce, and the answer repeats it. */
  nonce: number
  kind: 'election' | 'claiming' | 'declined' | 'coordinator' | 'request' | 'goAhead' | 'rival' | 'token'
  /**
   * In a message of kind `election`, `token` or `coordinator`: the newest leadership that `from` has accepted. In a `request`: the
   * leadership that `from` asks for. In a `rival`: the leadership that `from` refuses.
   */
  accepted: CoordinatorMessage | undefined
  /** The go-ahead, in a message of kind `goAhead`. */
  goAhead?: GoAhead | undefined
  /** The token, in a message of kind `token`. */
  token?: Token | undefined
  /** The statement as `from` signed it, to be relayed verbatim. */
  signed: Uint8Array<ArrayBuffer>
}

/** Signs this peer's statements for the core, which knows no keys. */
export interface Signer {
  coordinator(claim: Omit<CoordinatorMessage, 'signed'>): CoordinatorMessage
  goAhead(goAhead: Omit<GoAhead, 'signed'>): GoAhead
  token(token: Omit<Token, 'signed'>): Token
  relayed(message: Omit<RelayedMessage, 'signed'>): RelayedMessage
  /** Returns a number that no peer can guess, so that no peer can send an answer before the question. */
  nonce(): number
}

/** The direct messages of an election between two peers. The connection identifies the sender. */
export type ElectionMessage =
  /** "I have no leader. You rank higher: do you claim?" `accepted`: the sender's newest leadership, which a claim must outbid. */
  | { type: 'election'; accepted: CoordinatorMessage | undefined }
  | { type: 'answer'; answer: 'claiming' | 'declined' }
  /** "This is the newest leadership that I have accepted." */
  | { type: 'coordinator'; coordinator: CoordinatorMessage }
  /** To the sender's leader: "this peer claims too, without your go-ahead." */
  | { type: 'rival'; coordinator: CoordinatorMessage }
  /** To a leader: "I rank higher; hand over to me." */
  | { type: 'request' }
  | { type: 'goAhead'; goAhead: GoAhead }
  /** Passes the token of a candidate on to the next peer of the ring. `accepted`: the sender's newest leadership. */
  | { type: 'token'; token: Token; accepted: CoordinatorMessage | undefined }
  | { type: 'relayed'; relayed: RelayedMessage }

export function rankOf(coordinator: CoordinatorMessage): Rank {
  return { priority: coordinator.priority, id: coordinator.leader }
}

export function leadershipOf(coordinator: CoordinatorMessage): Leadership {
  return { id: coordinator.leader, epoch: coordinator.epoch, rank: rankOf(coordinator) }
}

/** Compares leaderships by (epoch, rank). Returns above 0 when `a` is newer than `b`, and 0 when they are the same leadership. */
export function compareLeaderships(a: CoordinatorMessage, b: CoordinatorMessage): number {
  return a.epoch - b.epoch || compareRanks(rankOf(a), rankOf(b))
}
