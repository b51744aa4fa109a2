import type { ClusterStatus, Leader } from './api.ts'
import type { JobSummary } from './jobs/types.ts'
import type { Member } from './membership/member.ts'
import type { PeerIdString } from './network/types.ts'

/** What only the leader knows. */
export interface Overview {
  jobs: JobSummary[]
  /** Chunks given out and not yet back, by worker. */
  busy: Record<PeerIdString, number>
}

/** Joins what this process knows of the members with what the leader knows of their work. */
export function clusterStatus(parts: {
  cluster: string
  leader: Leader | undefined
  members: Member[]
  overview: Overview | undefined
}): ClusterStatus {
  const { cluster, leader, members, overview } = parts
  return {
    cluster,
    leader,
    members: members.map(member => ({ ...member, busy: overview && (overview.busy[member.id] ?? 0) })),
    jobs: overview?.jobs ?? []
  }
}
