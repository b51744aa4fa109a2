import { createCodec } from '../../../src/election/codec.ts'
import type { CoordinatorMessage, GoAhead, RelayedMessage } from '../../../src/election/core/messages.ts'
import { SignedStatement, ElectionMessage as Wire } from '../../../src/wire/election.gen.ts'
import { mutateFields } from '../mutate-fields.ts'
import type { Random } from '../random.ts'
import type { Subject } from '../subject.ts'
import { CLUSTER_ID } from '../world/network.ts'
import type { World } from '../world/world.ts'
import { aNumber, anEpoch, anId } from './known.ts'

const KINDS: readonly RelayedMessage['kind'][] = [
  'election',
  'claiming',
  'declined',
  'coordinator',
  'request',
  'goAhead',
  'rival'
]

function goAhead(world: World, random: Random): GoAhead {
  const { hostile } = world
  const fromEpoch = Math.max(1, anEpoch(world, random))
  return hostile.statements.signer.goAhead({ from: hostile.self, fromEpoch, to: anId(world, random) })
}

function coordinator(world: World, random: Random): CoordinatorMessage {
  const { hostile } = world
  const goAheads = random.chance(0.3) ? [{ ...goAhead(world, random), to: hostile.self }] : []
  const priority = random.pick([0, 1, -1, 2 ** 31 - 1, -(2 ** 31)])
  const epoch = Math.max(1, anEpoch(world, random))
  return hostile.statements.signer.coordinator({ epoch, leader: hostile.self, priority, goAheads })
}

function relayed(world: World, random: Random): RelayedMessage {
  const { hostile } = world
  return hostile.statements.signer.relayed({
    from: hostile.self,
    to: anId(world, random),
    nonce: aNumber(random),
    kind: random.pick(KINDS),
    accepted: random.chance(0.5) ? coordinator(world, random) : undefined,
    goAhead: random.chance(0.3) ? goAhead(world, random) : undefined
  })
}

/** Makes a statement with changed fields and a valid signature of the hostile member. */
function forged(
  world: World,
  random: Random
): { kind: 'coordinator' | 'go-ahead' | 'relayed message'; signed: Uint8Array<ArrayBuffer> } {
  const { hostile } = world
  const kind = random.pick(['coordinator', 'go-ahead', 'relayed message'] as const)
  const whole = { coordinator, 'go-ahead': goAhead, 'relayed message': relayed }[kind](world, random)
  const { payload: sound } = SignedStatement.decode(whole.signed)
  const payload = Uint8Array.from(mutateFields(sound, random))
  const domain = new TextEncoder().encode(`p2p-worker ${kind} ${CLUSTER_ID}\n`)
  return {
    kind,
    signed: SignedStatement.encode({ payload, signature: hostile.sign(Buffer.concat([domain, payload])) })
  }
}

function message(world: World, random: Random): Uint8Array {
  const { encode } = createCodec(world.hostile.statements)
  const request = { epoch: Math.max(1, anEpoch(world, random)), sequence: Math.max(1, aNumber(random)) }
  const terms = random.pick(['', 'x', 'f'.repeat(64)])
  switch (random.below(13)) {
    case 0:
      return encode({ type: 'election', accepted: random.chance(0.5) ? coordinator(world, random) : undefined })
    case 1:
      return encode({ type: 'answer', answer: random.pick(['claiming', 'declined']) })
    case 2:
      return encode({ type: 'coordinator', coordinator: coordinator(world, random) })
    case 3:
      return encode({ type: 'rival', coordinator: coordinator(world, random) })
    case 4:
      return encode({ type: 'request' })
    case 5:
      return encode({ type: 'goAhead', goAhead: goAhead(world, random) })
    case 6:
    case 7:
      return encode({ type: 'relayed', relayed: relayed(world, random) })
    case 8:
      return encode({ type: random.pick(['lease', 'release']), request, terms })
    case 9:
      return encode({ type: 'grant', request, terms })
    case 10:
      return encode({ type: 'promiseQuery', sequence: request.sequence, terms })
    case 11: {
      const { sequence, epoch } = request
      const promised = random.chance(0.5) ? { epoch, holder: anId(world, random) } : undefined
      return encode({ type: 'promiseAnswer', sequence, promised, isIncomplete: random.chance(0.5), terms })
    }
    default: {
      const promised = random.chance(0.5) ? { epoch: request.epoch, holder: anId(world, random) } : undefined
      return encode({ type: 'denial', request, promised, wait: random.pick([0, 1, 2 ** 31, 1e308]), terms })
    }
  }
}

export const election: Subject = {
  name: 'election',
  kind: 'protocol',
  victims: ['leader', 'follower'],
  pool: (world, random) => Array.from({ length: 400 }, () => message(world, random)),
  crafted: (world, random) => {
    const { kind, signed } = forged(world, random)
    if (kind === 'relayed message') return Wire.encode({ relayed: signed })
    if (kind === 'go-ahead') return Wire.encode({ goAhead: signed })
    return Wire.encode(random.pick([{ coordinator: signed }, { rival: signed }, { election: { accepted: signed } }]))
  }
}

export const leader: Subject = {
  name: 'leader',
  kind: 'topic',
  victims: ['leader', 'follower'],
  pool: (world, random) => Array.from({ length: 400 }, () => coordinator(world, random).signed),
  crafted: (world, random) => forged(world, random).signed
}
