/** The records that members sign and relay. Members send data about other members only in these records. */
import type { PeerIdString } from '../../network/types.ts'
import type { MemberMetadata } from './member.ts'

/** A member's record of itself. Only the signature of that member makes the record valid. */
export interface SelfRecord {
  type: 'self'
  member: PeerIdString
  state: 'alive' | 'left'
  incarnation: number
  revision: number
  metadata: MemberMetadata
}

/** `silent`: the target answered no probe. `refused`: the kernel of the target's machine refused connections at the target's own addresses. */
export type AccusationKind = 'silent' | 'refused'

/** One member's evidence against one incarnation of another member. A single accusation does not make the accused member dead. */
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

/** The bytes that the author signed, and the signature. Peers relay both unchanged. */
export interface Envelope {
  payload: Uint8Array<ArrayBuffer>
  signature: Uint8Array<ArrayBuffer>
}

/** A record with a valid signature: this peer has verified the signature or made it. `envelope` is relayed. */
export interface Signed<R extends MemberRecord = MemberRecord> {
  readonly record: R
  readonly envelope: Envelope
}

/** The function with which the core signs records of this peer. */
export type Sign = <R extends MemberRecord>(record: R) => Signed<R>

/** Whether two self records with the same incarnation and revision have the same content. */
export function sameContent(a: SelfRecord, b: SelfRecord): boolean {
  return a.state === b.state && canonical(a.metadata) === canonical(b.metadata)
}

function canonical(metadata: MemberMetadata): string {
  const { addresses, slots, role, electionPriority, version, node, host, electorate, hasDisk } = metadata
  const tags = Object.entries(metadata.tags).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([addresses, slots, role, electionPriority, version, node, host, electorate, hasDisk, tags])
}
