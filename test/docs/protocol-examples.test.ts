/** Compares the byte examples of docs/protocol.md with the codecs. The author of a peer in another language can test the peer with these examples. */
import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { Uint8ArrayList } from 'uint8arraylist'
import { expect, test } from 'vitest'
import { createStatements } from '../../src/election/statements.ts'
import { digestOf as digestOfTerms, leaseTerms } from '../../src/election/voters.ts'
import { createBatchSeal } from '../../src/jobs/protocol/batch-seal.ts'
import { createAckProofs } from '../../src/membership/ack-proofs.ts'
import type { SwimMessage } from '../../src/membership/core/messages.ts'
import { Neighbours } from '../../src/membership/core/neighbours.ts'
import { RecordSigner } from '../../src/membership/record-signer.ts'
import { decodeEnvelope, encodeEnvelope, swimCodec } from '../../src/membership/swim-codec.ts'
import { decodeFrame, encodeAck, encodeFrame, FrameFlag } from '../../src/network/channel/frame-format.ts'
import { clusterIdentity, mdnsServiceTag, parseClusterKey } from '../../src/network/cluster-key.ts'
import { isSignedBy } from '../../src/network/signature.ts'
import { hintOf, KeyRing } from '../../src/network/transport/key-ring.ts'
import { digestOf } from '../../src/tasks/values/canonical.ts'
import { decode, encode } from '../../src/tasks/values/payload.ts'
import { SignedStatement } from '../../src/wire/election.gen.ts'
import { bare, tables } from './wire-tables.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const utf8 = (...parts: (string | Uint8Array)[]): Uint8Array => Buffer.concat(parts.map(part => Buffer.from(part)))

const values = new Map(tables('what').map(([what = '', bytes]) => [what, bare(bytes)]))
const example = (what: string): string => values.get(what)?.replaceAll(' ', '') ?? ''
const bytesOf = (what: string): Uint8Array => Buffer.from(example(what), 'hex')

const key = Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => i)).toString('base64url')
const { clusterId, psks } = clusterIdentity('lab', parseClusterKey(key))
const privateKey = await generateKeyPairFromSeed(
  'Ed25519',
  Uint8Array.from({ length: 32 }, (_, i) => 255 - i)
)
const self = peerIdFromPrivateKey(privateKey).toString()
const recordSigner = new RecordSigner({ privateKey, clusterId })
const metadata = {
  addresses: [`/ip4/192.0.2.1/tcp/4001/p2p/${self}`],
  slots: 4,
  role: 'auto',
  electionPriority: -1,
  tags: { gpu: 'a100' },
  version: '0.1.0',
  node: '',
  host: '',
  electorate: '',
  hasDisk: false
} as const
const own = { type: 'self', member: self, state: 'alive', incarnation: 3, revision: 1 } as const

test('the values derived from a key and a cluster name match docs/protocol.md', () => {
  const [psk] = psks as [Uint8Array]
  const [header, base, secret] = Buffer.from(psk).toString().split('\n')
  expect([header, base]).toEqual(['/key/swarm/psk/1.0.0/', '/base16/'])
  const derived = (info: string, length: number): string =>
    hex(new Uint8Array(hkdfSync('sha256', psk, '', info, length)))
  expect(Object.fromEntries(values)).toMatchObject({
    'the key, as it is written': key,
    'its cluster id': clusterId,
    'its pre-shared key': secret,
    'its key id': derived('p2p-worker key id', 16),
    'its check': derived('p2p-worker key check', 16),
    'its hint key': derived('p2p-worker key hint', 32),
    'the id of the cluster `lab` without a key': clusterIdentity('lab', undefined).clusterId,
    'the mDNS service tag of `lab`': mdnsServiceTag('lab'),
    'the PeerId': self
  })
})

test('a hint consists of 16 random bytes and their MAC with the hint key of docs/protocol.md', () => {
  const ring = new KeyRing(psks)
  const { id, check } = ring.first
  expect([id, hex(check)]).toEqual([values.get('its key id'), values.get('its check')])
  const hint = hintOf(ring.first)
  const mac = createHmac('sha256', Buffer.from(values.get('its hint key') ?? '', 'hex')).update(hint.subarray(0, 16))
  expect(hex(hint.subarray(16))).toBe(mac.digest('hex').slice(0, 32))
})

test('the codecs encode and decode the ping, the frame of the ping and the acknowledgement of docs/protocol.md', () => {
  const message: SwimMessage = { type: 'ping', seq: 42, accusations: [] }
  const bytes = swimCodec(recordSigner).encode(message)
  expect(hex(bytes)).toBe(example('`ping` with `seq` 42'))
  const framed = example('that `ping` as one frame: length, flags *last*, payload')
  expect(hex(encodeFrame(FrameFlag.last, bytes).subarray())).toBe(framed)
  expect(swimCodec(recordSigner).decode(bytesOf('`ping` with `seq` 42'))).toMatchObject(message)
  const ack = 'an acknowledgement as a frame, `received` 1024 and `consumed` 36'
  expect(hex(encodeAck({ received: 1024, consumed: 36 }).subarray())).toBe(example(ack))
  const frame = decodeFrame(new Uint8ArrayList(bytesOf(ack).subarray(1)))
  expect(frame).toEqual({ type: 'ack', ack: { received: 1024, consumed: 36 } })
})

