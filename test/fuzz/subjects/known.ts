/** Names and numbers that exist in the world. Peers refuse a frame with unknown names earlier than a frame with known names. */
import type { Random } from '../random.ts'
import { CLIENT_JOBS } from '../world/client.ts'
import type { World } from '../world/world.ts'

/** The jobs of the hostile member and of its client. The hostile member does not know any other job. */
export const JOBS: readonly string[] = ['fuzz-a', 'fuzz-b', 'fuzz-c', ...CLIENT_JOBS]

export function anEpoch(world: World, random: Random): number {
  const { epoch } = world
  const others = [0, epoch - 1, epoch + 2, epoch + 2 ** 20, epoch + 2 ** 21, 2 ** 32, Number.MAX_SAFE_INTEGER]
  return random.chance(0.6) ? epoch + random.below(2) : Math.max(0, random.pick(others))
}

export function anId(world: World, random: Random): string {
  const { leader, follower, hostile, client } = world
  return random.pick([leader.id, follower.id, hostile.self, client.network.self])
}

export function aNumber(random: Random): number {
  const large = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER]
  return random.chance(0.7) ? random.below(20) : random.pick(large)
}
