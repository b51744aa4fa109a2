/**
 * Converts the cluster's state to JSON, for `status`, `members` and `jobs` with `--json`, and for the HTTP API (a
 * contract).
 */

import type { JobSummary } from '../jobs/shared/types.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import { electionOf, rankPositions } from './rank-positions.ts'
import type { ScheduleInfo } from './schedule-types.ts'
import type { ClusterStatus, Leader } from './types.ts'

/** A member, and the number of chunks that run at this member. `busy` is undefined when this number is unknown. */
export type ShownMember = Member & { busy?: number | undefined }

/**
 * `rank` is the member's position among the live electable members, and null for all other members. The member at
 * position 1 leads or is about to lead.
 */
function memberJson(member: ShownMember, rank: number | null): object {
  const { id, state, role, electionPriority, slots, busy, rtt, addresses, version, node, hasDisk } = member
  const known = { busy: busy ?? null, rttMs: rtt ?? null }
  const ranked = { peerId: id, state, role, rank, electionPriority, slots }
  return { ...ranked, ...known, addresses, version, node: node || null, hasDisk }
}

export function membersJson(cluster: string, leader: Leader | undefined, members: readonly ShownMember[]): object {
  const ranks = rankPositions(members)
  return {
    cluster,
    leader: leader?.id ?? null,
    epoch: leader?.epoch ?? null,
    members: inOrder(members).map(member => memberJson(member, ranks.get(member.id) ?? null))
  }
}

export function statusJson(status: ClusterStatus): object {
  const { cluster, leader, noLeader, leaderChanges, leaderless, members, jobs } = status
  return {
    ...membersJson(cluster, leader, members),
    election: electionOf(members),
    noLeader: noLeader ?? null,
    leaderChanges,
    leaderlessMs: Math.round(leaderless),
    jobs: jobsJson(jobs)
  }
}

export function jobsJson(jobs: readonly JobSummary[]): object[] {
  return jobs.map(({ age, ...job }) => ({ ...job, total: job.total ?? null, ageMs: age ?? null }))
}

/** Unlike JSON itself, keeps each field whose value is undefined, as null. */
export function schedulesJson(schedules: readonly ScheduleInfo[]): object[] {
  return JSON.parse(JSON.stringify(schedules, (_, value) => value ?? null))
}

/** Sorts members: first the live electable members by rank, then the other live members, then the rest. */
export function inOrder<T extends Member>(members: readonly T[]): T[] {
  const ranks = rankPositions(members)
  const place = (member: T): number =>
    ranks.get(member.id) ?? (isLive(member) ? members.length + 1 : members.length + 2)
  return [...members].sort((a, b) => place(a) - place(b) || a.id.localeCompare(b.id))
}
