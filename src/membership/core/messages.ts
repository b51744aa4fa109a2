/** What comes into and goes out of the membership core (swim.ts). */
import type { TimerEffect, TimerEvent } from '../../lib/core.ts'
import type { PeerIdString } from '../../network/types.ts'
import type { Member, MemberMetadata } from './member.ts'
import type { Accusation, SelfRecord, Signed } from './record.ts'

/** A member as it travels in a push-pull: its newest record, the evidence against it, how long it has been gone. */
export interface SyncEntry {
  record: Signed<SelfRecord>
  accusations: Signed<Accusation>[]
  /**
   * For how many ms the sender has held it dead or left; 0 if it holds it live. Only makes the receiver forget it when the
   * others do (else a dead member would circulate for ever); it is never taken for evidence.
   */
  downFor: number
}

/** The peer that a ping is relayed for, and the nonce that it chose: what the target signs. */
export interface Asker {
  origin: PeerIdString
  nonce: number
}

/** How a member that is pinged through a relay proves that it answered: no relay can answer in its place. */
export interface AckProofs {
  /** A number that nobody can guess, so that no proof exists in advance. */
  nonce(): number
  sign(asker: Asker): Uint8Array
  /** Whether `member` signed this for `asker`. */
  verify(member: PeerIdString, asker: Asker, proof: Uint8Array): boolean
}

/** The messages between members. None carries its sender's id: the connection tells. */
export type SwimMessage =
  /** Carries the accusations of the receiver that the sender knows: a suspect is told first. */
  | { type: 'ping'; seq: number; accusations: Signed<Accusation>[]; asker?: Asker | undefined }
  /** Answers a ping; or a ping-req once its target has answered, with the proof of that. */
  | { type: 'ack'; seq: number; proof?: Uint8Array | undefined }
  /** Answers a ping-req whose target has not answered so far: the relay itself is there. */
  | { type: 'nack'; seq: number }
  /** Asks a relay to ping `target`; the sender draws its conclusion after `within` ms. */
  | { type: 'ping-req'; seq: number; target: PeerIdString; within: number; nonce?: number | undefined }
  /** A push-pull: the table of the sender, which asks for a reply unless it is one. `state` belongs to the layer above. */
  | { type: 'sync'; reply: boolean; entries: SyncEntry[]; state: Uint8Array }
  /** Records that the receiver seems not to have. */
  | { type: 'records'; records: Signed[] }

export type SwimTimer = 'probe' | 'probe-timeout' | 'nack' | 'suspicion' | 'push-pull' | 'heal' | 'lone-start'

export type SwimEvent =
  | TimerEvent
  | { type: 'start' }
  | { type: 'message'; from: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** A connection to a peer opened (the first), or closed (the last). */
  | { type: 'connected'; peer: PeerIdString }
  | { type: 'disconnected'; peer: PeerIdString }
  /** The timer `lone-start` is due while a peer is being dialled. */
  | { type: 'dialling' }
  /** Every address of the machine of `peer` refused a connection of this peer: the crash fast path. */
  | { type: 'refused'; peer: PeerIdString }
  /** This process's event loop ran late: it may be slow to hear others. */
  | { type: 'lag' }
  /** Changes the metadata of this peer. */
  | { type: 'update'; change: Partial<MemberMetadata> }
  | { type: 'leave' }

export type SwimEffect =
  | TimerEffect
  | { type: 'send'; to: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** The state of the layer above that came with a push-pull; comes before the members of that push-pull. */
  | { type: 'merge'; from: PeerIdString; state: Uint8Array }
  /** A member is new or changed. */
  | { type: 'member'; member: Member; previous: Member | undefined }
  /** A dead or left member was kept long enough and is forgotten. */
  | { type: 'dropped'; id: PeerIdString }
  /** `id` elects by other terms than this peer, so it is not admitted. */
  | { type: 'foreign'; id: PeerIdString }
  /** The members to stay connected to in a large cluster; undefined: all again. */
  | { type: 'neighbours'; ids: PeerIdString[] | undefined }
  | { type: 'ready' }
