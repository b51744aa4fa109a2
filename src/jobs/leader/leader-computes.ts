import type { Member } from '../../membership/core/member.ts'

/** With fewer slots elsewhere than this, the leader always computes. */
const ENOUGH_SLOTS = 8
/**
 * The leader stops computing when the others have at least this many times its own slots: it gives up at most a fifth
 * of all slots.
 */
const ENOUGH_TIMES_OWN = 4

/**
 * Whether the leader runs chunks itself: when the cluster is small. It only leads when the others have enough slots, so
 * that scheduling and folding need not compete with chunks for its processors. `--role leader` never computes.
 */
export function leaderComputes(self: Member, live: readonly Member[]): boolean {
  if (self.role === 'leader') return false
  let others = 0
  for (const member of live) if (member.id !== self.id && member.role !== 'leader') others += member.slots
  return others < Math.max(ENOUGH_SLOTS, ENOUGH_TIMES_OWN * self.slots)
}
