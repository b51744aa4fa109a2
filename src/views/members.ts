import { isLive, type MemberState, type Role } from '../membership/core/member.ts'

interface Computing {
  state: MemberState
  role?: Role
  slots?: number
}

/** Returns the live members, the live members that compute (workers), and the total number of slots of the workers. */
export function capacityOf<T extends Computing>(members: readonly T[]): { live: T[]; workers: T[]; slots: number } {
  const live = members.filter(isLive)
  const workers = live.filter(({ role }) => role !== 'leader')
  return { live, workers, slots: workers.reduce((sum, { slots = 0 }) => sum + slots, 0) }
}
