import { storeOf } from '../election/electorate.ts'
import { majority } from '../election/quorum/lease.ts'
import { isLive, type Member } from '../membership/core/member.ts'

/** Returns the reason why the cluster of these members has no leader, as a clause without a full stop. */
export function whyNoLeader(members: readonly Member[], voters: readonly string[] | undefined): string {
  const live = members.filter(isLive)
  if (voters !== undefined) {
    const needed = majority(voters.length)
    const up = live.filter(({ id }) => voters.includes(id))
    const missing = voters.filter(voter => up.every(({ id }) => id !== voter))
    if (up.length >= needed) {
      return up.some(({ role }) => role !== 'worker')
        ? 'its voters are electing one'
        : 'no voter that can be reached may lead: start one whose role is not worker'
    }
    return `a majority of its voters is needed, ${needed} of ${voters.length}, and ${up.length === 0 ? 'none is' : `only ${up.length} can be`} reached; missing: ${missing.join(', ')}`
  }
  if (live.every(({ role }) => role === 'worker')) return 'no peer may lead: start one whose role is not worker'
  const store = storeOf(live[0]?.electorate ?? '')
  if (store !== undefined)
    return `no peer holds the lease in ${store}: check that the store runs, and that the peers reach it`
  return 'an election is under way'
}