test('the self record of docs/protocol.md matches the signed bytes and the decoded record', () => {
  const bytes = bytesOf('the self record as an `Envelope`')
  expect(recordSigner.verify(decodeEnvelope(bytes)).record).toEqual({ ...own, metadata })
  const signed = recordSigner.sign({ ...own, metadata: { ...metadata, addresses: [...metadata.addresses] } })
  expect(hex(encodeEnvelope(signed.envelope))).toBe(hex(bytes))
})

test('the COORDINATOR of docs/protocol.md matches the signed bytes and the decoded claim', () => {
  const bytes = bytesOf('the COORDINATOR as a `SignedStatement`')
  const statements = createStatements(clusterId, privateKey)
  const claim = { epoch: 7, leader: self, priority: 0, goAheads: [] }
  expect(statements.readCoordinator(bytes)).toMatchObject(claim)
  expect(hex(statements.signer.coordinator(claim).signed)).toBe(hex(bytes))
})

test('the values and digests of docs/protocol.md match the codecs', () => {
  expect(hex(encode(-0, 'value'))).toBe(example('the value -0'))
  expect(decode(bytesOf('the value -0'), 'value')).toBe(-0)
  expect(hex(encode('é', 'value'))).toBe(example('the text `é`'))
  expect(hex(digestOf(-0))).toBe(example('the digest of the chunk -0'))
  expect(hex(digestOf({ from: 0, to: 100 }))).toBe(example('the digest of the chunk `{ from: 0, to: 100 }`'))
})

test('every signature covers the bytes that docs/protocol.md names', () => {
  const { payload, signature } = recordSigner.sign({ ...own, metadata: { ...metadata, addresses: [] } }).envelope
  expect(isSignedBy(self, utf8(`p2p-worker/membership-record/1\0${clusterId}\0`, payload), signature)).toBe(true)

  const proof = createAckProofs({ privateKey, clusterId }).sign({ origin: self, nonce: 12 })
  expect(isSignedBy(self, utf8(`p2p-worker/membership-answer/1\0${clusterId}\0${self}\0`, '12'), proof)).toBe(true)

  const { signer } = createStatements(clusterId, privateKey)
  const statements = {
    coordinator: signer.coordinator({ epoch: 1, leader: self, priority: 0, goAheads: [] }),
    'go-ahead': signer.goAhead({ from: self, fromEpoch: 1, to: self }),
    'relayed message': signer.relayed({ from: self, to: self, nonce: 1, kind: 'request', accepted: undefined })
  }
  for (const [kind, { signed }] of Object.entries(statements)) {
    const statement = SignedStatement.decode(signed)
    const bytes = utf8(`p2p-worker ${kind} ${clusterId}\n`, statement.payload)
    expect(isSignedBy(self, bytes, statement.signature), kind).toBe(true)
  }

  // The varint 300 has two bytes (ac 02).
  const [indices, digests] = [[3, 300], new Uint8Array(32).fill(7)]
  const chunks = createHash('sha256')
    .update(Uint8Array.of(3, 0xac, 2))
    .update(digests)
    .digest('hex')
  const terms = { job: 'job-1', sha256: 'ab'.repeat(32), worker: self, epoch: 5, indices, digests }
  const bytes = utf8(['p2p-worker batch', clusterId, 'job-1', terms.sha256, self, '5', chunks].join('\n'))
  expect(isSignedBy(self, bytes, createBatchSeal(clusterId, privateKey).seal(terms))).toBe(true)
})

test('the digest of lease terms is the hash of the JSON text in docs/protocol.md', async () => {
  const seeds = [1, 2, 3].map(number => new Uint8Array(32).fill(number))
  const keys = await Promise.all(seeds.map(seed => generateKeyPairFromSeed('Ed25519', seed)))
  const voters = keys.map(voter => peerIdFromPrivateKey(voter).toString())
  const json = JSON.stringify([voters.toSorted(), 1000, 0.01])
  const digest = createHash('sha256').update(json).digest('hex').slice(0, 32)
  expect(digestOfTerms(leaseTerms(voters, 1000))).toBe(digest)
})

test('the neighbours in a large cluster are the peers directly before and after on each ring of docs/protocol.md', () => {
  const modulo = (value: number): number => value >>> 0
  const placeOf = (id: string, ring: number): number => {
    let x = 0x811c9dc5
    for (const character of id) x = modulo(Math.imul(x ^ character.charCodeAt(0), 0x01000193))
    x = modulo(x + (ring + 1) * 0x9e3779b9)
    x = modulo(Math.imul(x ^ (x >>> 16), 0x85ebca6b))
    x = modulo(Math.imul(x ^ (x >>> 13), 0xc2b2ae35))
    return modulo(x ^ (x >>> 16))
  }
  const ids = Array.from({ length: 200 }, (_, i) => `${self.slice(0, -3)}${i + 100}`)
  const own = ids[0] ?? ''
  const expected = new Set<string>()
  for (let ring = 0; ring < 8; ring++) {
    const order = ids.toSorted((a, b) => placeOf(a, ring) - placeOf(b, ring))
    const at = order.indexOf(own)
    for (const step of [-1, 1]) expected.add(order.at((at + step) % order.length) ?? '')
  }
  const neighbours = new Neighbours(own, 64)
  for (const id of ids) neighbours.update(id, true)
  expect(neighbours.ids().toSorted()).toEqual([...expected].toSorted())
})
