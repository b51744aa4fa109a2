/** The codec of the direct protocol `swim` and of the gossip topic. The decoder checks every field and verifies every signature. */
import { setImmediate as turn } from 'node:timers/promises'
import { InvalidMessageError } from '../common/errors.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { SwimMessage as Wire, type SyncEntry as WireEntry, Envelope as WireEnvelope } from '../wire/membership.gen.ts'
import type { SwimMessage, SyncEntry } from './core/messages.ts'
import type { Envelope, MemberRecord, Signed } from './core/record.ts'
import { check, checkCount, checkPeerId } from './record-codec.ts'
import { type RecordSigner, SIGNATURE_BYTES } from './record-signer.ts'

const MAX_ENTRIES = 10_000
/** The limit of accusations in a ping, and of each member in a push-pull. The limit is twice the number that the table keeps. */
const MAX_ACCUSATIONS = 8
const MAX_RECORDS = 64
/** The limit of the state that a {@link PushPullDelegate} adds to a push-pull, in bytes. */
export const MAX_STATE_BYTES = 64 * 1024
/** The largest message in bytes. In a push-pull, each member takes about 500 bytes. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024

/** The largest push-pull (bytes) that is decoded in one turn. Verifying the 35,000 signatures of a larger push-pull may take seconds. */
const QUICK_BYTES = 32 * 1024
/** The number of signatures that are verified in one turn of the event loop. Verifying them takes about 6 ms. */
const TURN = 64

const LIMITS = {
  ping: { accusations: MAX_ACCUSATIONS },
  sync: { entries: MAX_ENTRIES, entries$: { accusations: MAX_ACCUSATIONS } },
  records: { records: MAX_RECORDS }
}

/** Returns the protocol between members. A peer that does not speak this protocol is not a member, for example a client. */
export function swimProtocol(signer: RecordSigner): ProtocolSpec<SwimMessage> {
  return { name: 'swim', codec: swimCodec(signer), maxMessageBytes: MAX_MESSAGE_BYTES, needs: 'join' }
}

/** The codec of the messages. `decode` throws InvalidMessageError on invalid bytes and forged records. */
export function swimCodec(signer: RecordSigner): Codec<SwimMessage> {
  return {
    encode: message => Wire.encode(toWire(message)),
    decode: bytes => fromWire(parse(bytes), signer),
    decodeInTurns: bytes => (bytes.length <= QUICK_BYTES ? undefined : fromWireInTurns(bytes, signer))
  }
}

export function encodeEnvelope(envelope: Envelope): Uint8Array {
  return WireEnvelope.encode(envelope)
}

/** @throws InvalidMessageError */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  try {
    return WireEnvelope.decode(bytes)
  } catch (cause) {
    throw new InvalidMessageError('membership: not an envelope', { cause })
  }
}

function toWire(message: SwimMessage): Partial<Wire> {
  switch (message.type) {
    case 'ping':
      return { ping: { seq: message.seq, accusations: message.accusations.map(envelopeOf), asker: message.asker } }
    case 'ack':
      return { ack: { seq: message.seq, proof: message.proof && new Uint8Array(message.proof), wall: message.wall } }
    case 'nack':
      return { nack: { seq: message.seq } }
    case 'ping-req':
      return { pingReq: { ...message, within: Math.round(message.within) } }
    case 'sync':
      return {
        sync: {
          reply: message.reply,
          state: new Uint8Array(message.state),
          entries: message.entries.map(({ record, accusations, downFor }) => ({
            record: record.envelope,
            accusations: accusations.map(envelopeOf),
            downFor
          }))
        }
      }
    case 'records':
      return { records: { records: message.records.map(envelopeOf) } }
  }
}

function parse(bytes: Uint8Array): Wire {
  try {
    return Wire.decode(bytes, { limits: LIMITS })
  } catch (cause) {
    throw new InvalidMessageError('swim message: not protobuf, or too many records', { cause })
  }
}

/** Decodes a large message over several turns of the event loop. Only a push-pull can be large. */
async function fromWireInTurns(bytes: Uint8Array, signer: RecordSigner): Promise<SwimMessage> {
  const wire = parse(bytes)
  const { sync } = wire
  if (sync === undefined) return fromWire(wire, signer)
  // Check all fields except the entries in this turn.
  fromWire({ ...wire, sync: { ...sync, entries: [] } }, signer)
  const entries: SyncEntry[] = []
  let verified = 0
  for (const entry of sync.entries) {
    entries.push(entryOf(entry, signer))
    verified += 1 + entry.accusations.length
    if (verified < TURN) continue
    verified = 0
    await turn()
  }
  return { type: 'sync', reply: sync.reply, entries, state: sync.state }
}

function entryOf({ record, accusations, downFor }: WireEntry, signer: RecordSigner): SyncEntry {
  checkCount(downFor, 'downFor')
  check(record !== undefined, 'entry without a record')
  return {
    record: verified(signer, record, 'self'),
    accusations: accusations.map(envelope => verified(signer, envelope, 'accusation')),
    downFor
  }
}

function fromWire(wire: Wire, signer: RecordSigner): SwimMessage {
  const { ping, ack, nack, pingReq, sync, records } = wire
  const kinds = [ping, ack, nack, pingReq, sync, records].filter(part => part !== undefined)
  check(kinds.length === 1, 'swim message: exactly one kind is allowed')
  if (ping !== undefined) {
    checkCount(ping.seq, 'seq')
    const { seq, asker } = ping
    if (asker !== undefined) {
      checkPeerId(asker.origin)
      checkCount(asker.nonce, 'nonce')
    }
    return {
      type: 'ping',
      seq,
      accusations: ping.accusations.map(envelope => verified(signer, envelope, 'accusation')),
      asker
    }
  }
  if (ack !== undefined) {
    checkCount(ack.seq, 'seq')
    check(ack.proof === undefined || ack.proof.length === SIGNATURE_BYTES, 'a proof that is no signature')
    if (ack.wall !== undefined) checkCount(ack.wall, 'a time')
    return { type: 'ack', seq: ack.seq, proof: ack.proof, wall: ack.wall }
  }
  if (nack !== undefined) {
    checkCount(nack.seq, 'seq')
    return { type: 'nack', seq: nack.seq }
  }
  if (pingReq !== undefined) {
    checkCount(pingReq.seq, 'seq')
    checkPeerId(pingReq.target)
    const { seq, target, within, nonce } = pingReq
    if (nonce !== undefined) checkCount(nonce, 'nonce')
    return { type: 'ping-req', seq, target, within, nonce }
  }
  if (sync !== undefined) {
    check(sync.state.length <= MAX_STATE_BYTES, 'state too large')
    const entries = sync.entries.map(entry => entryOf(entry, signer))
    return { type: 'sync', reply: sync.reply, entries, state: sync.state }
  }
  return { type: 'records', records: records!.records.map(envelope => signer.verify(envelope)) }
}

function envelopeOf({ envelope }: Signed): Envelope {
  return envelope
}

function verified<Type extends MemberRecord['type']>(
  signer: RecordSigner,
  envelope: Envelope,
  type: Type
): Signed<Extract<MemberRecord, { type: Type }>> {
  const signed = signer.verify(envelope)
  check(signed.record.type === type, `a record that is no ${type} record`)
  return signed as Signed<Extract<MemberRecord, { type: Type }>>
}
