import { orderOf, strategyOf } from '../election/electorate.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import type { MemberStatus } from './types.ts'

type Ranked = Pick<Member | MemberStatus, 'id' | 'state' | 'role' | 'electionPriority' | 'electorate'>

/** Returns the strategy by which the members elect. All members of a cluster belong to one electorate. */
export function electionOf(members: readonly Pick<Member, 'state' | 'electorate'>[]): string {
  return strategyOf((members.find(isLive) ?? members[0])?.electorate ?? '')
}

/**
 * Returns the position of each live electable member in the order of ranks. The member at position 1 leads or is about
 * to lead, unless its lead over the leader is too small to take over.
 */
export function rankPositions(members: readonly Ranked[]): Map<string, number> {
  const electable = members.filter(member => isLive(member) && member.role !== 'worker')
  const order = orderOf(electable[0]?.electorate ?? '')
  electable.sort((a, b) =>
    order({ priority: b.electionPriority, id: b.id }, { priority: a.electionPriority, id: a.id })
  )
  return new Map(electable.map(({ id }, index) => [id, index + 1]))
}
