/** The records that members sign and relay. No other data about members is sent. */
import type { PeerIdString } from '../../network/types.ts'
import type { MemberMetadata } from './member.ts'

/** A member's record of itself, valid only with its own signature. */
export interface SelfRecord {
  type: 'self'
  member: PeerIdString
  state: 'alive' | 'left'
  incarnation: number
  revision: number
  metadata: MemberMetadata
}

/** `silent`: the target answered no probe; `refused`: the kernel at the target's own addresses refused connections. */
export type AccusationKind = 'silent' | 'refused'

/** One member's evidence against one incarnation of another member. It is no verdict. */
export interface Accusation {
  type: 'accusation'
  accuser: PeerIdString
  target: PeerIdString
  incarnation: number
  kind: AccusationKind
}

export type MemberRecord = SelfRecord | Accusation

export function authorOf(record: MemberRecord): PeerIdString {
  return record.type === 'self' ? record.member : record.accuser
}

/** The bytes that the author signed, which are relayed unchanged. */
export interface Envelope {
  payload: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
}

/** A record whose signature was verified on arrival (or made here), with the envelope to relay. */
export interface Signed<R extends MemberRecord = MemberRecord> {
  readonly record: R
  readonly envelope: Envelope
}

/** A function that signs the records of this peer, for the core. */
export type Sign = <R extends MemberRecord>(record: R) => Signed<R>

/** Whether two self records with the same incarnation and revision have the same content. */
export function sameContent(a: SelfRecord, b: SelfRecord): boolean {
  return a.state === b.state && canonical(a.metadata) === canonical(b.metadata)
}

function canonical(metadata: MemberMetadata): string {
  const { addresses, slots, role, electionPriority, version, node, host, quorum } = metadata
  const tags = Object.entries(metadata.tags).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([addresses, slots, role, electionPriority, version, node, host, quorum, tags])
}
