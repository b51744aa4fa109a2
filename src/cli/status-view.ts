/** How `status`, `members` and `jobs` show the cluster: as JSON (a contract), and as tables. */
import type { ClusterStatus, Leader } from '../api.ts'
import type { JobSummary } from '../jobs/types.ts'
import { isLive, type Member } from '../membership/member.ts'
import { shortId, shortSpan, span } from './format.ts'
import { paint, printable } from './output.ts'
import { rankPositions } from './rank-positions.ts'
import { table } from './table.ts'

/** A member, with the chunks that run there where that is known. */
export type ShownMember = Member & { busy?: number | undefined }

/** `rank` is the position among the live electable members (1 leads, or is about to); null for all others. */
function memberJson(member: ShownMember, rank: number | null): object {
  const { id, state, role, slots, busy, rtt, addresses, version } = member
  return { peerId: id, state, role, rank, slots, busy: busy ?? null, rttMs: rtt ?? null, addresses, version }
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
    noLeader: noLeader ?? null,
    leaderChanges,
    leaderlessMs: Math.round(leaderless),
    jobs: jobsJson(jobs)
  }
}

export function jobsJson(jobs: readonly JobSummary[]): object[] {
  return jobs.map(({ age, ...job }) => ({ ...job, total: job.total ?? null, ageMs: age ?? null }))
}

/** Live electable members by rank, then the other live ones, then the rest. */
export function inOrder<T extends Member>(members: readonly T[]): T[] {
  const ranks = rankPositions(members)
  const place = (member: T): number =>
    ranks.get(member.id) ?? (isLive(member) ? members.length + 1 : members.length + 2)
  return [...members].sort((a, b) => place(a) - place(b) || a.id.localeCompare(b.id))
}

const STATE_COLOURS = { alive: 'green', suspect: 'yellow', dead: 'red', left: 'gray' } as const

/** An address that another machine could use, without the PeerId that its row already shows. */
export function shownAddress(addresses: readonly string[]): string {
  const address = addresses.find(candidate => !/^\/ip(4\/127\.|6\/::1\/)/.test(candidate)) ?? addresses[0] ?? ''
  return printable(address.replace(/\/p2p\/[^/]+$/, ''))
}

export function membersTable(leader: Leader | undefined, members: readonly ShownMember[], now: number): string {
  const ranks = rankPositions(members)
  const rows = inOrder(members).map(member => [
    member.id === leader?.id ? paint('bold', `${shortId(member.id)} *`, process.stdout) : shortId(member.id),
    paint(STATE_COLOURS[member.state], member.state, process.stdout),
    member.role,
    String(ranks.get(member.id) ?? '-'),
    String(member.slots),
    member.busy === undefined || !isLive(member) ? '-' : String(member.busy),
    member.rtt === undefined || !isLive(member) ? '-' : shortSpan(member.rtt),
    span(now - member.since),
    shownAddress(member.addresses)
  ])
  return table(
    [
      { title: 'PEER' },
      { title: 'STATE' },
      { title: 'ROLE' },
      { title: 'RANK', align: 'right' },
      { title: 'SLOTS', align: 'right' },
      { title: 'BUSY', align: 'right' },
      { title: 'RTT', align: 'right' },
      { title: 'SINCE', align: 'right' },
      { title: 'ADDRESS' }
    ],
    rows
  )
}

export function headline(cluster: string, leader: Leader | undefined, members: readonly Member[]): string {
  const live = members.filter(isLive)
  const slots = live.reduce((sum, member) => sum + (member.role === 'leader' ? 0 : member.slots), 0)
  const leads = leader === undefined ? 'no leader' : `leader ${shortId(leader.id)} (epoch ${leader.epoch})`
  return `cluster ${cluster}: ${live.length} live, ${slots} slots, ${leads}`
}

export function jobsTable(jobs: readonly JobSummary[]): string {
  if (jobs.length === 0) return 'no jobs'
  const rows = jobs.map(({ jobId, task, state, done, total, unserved, age }) => [
    printable(jobId),
    printable(task),
    unserved ? `${state}, no peer can compute it` : state,
    total === undefined ? `${done}/?` : `${done}/${total}`,
    age === undefined ? '-' : span(age)
  ])
  const columns = [{ title: 'JOB' }, { title: 'TASK' }, { title: 'STATE' }]
  return table([...columns, { title: 'CHUNKS', align: 'right' }, { title: 'AGE', align: 'right' }], rows)
}
