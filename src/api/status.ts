import type { LeadershipStats } from '../election/leadership-stats.ts'
import type { Overview } from '../jobs/protocol/overview-messages.ts'
import type { Member } from '../membership/core/member.ts'
import { whyNoLeader } from './no-leader.ts'
import type { ClusterStatus, Leader } from './types.ts'

/** Joins what this process knows of the members with what the leader knows of their work. */
export function clusterStatus(parts: {
  cluster: string
  leader: Leader | undefined
  members: Member[]
  voters: readonly string[] | undefined
  stats: LeadershipStats
  overview: Overview | undefined
}): ClusterStatus {
  const { cluster, leader, members, voters, stats, overview } = parts
  return {
    cluster,
    leader,
    noLeader: leader === undefined ? whyNoLeader(members, voters) : undefined,
    leaderChanges: stats.changes,
    leaderless: stats.leaderless,
    members: members.map(member => ({ ...member, busy: overview && (overview.busy[member.id] ?? 0) })),
    jobs: overview?.jobs ?? []
  }
}
