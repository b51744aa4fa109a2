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

/** Whom a ping is relayed for, and the number that this one chose: what the pinged one signs. */
export interface Asker {
  origin: PeerIdString
  nonce: number
}

/** How a member that is pinged for another proves that it is there: no relay can answer in its place. */
export interface Answers {
  /** A number that nobody can guess, so that no answer is had in advance. */
  nonce(): number
  sign(asker: Asker): Uint8Array
  /** Whether `member` signed this for `asker`. */
  verify(member: PeerIdString, asker: Asker, proof: Uint8Array): boolean
}

/** What peers say to each other directly. None carries its sender's id: the connection tells. */
export type SwimMessage =
  /** Are you there? Carries what the sender knows against the receiver: the suspect is told first. */
  | { type: 'ping'; seq: number; accusations: Signed<Accusation>[]; asker?: Asker | undefined }
  /** Answers a ping, or a ping-req once its target has answered, with the proof that it did. */
  | { type: 'ack'; seq: number; proof?: Uint8Array | undefined }
  /** Answers a ping-req whose target has not answered so far: the relay is there, and hears the asker. */
  | { type: 'nack'; seq: number }
  /** Ping `target` for me; after `within` ms I have drawn my conclusion. */
  | { type: 'ping-req'; seq: number; target: PeerIdString; within: number; nonce?: number | undefined }
  /** A push-pull: all that the sender knows; one that is no reply asks for one. `state` belongs to the layer above. */
  | { type: 'sync'; reply: boolean; entries: SyncEntry[]; state: Uint8Array }
  /** Records that the receiver seems not to have. */
  | { type: 'records'; records: Signed[] }

export type SwimEvent =
  | TimerEvent
  | { type: 'start' }
  | { type: 'message'; from: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** A connection to a peer opened (the first), or closed (the last). */
  | { type: 'connected'; peer: PeerIdString }
  | { type: 'disconnected'; peer: PeerIdString }
  /** In place of the timer `lone-start`: it is due, but somebody is being dialled right now. */
  | { type: 'meeting' }
  /** This peer saw every own address of `peer` refuse it: the crash fast path. */
  | { type: 'refused'; peer: PeerIdString }
  /** This process's event loop ran late: it may be slow to hear others. */
  | { type: 'lag' }
  /** Change what this peer says about itself. */
  | { type: 'update'; change: Partial<MemberMetadata> }
  | { type: 'leave' }

export type SwimEffect =
  | TimerEffect
  | { type: 'send'; to: PeerIdString; message: SwimMessage }
  | { type: 'gossip'; record: Signed }
  /** The state of the layer above that came with a push-pull; precedes the members that came along. */
  | { type: 'merge'; from: PeerIdString; state: Uint8Array }
  /** A member is new or changed. */
  | { type: 'member'; member: Member; previous: Member | undefined }
  /** A dead or left member was kept long enough and is forgotten. */
  | { type: 'dropped'; id: PeerIdString }
  /** `id` elects by other terms than this peer, so it is not admitted. */
  | { type: 'foreign'; id: PeerIdString }
  /** In a large cluster: with whom to stay connected. Undefined: with all again. */
  | { type: 'neighbours'; ids: PeerIdString[] | undefined }
  | { type: 'ready' }
