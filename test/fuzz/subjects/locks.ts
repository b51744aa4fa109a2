import { type LockMessage, lockProtocol } from '../../../src/locks/messages.ts'
import { message as aMessage } from '../../locks/drawn.ts'
import fc from '../../properties.ts'
import type { Random } from '../random.ts'
import type { Subject } from '../subject.ts'
import { CLIENT_LOCKS } from '../world/client.ts'
import type { World } from '../world/world.ts'
import { anEpoch } from './known.ts'

const POOL = 600
/** The share of messages whose names, sessions and tickets are replaced by known ones. */
const AIMED = 0.85

function aimed(message: LockMessage, world: World, random: Random): LockMessage {
  if (!random.chance(AIMED)) return message
  // The hostile member knows the sessions that the client asks with, and reads the others in the list of locks.
  const heard = (world.hostile.heard.get('locks') ?? []).map(bytes => lockProtocol.codec.decode(bytes).session)
  const sessions = [...heard, world.kept.id, 'a', 'b', '1', '2', '3']
  const changed = { ...message, session: random.pick(sessions) }
  const lock = { name: random.pick([...CLIENT_LOCKS, world.kept.lock.name, 'a', 'b']) }
  const ticket = { epoch: anEpoch(world, random), number: random.below(4) }
  switch (changed.type) {
    case 'keep':
      return { ...changed, ...lock, limit: 1 + random.below(2), sequence: random.below(6), ticket }
    case 'release':
      return { ...changed, ...lock }
    case 'queued':
      return { ...changed, ticket }
    case 'held':
      return { ...changed, sequence: random.below(6) }
    default:
      return changed
  }
}

export const locks: Subject = {
  name: 'locks',
  kind: 'protocol',
  victims: ['leader', 'leader', 'follower', 'client', 'client'],
  harm: ({ kept }) => (kept.isHeld ? undefined : 'the follower has lost its lock'),
  pool: (world, random) =>
    fc
      .sample(aMessage, { seed: random.below(2 ** 31), numRuns: POOL })
      .map(message => lockProtocol.codec.encode(aimed(message, world, random)))
}
