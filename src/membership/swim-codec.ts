/** The bytes of the direct protocol `swim` and of the gossip topic: what comes out of decode is checked and verified. */
import { InvalidMessageError } from '../errors.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { SwimMessage as Wire, Envelope as WireEnvelope } from '../wire/membership.gen.ts'
import type { SwimMessage, SyncEntry } from './messages.ts'
import type { Accusation, Envelope, SelfRecord, Signed } from './record.ts'
import { check, checkCount, checkPeerId } from './record-codec.ts'
import { type RecordSeal, SIGNATURE_BYTES } from './seal.ts'

const MAX_ENTRIES = 10_000
/** Per member, or on one ping: twice what the table keeps. */
const MAX_ACCUSATIONS = 8
const MAX_RECORDS = 64
/** Of the layer above, in bytes (see PushPullDelegate). */
export const MAX_STATE_BYTES = 64 * 1024
/** The largest message in bytes; a member takes about 500 in a push-pull. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024

const LIMITS = {
  ping: { accusations: MAX_ACCUSATIONS },
  sync: { entries: MAX_ENTRIES, entries$: { accusations: MAX_ACCUSATIONS } },
  records: { records: MAX_RECORDS }
}

/** The protocol between members. Whoever does not speak it (a client) is no member. */
export function swimProtocol(seal: RecordSeal): ProtocolSpec<SwimMessage> {
  return { name: 'swim', codec: swimCodec(seal), maxMessageBytes: MAX_MESSAGE_BYTES, needs: 'join' }
}

/** Between messages and bytes; decode throws InvalidMessageError on all that is not valid, forged records included. */
export function swimCodec(seal: RecordSeal): Codec<SwimMessage> {
  return { encode: message => Wire.encode(toWire(message)), decode: bytes => fromWire(bytes, seal) }
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
      return { ack: { seq: message.seq, proof: message.proof && new Uint8Array(message.proof) } }
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

function fromWire(bytes: Uint8Array, seal: RecordSeal): SwimMessage {
  let wire: Wire
  try {
    wire = Wire.decode(bytes, { limits: LIMITS })
  } catch (cause) {
    throw new InvalidMessageError('swim message: not protobuf, or too many records', { cause })
  }
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
    return { type: 'ping', seq, accusations: ping.accusations.map(envelope => accusation(seal, envelope)), asker }
  }
  if (ack !== undefined) {
    checkCount(ack.seq, 'seq')
    check(ack.proof === undefined || ack.proof.length === SIGNATURE_BYTES, 'a proof that is no signature')
    return { type: 'ack', seq: ack.seq, proof: ack.proof }
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
    const entries = sync.entries.map((entry): SyncEntry => {
      checkCount(entry.downFor, 'downFor')
      check(entry.record !== undefined, 'entry without a record')
      const record = selfRecord(seal, entry.record)
      const accusations = entry.accusations.map(envelope => accusation(seal, envelope))
      return { record, accusations, downFor: entry.downFor }
    })
    return { type: 'sync', reply: sync.reply, entries, state: sync.state }
  }
  return { type: 'records', records: records!.records.map(envelope => seal.open(envelope)) }
}

function envelopeOf({ envelope }: Signed): Envelope {
  return envelope
}

function selfRecord(seal: RecordSeal, envelope: Envelope): Signed<SelfRecord> {
  const signed = seal.open(envelope)
  check(isSelf(signed), 'an accusation where a self record belongs')
  return signed
}

function accusation(seal: RecordSeal, envelope: Envelope): Signed<Accusation> {
  const signed = seal.open(envelope)
  check(isAccusation(signed), 'a self record where an accusation belongs')
  return signed
}

function isSelf(signed: Signed): signed is Signed<SelfRecord> {
  return signed.record.type === 'self'
}

function isAccusation(signed: Signed): signed is Signed<Accusation> {
  return signed.record.type === 'accusation'
}
