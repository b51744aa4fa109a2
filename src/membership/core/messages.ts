/** The messages, events and effects of the membership core (swim.ts). */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Member, MemberMetadata } from './member.ts'
import type { Accusation, SelfRecord, Signed } from './record.ts'

/** A member's entry in a push-pull: the newest record of the member, the accusations against the member, and the time since its death or leave. */
export interface SyncEntry {
  record: Signed<SelfRecord>
  accusations: Signed<Accusation>[]
  /**
   * The time (ms) for which the sender has considered the member dead or left, or 0 for a live member. With this time, all peers forget the member
   * at the same time. Otherwise, peers would learn a forgotten member from each other for ever. The time never counts as evidence.
   */
  downFor: number
}

/** The peer that asked for a relayed ping, and the nonce that this asker chose. The target signs the asker's id and the nonce. */
export interface Asker {
  origin: PeerIdString
  nonce: number
}

/** Creates and checks the proofs with which a member answers a relayed ping, so that no relay can answer in place of the member. */
export interface AckProofs {
  /** Returns an unguessable number. So no member can make a proof before it receives the ping. */
  nonce(): number
  sign(asker: Asker): Uint8Array
  /** Returns whether `member` signed `proof` for `asker`. */
  verify(member: PeerIdString, asker: Asker, proof: Uint8Array): boolean
}

/** The messages between members. No message contains the sender's id, because the connection identifies the sender. */
export type SwimMessage =
  /** Pings the receiver, and carries the known accusations against the receiver, so that a suspect can refute early. */
  | { type: 'ping'; seq: number; accusations: Signed<Accusation>[]; asker?: Asker | undefined }
  /**
   * Answers a ping. With the target's proof, answers a ping-req whose target has answered. `wall`: the wall clock of the target in ms since the
   * Unix epoch, in a direct answer.
   */
  | { type: 'ack'; seq: number; proof?: Uint8Array | undefined; wall?: number | undefined }
  /** Answers a ping-req whose target has not answered so far. The nack shows that the relay itself is alive. */
  | { type: 'nack'; seq: number }
  /** Asks a relay to ping `target`. The sender judges the target after `within` ms. */
  | { type: 'ping-req'; seq: number; target: PeerIdString; within: number; nonce?: number | undefined }
  /** The table of the sender, in a push-pull. If `reply` is false, the receiver answers with its own table. `state` belongs to the job layer. */
  | { type: 'sync'; reply: boolean; entries: SyncEntry[]; state: Uint8Array }
  /** Records that the receiver does not seem to have. */
  | { type: 'records'; records: Signed[] }

export type SwimTimer = 'probe' | 'probe-timeout' | 'nack' | 'suspicion' | 'push-pull' | 'heal' | 'lone-start'

export type SwimEvent =
  | TimerEvent
  /** `searchedFor`: for how long this peer has looked for others in vain, in ms. Default 0. */
  | { type: 'start'; searchedFor?: number }
  | { type: 'message'; from: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** The first connection to a peer opened, or the last connection to a peer closed. */
  | { type: 'connected'; peer: PeerIdString }
  | { type: 'disconnected'; peer: PeerIdString }
  /** The timer `lone-start` is due while this peer dials another peer. */
  | { type: 'dialling' }
  /** The crash fast path: every own address of `peer` refused a connection from this peer. */
  | { type: 'refused'; peer: PeerIdString }
  /** The event loop of this process ran late, so unread messages of other members may be waiting. */
  | { type: 'lag' }
  /** Changes the metadata of this peer. */
  | { type: 'update'; change: Partial<MemberMetadata> }
  | { type: 'leave' }

export type SwimEffect =
  | TimerEffect
  | { type: 'send'; to: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** A push-pull brought state for the job layer. This effect comes before the effects for the members of the same push-pull. */
  | { type: 'merge'; from: PeerIdString; state: Uint8Array }
  /** A member is new or changed. */
  | { type: 'member'; member: Member; previous: Member | undefined }
  /** A dead or left member is forgotten after the retention time. */
  | { type: 'dropped'; id: PeerIdString }
  /** The peer `id` belongs to another electorate than this peer, so this peer does not admit `id`. */
  | { type: 'foreign'; id: PeerIdString; electorate: string }
  /** The members to which this peer stays connected in a large cluster. Undefined if the cluster is small again: then all members. */
  | { type: 'neighbours'; ids: PeerIdString[] | undefined }
  /** Another member has a record of this peer that no earlier run of this peer knew to have made: the state of this peer is old, or lost. */
  | { type: 'outdated' }
  /** The first push-pull brought what another member knows, after the other effects of that push-pull. */
  | { type: 'met' }
  | { type: 'ready' }
