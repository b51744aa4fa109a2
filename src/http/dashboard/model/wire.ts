/** What the peer sends (docs/openapi.yaml), as far as the page looks at it. test/http/dashboard/wire.test.ts compares it with that file. */
import type { JobEventState, JobSummary } from '../../../jobs/shared/types.ts'
import type { MemberState, Role } from '../../../membership/core/member.ts'

export interface WireMember {
  peerId: string
  state: MemberState
  role: Role
  /** Among the live electable members; null for all others. */
  rank: number | null
  slots: number
  /** Chunks that run there; null where no leader has told. */
  busy: number | null
  rttMs: number | null
  addresses: string[]
  version: string
  /** Version of Node; null for peers of before it was told. */
  node: string | null
}

export interface WireJob extends Omit<JobSummary, 'total' | 'age'> {
  total: number | null
  ageMs: number | null
}

export interface WireStatus {
  cluster: string
  leader: string | null
  epoch: number | null
  members: WireMember[]
  noLeader: string | null
  leaderChanges: number
  leaderlessMs: number
  jobs: WireJob[]
}

export interface WireMemberEvent {
  time: string
  peerId: string
  state: MemberState
}

export interface WireLeaderEvent {
  time: string
  peerId: string | null
  epoch: number
}

export interface WireJobEvent {
  time: string
  jobId: string
  state: JobEventState
}

/** Changes of a job's chunks. `runs` is a flat list of start, length and code; see chunk-map.ts. */
export interface WireChunks {
  jobId: string
  reset: boolean
  first: number
  end: number
  peers: string[]
  runs: number[]
}
