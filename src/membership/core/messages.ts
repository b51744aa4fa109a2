/** The messages, events and effects of the membership core (swim.ts). */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Member, MemberMetadata } from './member.ts'
import type { Accusation, SelfRecord, Signed } from './record.ts'

/** A member's entry in a push-pull: its newest record, the accusations against it, and the time for which it has been gone. */
export interface SyncEntry {
  record: Signed<SelfRecord>
  accusations: Signed<Accusation>[]
  /**
   * The time (ms) for which the sender has considered the member dead or left; 0 for a live member. With it, all peers forget the member
   * at the same time; otherwise a dead member would circulate for ever. It never counts as evidence.
   */
  downFor: number
}

/** The peer for which a ping is relayed, and the nonce that this peer chose. The target signs both. */
export interface Asker {
  origin: PeerIdString
  nonce: number
}

/** The proof with which a member answers a relayed ping, so that no relay can answer in its place. */
export interface AckProofs {
  /** Returns an unguessable number, so that no proof exists in advance. */
  nonce(): number
  sign(asker: Asker): Uint8Array
  /** Returns whether `member` signed `proof` for `asker`. */
  verify(member: PeerIdString, asker: Asker, proof: Uint8Array): boolean
}

/** The messages between members. None carries the sender's id: the connection identifies the sender. */
export type SwimMessage =
  /** Pings the receiver, with the known accusations against it: a suspect is the first to learn them. */
  | { type: 'ping'; seq: number; accusations: Signed<Accusation>[]; asker?: Asker | undefined }
  /** Answers a ping, or, with the target's proof, a ping-req whose target has answered. */
  | { type: 'ack'; seq: number; proof?: Uint8Array | undefined }
  /** Answers a ping-req whose target has not answered so far: it shows that the relay itself is alive. */
  | { type: 'nack'; seq: number }
  /** Asks a relay to ping `target`; the sender draws its conclusion after `within` ms. */
  | { type: 'ping-req'; seq: number; target: PeerIdString; within: number; nonce?: number | undefined }
  /** A push-pull: the table of the sender. It asks for a reply, unless it is the reply. `state` belongs to the layer above. */
  | { type: 'sync'; reply: boolean; entries: SyncEntry[]; state: Uint8Array }
  /** Records that the receiver seems not to have. */
  | { type: 'records'; records: Signed[] }

export type SwimTimer = 'probe' | 'probe-timeout' | 'nack' | 'suspicion' | 'push-pull' | 'heal' | 'lone-start'

export type SwimEvent =
  | TimerEvent
  | { type: 'start' }
  | { type: 'message'; from: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** The first connection to a peer opened, or the last one closed. */
  | { type: 'connected'; peer: PeerIdString }
  | { type: 'disconnected'; peer: PeerIdString }
  /** The timer `lone-start` is due while a peer is being dialled. */
  | { type: 'dialling' }
  /** Every address of the machine of `peer` refused a connection from this peer: the crash fast path. */
  | { type: 'refused'; peer: PeerIdString }
  /** This process's event loop ran late, so messages of other members may wait unread. */
  | { type: 'lag' }
  /** Changes the metadata of this peer. */
  | { type: 'update'; change: Partial<MemberMetadata> }
  | { type: 'leave' }

export type SwimEffect =
  | TimerEffect
  | { type: 'send'; to: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** A push-pull brought state for the layer above. This effect comes before the members of the same push-pull. */
  | { type: 'merge'; from: PeerIdString; state: Uint8Array }
  /** A member is new or changed. */
  | { type: 'member'; member: Member; previous: Member | undefined }
  /** A dead or left member is forgotten after the retention time. */
  | { type: 'dropped'; id: PeerIdString }
  /** The peer `id` has other election terms than this peer, so it is not admitted. */
  | { type: 'foreign'; id: PeerIdString }
  /** The members to stay connected to in a large cluster; undefined: all members, because the cluster is small again. */
  | { type: 'neighbours'; ids: PeerIdString[] | undefined }
  | { type: 'ready' }
