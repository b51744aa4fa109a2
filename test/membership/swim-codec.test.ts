import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { beforeAll, expect, test } from 'vitest'
import { InvalidMessageError } from '../../src/common/errors.ts'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import type { Accusation, SelfRecord, Signed } from '../../src/membership/core/record.ts'
import { RecordSigner } from '../../src/membership/record-signer.ts'
import { decodeEnvelope, swimCodec } from '../../src/membership/swim-codec.ts'
import type { Codec } from '../../src/network/types.ts'
import { SwimMessage as Wire } from '../../src/wire/membership.gen.ts'
import fc from '../properties.ts'
import { metadataOf } from '../simulation/membership.ts'

let codec: Codec<SwimMessage>
let id: string
let other: string
let self: Signed<SelfRecord>
let accusation: Signed<Accusation>

beforeAll(async () => {
  const privateKey = await generateKeyPair('Ed25519')
  const signer = new RecordSigner({ privateKey, clusterId: '0123456789abcdef' })
  id = peerIdFromPrivateKey(privateKey).toString()
  other = peerIdFromPrivateKey(await generateKeyPair('Ed25519')).toString()
  codec = swimCodec(signer)
  self = signer.sign<SelfRecord>({
    type: 'self',
    member: id,
    state: 'alive',
    incarnation: 0,
    revision: 0,
    metadata: metadataOf(id)
  })
  accusation = signer.sign<Accusation>({
    type: 'accusation',
    accuser: id,
    target: other,
    incarnation: 1,
    kind: 'silent'
  })
})

function messages(): SwimMessage[] {
  const state = Uint8Array.of(1, 2, 3)
  return [
    { type: 'ping', seq: 1, accusations: [] },
    { type: 'ping', seq: Number.MAX_SAFE_INTEGER, accusations: [accusation] },
    { type: 'ping', seq: 2, accusations: [], asker: { origin: other, nonce: 2 ** 48 - 1 } },
    { type: 'ack', seq: 0 },
    { type: 'ack', seq: 1, proof: new Uint8Array(64).fill(7) },
    { type: 'ack', seq: 2, wall: 1_795_000_000_000 },
    { type: 'nack', seq: 3 },
    { type: 'ping-req', seq: 5, target: other, within: 300 },
    { type: 'ping-req', seq: 5, target: other, within: 300, nonce: 9 },
    { type: 'sync', reply: false, entries: [], state: new Uint8Array() },
    { type: 'sync', reply: true, entries: [{ record: self, accusations: [accusation], downFor: 77 }], state },
    { type: 'records', records: [self, accusation] }
  ]
}

test('every decoded message equals the message that was encoded', () => {
  for (const message of messages()) expect(codec.decode(codec.encode(message))).toEqual(message)
})

function expectRefusedOrFine(bytes: Uint8Array): void {
  try {
    codec.decode(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMessageError)
  }
  try {
    decodeEnvelope(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMessageError)
  }
}

test('decoding garbage throws an InvalidMessageError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => expectRefusedOrFine(bytes)),
    { numRuns: 2_000 }
  )
})

test('decoding a message with changed, missing or inserted bytes returns a message or throws an InvalidMessageError', () => {
  const samples = messages().map(message => codec.encode(message))
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 4 }), fc.nat(4)), { minLength: 1, maxLength: 4 }),
      (sample, edits) => {
        const bytes = [...sample]
        for (const [at, put, removed] of edits) bytes.splice(at % (bytes.length + 1), removed, ...put)
        expectRefusedOrFine(Uint8Array.from(bytes))
      }
    ),
    { numRuns: 2_000 }
  )
})

test('the codec refuses a message with no kind, and a message with two kinds', () => {
  expect(() => codec.decode(new Uint8Array())).toThrow(InvalidMessageError)
  expect(() => codec.decode(Wire.encode({ ack: { seq: 1 }, pingReq: { seq: 1, target: id, within: 1 } }))).toThrow(
    InvalidMessageError
  )
})

