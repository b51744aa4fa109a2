import type { Member } from '../../membership/core/member.ts'

/** If the other peers have fewer slots than this, the leader always computes. */
const ENOUGH_SLOTS = 8
/**
 * The leader stops computing when the other peers have at least this many times its own slots. So at most a fifth of all
 * slots stay unused.
 */
const ENOUGH_TIMES_OWN = 4

/**
 * Whether the leader runs chunks itself. If the other peers have enough slots, the leader runs no chunks, so
 * that chunks do not take processor time from scheduling and folding. A peer with `--role leader` never runs chunks.
 */
export function leaderComputes(self: Member, live: readonly Member[]): boolean {
  if (self.role === 'leader') return false
  let others = 0
  for (const member of live) if (member.id !== self.id && member.role !== 'leader') others += member.slots
  return others < Math.max(ENOUGH_SLOTS, ENOUGH_TIMES_OWN * self.slots)
}
