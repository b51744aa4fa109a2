import { generateKeyPair } from '@libp2p/crypto/keys'
import type { PrivateKey } from '@libp2p/interface'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { beforeAll, expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import type { MemberMetadata } from '../../src/membership/core/member.ts'
import type { Envelope, MemberRecord, SelfRecord } from '../../src/membership/core/record.ts'
import { RecordSigner } from '../../src/membership/record-signer.ts'
import { RecordPayload, Accusation as WireAccusation } from '../../src/wire/membership.gen.ts'

const CLUSTER = '0123456789abcdef'

interface Identity {
  id: string
  key: PrivateKey
  signer: RecordSigner
}

async function identity(clusterId = CLUSTER, type: 'Ed25519' | 'secp256k1' = 'Ed25519'): Promise<Identity> {
  const key = await generateKeyPair(type as 'Ed25519')
  return { id: peerIdFromPrivateKey(key).toString(), key, signer: new RecordSigner({ privateKey: key, clusterId }) }
}

let alice: Identity
let mallory: Identity
let reader: RecordSigner

beforeAll(async () => {
  alice = await identity()
  mallory = await identity()
  reader = (await identity()).signer
})

function record(member: string, metadata: Partial<MemberMetadata> = {}, change: Partial<SelfRecord> = {}): SelfRecord {
  return {
    type: 'self',
    member,
    state: 'alive',
    incarnation: 3,
    revision: 2,
    metadata: {
      addresses: [`/ip4/127.0.0.1/tcp/4001/p2p/${member}`, '/dns4/host/tcp/4001'],
      slots: 8,
      role: 'worker',
      electionPriority: -5,
      tags: { gpu: 'yes', zone: 'Zürich' },
      version: '1.2.3',
      node: '26.10.0',
      host: 'abc',
      electorate: '',
      hasDisk: false,
      ...metadata
    },
    ...change
  }
}

/** Signs `payload` as `author` without any check, as a member with a modified program could. */
async function forge(author: Identity, payload: Uint8Array<ArrayBuffer>, cluster = CLUSTER): Promise<Envelope> {
  const prefix = new TextEncoder().encode(`p2p-worker/membership-record/1\0${cluster}\0`)
  const bytes = new Uint8Array(prefix.length + payload.length)
  bytes.set(prefix)
  bytes.set(payload, prefix.length)
  return { payload, signature: new Uint8Array(await author.key.sign(bytes)) }
}

function wireSelf(self: SelfRecord) {
  const { metadata, state, ...rest } = self
  return { ...metadata, ...rest, tags: new Map(Object.entries(metadata.tags)), left: state === 'left' }
}

test('a verified record equals the record that was signed', () => {
  const records: MemberRecord[] = [
    record(alice.id),
    record(alice.id, { tags: {}, addresses: [] }, { state: 'left' }),
    { type: 'accusation', accuser: alice.id, target: mallory.id, incarnation: 9, kind: 'refused' }
  ]
  for (const each of records) expect(reader.verify(alice.signer.sign(each).envelope).record).toEqual(each)
})

test('a peer verifies an envelope one time, and relays the envelope unchanged', () => {
  const { envelope } = alice.signer.sign(record(alice.id))
  const opened = reader.verify(envelope)
  expect(opened.envelope).toEqual(envelope)
  expect(reader.verify({ ...envelope })).toBe(opened)
})

test('a self record that another peer signed is refused', async () => {
  const payload = RecordPayload.encode({ self: wireSelf(record(alice.id)) })
  const forged = await forge(mallory, payload)
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
  expect(() => mallory.signer.sign(record(alice.id))).toThrow(InvalidMessageError)
})

test('an accusation in the name of a peer that did not sign it is refused', async () => {
  const payload = RecordPayload.encode({
    accusation: { accuser: alice.id, target: mallory.id, incarnation: 0, kind: 'refused' }
  })
  const forged = await forge(mallory, payload)
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

test('the helper `forge` makes a record that is accepted when the record’s member signs it', async () => {
  const payload = RecordPayload.encode({ self: wireSelf(record(alice.id)) })
  expect(reader.verify(await forge(alice, payload)).record).toEqual(record(alice.id))
})

test('a record of another cluster is refused', async () => {
  const stranger = new RecordSigner({ privateKey: alice.key, clusterId: 'fedcba9876543210' })
  const { envelope } = stranger.sign(record(alice.id))
  expect(() => reader.verify(envelope)).toThrow(InvalidMessageError)
})

test('an envelope with a changed bit in the payload or the signature is refused', () => {
  const { envelope } = alice.signer.sign(record(alice.id))
  for (let bit = 0; bit < envelope.payload.length * 8; bit += 37) {
    const payload = envelope.payload.slice()
    payload[bit >> 3]! ^= 1 << (bit & 7)
    expect(() => reader.verify({ ...envelope, payload })).toThrow(InvalidMessageError)
  }
  for (let byte = 0; byte < 64; byte++) {
    const signature = envelope.signature.slice()
    signature[byte]! ^= 1
    expect(() => reader.verify({ ...envelope, signature })).toThrow(InvalidMessageError)
  }
})

test('a record of a peer is refused if its PeerId does not contain the public key', async () => {
  const other = await identity(CLUSTER, 'secp256k1')
  const payload = RecordPayload.encode({ self: wireSelf(record(other.id)) })
  const forged = await forge(other, payload)
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

test('a record with a PeerId in a different text encoding is refused', async () => {
  const { peerIdFromString } = await import('@libp2p/peer-id')
  const spelt = peerIdFromString(alice.id).toCID().toString()
  const payload = RecordPayload.encode({ self: wireSelf(record(spelt, { addresses: [] })) })
  const forged = await forge(alice, payload)
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

const bad: Array<[string, Partial<MemberMetadata>]> = [
  ['17 addresses', { addresses: Array.from({ length: 17 }, () => '/dns4/host/tcp/1') }],
  ['an address of 257 characters', { addresses: [`/dns4/${'h'.repeat(245)}/tcp/1`] }],
  ['an address that is not a multiaddr', { addresses: ['http://example.com'] }],
  ['an empty address', { addresses: [''] }],
  ['33 tags', { tags: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`t${i}`, ''])) }],
  ['a tag name of 65 characters', { tags: { ['t'.repeat(65)]: '' } }],
  ['a tag without a name', { tags: { '': 'x' } }],
  ['a tag value of 257 characters', { tags: { t: 'x'.repeat(257) } }],
  ['a version of 65 characters', { version: 'v'.repeat(65) }],
  ['a version of Node of 65 characters', { node: `26.10.0-${'n'.repeat(57)}` }],
  ['an invalid version of Node', { node: '26' }],
  ['a version of Node with an escape sequence in it', { node: '26.10.0\u001b[2J' }],
  ['a host of 65 characters', { host: 'h'.repeat(65) }],
  ['an electorate of 65 characters', { electorate: 'q'.repeat(65) }],
  ['4,097 slots', { slots: 4_097 }],
  [
    'more than 8 KiB in total',
    { tags: Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`t${i}`, 'x'.repeat(256)])) }
  ]
]

test.each(bad)('the signer and the receiver refuse a record with %s', async (_, metadata) => {
  const self = record(alice.id, metadata)
  expect(() => alice.signer.sign(self)).toThrow(InvalidMessageError)
  const forged = await forge(alice, RecordPayload.encode({ self: wireSelf(self) }))
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

test('a record with an address that names another peer is refused', async () => {
  const self = record(alice.id, { addresses: [`/ip4/127.0.0.1/tcp/1/p2p/${mallory.id}`] })
  const forged = await forge(alice, RecordPayload.encode({ self: wireSelf(self) }))
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

const accusations: Array<[string, { accuser: 'A' | 'B'; target: 'A' | 'B'; kind: string }]> = [
  ['an unknown kind', { accuser: 'A', target: 'B', kind: 'dead' }],
  ['the same peer as accuser and target', { accuser: 'A', target: 'A', kind: 'silent' }]
]

test.each(accusations)('an accusation with %s is refused', async (_, { accuser, target, kind }) => {
  const ids = { A: alice.id, B: mallory.id }
  const payload = RecordPayload.encode({
    accusation: { accuser: ids[accuser], target: ids[target], incarnation: 0, kind }
  })
  const forged = await forge(alice, payload)
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

test('an incarnation of 2^53 or more is refused', async () => {
  const valid = WireAccusation.encode({ accuser: alice.id, target: mallory.id, incarnation: 0, kind: 'silent' })
  // The field `incarnation` again, with 2^53 as a varint. Protobuf uses the last value of a repeated field.
  const incarnation = [0x18, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]
  const inner = [...valid, ...incarnation]
  const payload = Uint8Array.from([0x12, (inner.length & 0x7f) | 0x80, inner.length >> 7, ...inner])
  const forged = await forge(alice, payload)
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
  const harmless = Uint8Array.from([0x12, (valid.length & 0x7f) | 0x80, valid.length >> 7, ...valid])
  expect(reader.verify(await forge(alice, harmless)).record).toMatchObject({ accuser: alice.id, incarnation: 0 })
})

test('an empty payload is refused', async () => {
  const forged = await forge(alice, new Uint8Array())
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})

test('a payload with both a self record and an accusation is refused', async () => {
  const accusation = { accuser: alice.id, target: mallory.id, incarnation: 0, kind: 'silent' }
  const forged = await forge(alice, RecordPayload.encode({ self: wireSelf(record(alice.id)), accusation }))
  expect(() => reader.verify(forged)).toThrow(InvalidMessageError)
})