test('the codec refuses a self record where an accusation belongs, and an accusation where a self record belongs', () => {
  expect(() => codec.decode(Wire.encode({ ping: { seq: 1, accusations: [self.envelope] } }))).toThrow(
    InvalidMessageError
  )
  const entry = { record: accusation.envelope, accusations: [], downFor: 0 }
  expect(() => codec.decode(Wire.encode({ sync: { reply: true, entries: [entry], state: new Uint8Array() } }))).toThrow(
    InvalidMessageError
  )
})

test('the codec refuses a message with too many records or with a number out of range', () => {
  const accusations = Array.from({ length: 9 }, () => accusation.envelope)
  expect(() => codec.decode(Wire.encode({ ping: { seq: 1, accusations } }))).toThrow(InvalidMessageError)
  const records = Array.from({ length: 65 }, () => self.envelope)
  expect(() => codec.decode(Wire.encode({ records: { records } }))).toThrow(InvalidMessageError)
  const state = new Uint8Array(64 * 1024 + 1)
  expect(() => codec.decode(Wire.encode({ sync: { reply: true, entries: [], state } }))).toThrow(InvalidMessageError)
  const asker = { origin: 'nobody', nonce: 1 }
  expect(() => codec.decode(Wire.encode({ ping: { seq: 1, accusations: [], asker } }))).toThrow(InvalidMessageError)
  for (const length of [0, 63, 65, 10_000]) {
    expect(() => codec.decode(Wire.encode({ ack: { seq: 1, proof: new Uint8Array(length) } }))).toThrow(
      InvalidMessageError
    )
  }
  // { ack: { seq: 2^53 } }
  const seq = [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]
  expect(() => codec.decode(Uint8Array.from([0x12, seq.length, ...seq]))).toThrow(InvalidMessageError)
  expect(() => codec.decode(Wire.encode({ pingReq: { seq: 1, target: 'nobody', within: 1 } }))).toThrow(
    InvalidMessageError
  )
})

test('the codec decodes a large push-pull over several turns of the event loop, with the same result', async () => {
  const privateKey = await generateKeyPair('Ed25519')
  const author = new RecordSigner({ privateKey, clusterId: '0123456789abcdef' })
  const accuser = peerIdFromPrivateKey(privateKey).toString()
  const entries = Array.from({ length: 200 }, (_, i) => {
    const accused = { type: 'accusation', accuser, target: id, kind: 'silent' } as const
    const accusations = [0, 1, 2, 3].map(j => author.sign({ ...accused, incarnation: 4 * i + j }))
    return { record: self, accusations, downFor: 0 }
  })
  const message: SwimMessage = { type: 'sync', reply: true, entries, state: Uint8Array.of(1) }
  const bytes = codec.encode(message)
  let turns = 0
  let immediate = setImmediate(function count() {
    turns += 1
    immediate = setImmediate(count)
  })
  const decoded = await codec.decodeInTurns?.(bytes)
  clearImmediate(immediate)
  expect(decoded).toEqual(codec.decode(bytes))
  // The codec verifies about 64 of the 1,000 signatures in each turn.
  expect(turns).toBeGreaterThan(10)
})

test('the codec refuses a large push-pull with a forged record in the middle', async () => {
  const entries = Array.from({ length: 200 }, () => ({ record: self, accusations: [], downFor: 0 }))
  const forged = { ...self, envelope: { ...self.envelope, signature: new Uint8Array(64) } }
  entries[150] = { record: forged, accusations: [], downFor: 0 }
  const bytes = codec.encode({ type: 'sync', reply: true, entries, state: new Uint8Array() })
  await expect(codec.decodeInTurns?.(bytes)).rejects.toThrow(InvalidMessageError)
})

test('the codec decodes a small message synchronously', () => {
  for (const message of messages()) expect(codec.decodeInTurns?.(codec.encode(message))).toBeUndefined()
})
