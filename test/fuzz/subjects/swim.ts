import type { SwimMessage, SyncEntry } from '../../../src/membership/core/messages.ts'
import type { AccusationKind, Envelope, SelfRecord, Signed } from '../../../src/membership/core/record.ts'
import { encodeRecord } from '../../../src/membership/record-codec.ts'
import { encodeEnvelope, swimCodec } from '../../../src/membership/swim-codec.ts'
import { SwimMessage as Wire } from '../../../src/wire/membership.gen.ts'
import { mutateFields } from '../mutate-fields.ts'
import type { Random } from '../random.ts'
import type { Subject } from '../subject.ts'
import { CLUSTER_ID } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { aNumber, anId } from './known.ts'

const PREFIX = new TextEncoder().encode(`p2p-worker/membership-record/1\0${CLUSTER_ID}\0`)

function selfRecord({ hostile }: World, random: Random): Signed<SelfRecord> {
  return hostile.record({ incarnation: random.chance(0.9) ? 0 : aNumber(random), revision: aNumber(random) })
}

function accusation({ hostile, leader, follower }: World, random: Random): Signed {
  const target = random.pick([leader.id, follower.id])
  const kind: AccusationKind = random.pick(['silent', 'refused'])
  const incarnation = random.chance(0.5) ? (leader.membership.get(target)?.incarnation ?? 0) : aNumber(random)
  return hostile.signer.sign({ type: 'accusation', accuser: hostile.self, target, incarnation, kind })
}

/** Makes a record with changed fields and a valid signature of the hostile member. */
export function forged(world: World, random: Random): Envelope {
  const { record } = random.chance(0.5) ? selfRecord(world, random) : accusation(world, random)
  const payload = Uint8Array.from(mutateFields(encodeRecord(record), random))
  return { payload, signature: world.hostile.sign(Buffer.concat([PREFIX, payload])) }
}

/** Makes a valid record of the hostile member. */
export function genuine(world: World, random: Random): Signed {
  return random.chance(0.5) ? selfRecord(world, random) : accusation(world, random)
}

function message(world: World, random: Random): SwimMessage {
  const seq = aNumber(random)
  const asker = { origin: anId(world, random), nonce: aNumber(random) }
  const some = <T>(make: () => T): T[] => Array.from({ length: random.below(5) }, make)
  switch (random.below(7)) {
    case 0:
      return { type: 'ping', seq, accusations: some(() => accusation(world, random)) as never }
    case 1:
      return { type: 'ping', seq, accusations: [], asker }
    case 2:
      return { type: 'ack', seq, proof: random.chance(0.5) ? random.bytes(64) : undefined, wall: aNumber(random) }
    case 3:
      return { type: 'nack', seq }
    case 4: {
      const within = random.pick([0, 100, 500, 2 ** 31, 2 ** 32 - 1])
      return { type: 'ping-req', seq, target: anId(world, random), within, nonce: asker.nonce }
    }
    case 5: {
      const entry = (): SyncEntry => ({
        record: selfRecord(world, random),
        accusations: some(() => accusation(world, random)) as never,
        downFor: aNumber(random)
      })
      const state = random.chance(0.5) ? random.bytes(random.below(100)) : new Uint8Array()
      return { type: 'sync', reply: random.chance(0.7), entries: some(entry), state }
    }
    default:
      return { type: 'records', records: some(() => genuine(world, random)) }
  }
}

export const swim: Subject = {
  name: 'swim',
  kind: 'protocol',
  victims: ['leader', 'follower'],
  pool: (world, random) => {
    const codec = swimCodec(world.hostile.signer)
    return Array.from({ length: 400 }, () => codec.encode(message(world, random)))
  },
  crafted: (world, random) => {
    const envelope = forged(world, random)
    if (random.chance(0.5)) return Wire.encode({ records: { records: [envelope] } })
    return Wire.encode({
      sync: {
        reply: true,
        state: new Uint8Array(),
        entries: [{ record: envelope, accusations: [envelope], downFor: 0 }]
      }
    })
  }
}

export const members: Subject = {
  name: 'members',
  kind: 'topic',
  victims: ['leader', 'follower'],
  pool: (world, random) => Array.from({ length: 400 }, () => encodeEnvelope(genuine(world, random).envelope)),
  crafted: (world, random) => encodeEnvelope(forged(world, random))
}
