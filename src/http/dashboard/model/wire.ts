/**
 * The parts of the peer's data (docs/openapi.yaml) that the page reads. test/http/dashboard/wire.test.ts compares these
 * parts with docs/openapi.yaml.
 */
import type { JobEventState, JobSummary } from '../../../jobs/shared/types.ts'
import type { MemberState, Role } from '../../../membership/core/member.ts'

export interface WireMember {
  peerId: string
  state: MemberState
  role: Role
  /** The position of the member among the live electable members. Null for all other members. */
  rank: number | null
  electionPriority: number
  slots: number
  /** The number of chunks that the member computes. Null when no leader has reported this number. */
  busy: number | null
  rttMs: number | null
  addresses: string[]
  version: string
  /** The version of Node. Null for peers of an older release of p2p-worker, which do not report this version. */
  node: string | null
  /** Whether the member has a data folder. */
  hasDisk: boolean
}

export interface WireJob extends Omit<JobSummary, 'total' | 'age'> {
  total: number | null
  ageMs: number | null
}

export interface WireStatus {
  cluster: string
  leader: string | null
  epoch: number | null
  election: string
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

/** Changes of a job's chunks. `runs` is a flat list: start, length and code of each run (see chunk-map.ts). */
export interface WireChunks {
  jobId: string
  reset: boolean
  first: number
  end: number
  peers: string[]
  runs: number[]
}

/** Times are in ms since the epoch. */
export interface WireSchedule {
  name: string
  /** Null for a job of a later time. */
  cron: string | null
  at: number | null
  timeZone: string
  missed: 'skip' | 'one' | 'all'
  overlap: 'skip' | 'queue' | 'allow'
  catchUp: number
  jitter: number
  task: string
  state: 'active' | 'paused'
  next: number | null
  last: { job: string; due: number; state: JobEventState | null } | null
  skipped: number
  problem: string | null
}

/** Someone who waits for a lock. */
export interface WireLockWaiter {
  /** The PeerId of the client or peer. */
  client: string
  owner: string
  /** In ms since the epoch, by the leader's clock. */
  since: number
}

export interface WireLockHolder extends WireLockWaiter {
  token: number
  ttl: number
}

export interface WireLock {
  kind: 'lock' | 'leadership'
  name: string
  limit: number
  token: number
  holders: WireLockHolder[]
  waiters: WireLockWaiter[]
}
