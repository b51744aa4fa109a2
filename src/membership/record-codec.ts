/** Encodes and decodes records. The decoder checks the type, size and range of every field. */
import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { InvalidMessageError } from '../common/errors.ts'
import {
  RecordPayload,
  type Accusation as WireAccusation,
  type SelfRecord as WireSelf
} from '../wire/membership.gen.ts'
import type { MemberMetadata, Role } from './core/member.ts'
import type { Accusation, AccusationKind, MemberRecord, SelfRecord } from './core/record.ts'
import { RECORD_LIMITS } from './record-limits.ts'

const ROLES: readonly Role[] = ['auto', 'leader', 'worker']
/** The form of `process.versions.node`, including builds that are not releases. The empty string means that the version is unknown. */
const NODE = /^(?:\d+\.\d+\.\d+(?:[-+.][\w.+-]*)?)?$/
const KINDS: readonly AccusationKind[] = ['silent', 'refused']

/** @throws InvalidMessageError if a field of `record` is out of range */
export function encodeRecord(record: MemberRecord): Uint8Array<ArrayBuffer> {
  checkRecord(record)
  if (record.type === 'accusation') {
    const { accuser, target, incarnation, kind } = record
    return RecordPayload.encode({ accusation: { accuser, target, incarnation, kind } })
  }
  const { member, state, incarnation, revision, metadata } = record
  const tags = new Map(Object.entries(metadata.tags))
  return RecordPayload.encode({
    self: { ...metadata, tags, member, left: state === 'left', incarnation, revision }
  })
}

/** @throws InvalidMessageError */
export function decodeRecord(payload: Uint8Array): MemberRecord {
  const { addresses, tags } = RECORD_LIMITS
  let wire: RecordPayload
  try {
    wire = RecordPayload.decode(payload, { limits: { self: { addresses, tags } } })
  } catch (cause) {
    throw new InvalidMessageError('member record: not protobuf, or too many addresses or tags', { cause })
  }
  check((wire.self === undefined) !== (wire.accusation === undefined), 'neither self record nor accusation')
  const record = wire.self !== undefined ? selfRecord(wire.self) : accusation(wire.accusation!)
  checkRecord(record)
  return record
}

function selfRecord({ member, left, incarnation, revision, tags, role, ...rest }: WireSelf): SelfRecord {
  const metadata = { ...rest, role: oneOf(role, ROLES, 'role'), tags: Object.fromEntries(tags) }
  return { type: 'self', member, state: left ? 'left' : 'alive', incarnation, revision, metadata }
}

function accusation({ accuser, target, incarnation, kind }: WireAccusation): Accusation {
  return { type: 'accusation', accuser, target, incarnation, kind: oneOf(kind, KINDS, 'kind') }
}

function checkRecord(record: MemberRecord): void {
  checkCount(record.incarnation, 'incarnation')
  if (record.type === 'accusation') {
    checkPeerId(record.accuser)
    checkPeerId(record.target)
    check(record.accuser !== record.target, 'accuses itself')
    return
  }
  checkPeerId(record.member)
  checkCount(record.revision, 'revision')
  checkMetadata(record.member, record.metadata)
}

/** Checks the metadata of a member. */
export function checkMetadata(member: string, metadata: MemberMetadata): void {
  const { addresses, slots, electionPriority, tags, version, node, host, electorate } = metadata
  check(addresses.length <= RECORD_LIMITS.addresses, `more than ${RECORD_LIMITS.addresses} addresses`)
  for (const address of addresses) checkAddress(address, member)
  check(Number.isSafeInteger(slots) && slots >= 0 && slots <= RECORD_LIMITS.slots, 'slots out of range')
  check((electionPriority | 0) === electionPriority, 'election priority out of range')
  const entries = Object.entries(tags)
  check(entries.length <= RECORD_LIMITS.tags, `more than ${RECORD_LIMITS.tags} tags`)
  for (const [key, value] of entries) {
    check(key.length > 0 && key.length <= RECORD_LIMITS.tagKeyLength, 'tag name empty or too long')
    check(value.length <= RECORD_LIMITS.tagValueLength, 'tag value too long')
  }
  check(version.length <= RECORD_LIMITS.versionLength, 'version too long')
  check(node.length <= RECORD_LIMITS.nodeLength && NODE.test(node), 'not a version of Node')
  check(host.length <= RECORD_LIMITS.hostLength, 'host too long')
  check(electorate.length <= RECORD_LIMITS.electorateLength, 'electorate too long')
}

/** Checks a multiaddr. A PeerId in the multiaddr must be the PeerId of the member. Otherwise a member could direct dials at other peers. */
function checkAddress(address: string, member: string): void {
  check(address.length <= RECORD_LIMITS.addressLength, 'address too long')
  let components: ReturnType<ReturnType<typeof multiaddr>['getComponents']>
  try {
    components = multiaddr(address).getComponents()
  } catch (cause) {
    throw new InvalidMessageError('member record: not a multiaddr', { cause })
  }
  check(components.length > 0, 'empty address')
  check(
    components.every(({ name, value }) => name !== 'p2p' || value === member),
    'address of another peer'
  )
}

/** Checks that a PeerId has its canonical text form, because two texts for one peer would be two members. */
export function checkPeerId(id: string): void {
  check(id.length <= RECORD_LIMITS.peerIdLength, 'PeerId too long')
  let canonical: string
  try {
    canonical = peerIdFromString(id).toString()
  } catch (cause) {
    throw new InvalidMessageError('membership: not a PeerId', { cause })
  }
  check(canonical === id, 'PeerId not in canonical form')
}

export function checkCount(value: number, what: string): void {
  check(Number.isSafeInteger(value) && value >= 0, `${what} out of range`)
}

export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new InvalidMessageError(`membership: ${what}`)
}

function oneOf<T extends string>(value: string, allowed: readonly T[], what: string): T {
  check((allowed as readonly string[]).includes(value), `unknown ${what}`)
  return value as T
}
