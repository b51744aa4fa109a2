/** The bytes of the direct protocol `swim` and of the gossip topic: what comes out of decode is checked and verified. */
import { setImmediate as turn } from 'node:timers/promises'
import { InvalidMessageError } from '../common/errors.ts'
import type { Codec, ProtocolSpec } from '../network/types.ts'
import { SwimMessage as Wire, type SyncEntry as WireEntry, Envelope as WireEnvelope } from '../wire/membership.gen.ts'
import type { SwimMessage, SyncEntry } from './core/messages.ts'
import type { Accusation, Envelope, SelfRecord, Signed } from './core/record.ts'
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

/** A larger push-pull may hold so many signatures that this peer would answer nobody for seconds: 35,000 fit into one, of 0.1 ms each. */
const QUICK_BYTES = 32 * 1024
/** So many signatures, some 6 ms, are verified at a time. */
const TURN = 64

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
  return {
    encode: message => Wire.encode(toWire(message)),
    decode: bytes => fromWire(parse(bytes), seal),
    decodeInTurns: bytes => (bytes.length <= QUICK_BYTES ? undefined : fromWireInTurns(bytes, seal))
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

function parse(bytes: Uint8Array): Wire {
  try {
    return Wire.decode(bytes, { limits: LIMITS })
  } catch (cause) {
    throw new InvalidMessageError('swim message: not protobuf, or too many records', { cause })
  }
}

/** Only a push-pull is ever large. */
async function fromWireInTurns(bytes: Uint8Array, seal: RecordSeal): Promise<SwimMessage> {
  const wire = parse(bytes)
  const { sync } = wire
  if (sync === undefined) return fromWire(wire, seal)
  // All else is checked at once, and the entries one after the other.
  fromWire({ ...wire, sync: { ...sync, entries: [] } }, seal)
  const entries: SyncEntry[] = []
  let verified = 0
  for (const entry of sync.entries) {
    entries.push(entryOf(entry, seal))
    verified += 1 + entry.accusations.length
    if (verified < TURN) continue
    verified = 0
    await turn()
  }
  return { type: 'sync', reply: sync.reply, entries, state: sync.state }
}

function entryOf({ record, accusations, downFor }: WireEntry, seal: RecordSeal): SyncEntry {
  checkCount(downFor, 'downFor')
  check(record !== undefined, 'entry without a record')
  return {
    record: selfRecord(seal, record),
    accusations: accusations.map(envelope => accusation(seal, envelope)),
    downFor
  }
}

function fromWire(wire: Wire, seal: RecordSeal): SwimMessage {
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
    const entries = sync.entries.map(entry => entryOf(entry, seal))
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
