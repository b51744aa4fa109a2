/** How `status`, `members` and `jobs` show the cluster to people: as tables. */
import { rankPositions } from '../../api/rank-positions.ts'
import { inOrder, type ShownMember } from '../../api/status-json.ts'
import type { ClusterStatus, Leader } from '../../api/types.ts'
import type { JobSummary } from '../../jobs/shared/types.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import { capacityOf } from '../../views/members.ts'
import { isOver, MEMBER_TONES } from '../../views/states.ts'
import { count, duration, preciseDuration, shortId } from '../../views/words.ts'
import { paint } from './output.ts'
import { ENDLESS, moreLine, mostImportant, type Screen, share } from './screen.ts'
import { type Column, table } from './table.ts'
import { cut, oneLine, textWidth } from './text-width.ts'

/** An address that another machine could use, without the PeerId that its row already shows. */
export function shownAddress(addresses: readonly string[]): string {
  const address = addresses.find(candidate => !/^\/ip(4\/127\.|6\/::1\/)/.test(candidate)) ?? addresses[0] ?? ''
  return oneLine(address.replace(/\/p2p\/[^/]+$/, ''))
}

/** So that a screen which is too small shows who leads, who is next, and who may be gone; not those who have left. */
function importance(leader: Leader | undefined, ranks: ReadonlyMap<string, number>): (member: Member) => number {
  return ({ id, state }) => {
    if (id === leader?.id) return 6
    if (state === 'suspect') return 5
    if ((ranks.get(id) ?? Number.POSITIVE_INFINITY) <= 3) return 4
    return state === 'alive' ? 3 : state === 'dead' ? 2 : 1
  }
}

/** @param screen - the room for its rows, without that of the titles */
export function membersTable(
  leader: Leader | undefined,
  members: readonly ShownMember[],
  now: number,
  screen: Screen = ENDLESS,
  where = 'p2p-worker members'
): string {
  const ranks = rankPositions(members)
  const { shown, left } = mostImportant(inOrder(members), screen.rows, importance(leader, ranks))
  const rows = shown.map(member => [
    member.id === leader?.id ? paint('bold', `${shortId(member.id)} *`, process.stdout) : shortId(member.id),
    paint(MEMBER_TONES[member.state], member.state, process.stdout),
    member.role,
    String(ranks.get(member.id) ?? '-'),
    String(member.slots),
    member.busy === undefined || !isLive(member) ? '-' : String(member.busy),
    member.rtt === undefined || !isLive(member) ? '-' : preciseDuration(member.rtt),
    duration(now - member.since),
    member.node || '-',
    shownAddress(member.addresses)
  ])
  const columns: Column[] = [
    { title: 'PEER' },
    { title: 'STATE' },
    { title: 'ROLE', drop: 3 },
    { title: 'RANK', align: 'right', drop: 1 },
    { title: 'SLOTS', align: 'right', drop: 2 },
    { title: 'BUSY', align: 'right', drop: 4 },
    { title: 'RTT', align: 'right', drop: 5 },
    { title: 'SINCE', align: 'right', drop: 6 },
    { title: 'NODE', drop: 8 },
    { title: 'ADDRESS', shrink: { turn: 1, least: 12 }, drop: 7 }
  ]
  return [table(columns, rows, screen.columns), ...moreLine(left, where, screen.columns)].join('\n')
}

/** Who leads, and how large the cluster is: in one line, or in two where there is no room for who leads. */
export function headLines(
  cluster: string,
  leader: Leader | undefined,
  members: readonly Member[],
  columns: number
): string[] {
  const { live, slots } = capacityOf(members)
  const leads = leader === undefined ? 'no leader' : `leader ${shortId(leader.id)} (epoch ${leader.epoch})`
  const size = `cluster ${cluster}: ${live.length} live, ${slots} slots`
  const whole = `${size}, ${leads}`
  return textWidth(whole) <= columns ? [whole] : [cut(size, columns), cut(leads, columns)]
}

/** @param screen - the room for its rows, without that of the titles */
export function jobsTable(jobs: readonly JobSummary[], screen: Screen = ENDLESS): string {
  if (jobs.length === 0) return 'no jobs'
  const { shown, left } = mostImportant(jobs, screen.rows, job => (job.unserved ? 3 : isOver(job.state) ? 1 : 2))
  const rows = shown.map(({ jobId, task, state, done, total, unserved, age }) => [
    oneLine(jobId),
    oneLine(task),
    unserved ? `${state}, no peer can compute it` : state,
    total === undefined ? `${done}/?` : `${done}/${total}`,
    age === undefined ? '-' : duration(age)
  ])
  const columns: Column[] = [
    // `result` and `cancel` take its beginning, too.
    { title: 'JOB', shrink: { turn: 1, least: 9 } },
    { title: 'TASK', shrink: { turn: 2, least: 8 } },
    { title: 'STATE', shrink: { turn: 3, least: 9 } },
    { title: 'CHUNKS', align: 'right', drop: 1 },
    { title: 'AGE', align: 'right', drop: 2 }
  ]
  return [table(columns, rows, screen.columns), ...moreLine(left, 'p2p-worker jobs', screen.columns)].join('\n')
}

/** All of it, and no more rows than a screen has: the last one is for the prompt. */
export function statusText(status: ClusterStatus, now: number, screen: Screen): string {
  const { cluster, leader, noLeader, leaderChanges, leaderless, members, jobs } = status
  const head = [
    ...headLines(cluster, leader, members, screen.columns),
    ...(noLeader === undefined ? [] : [`no leader: ${oneLine(noLeader)}`]),
    `${count(leaderChanges, 'leadership')} so far, ${duration(leaderless)} without a leader`
  ].map(line => cut(line, screen.columns))
  // Two empty lines, the titles of two tables, and the prompt.
  const [forMembers, forJobs] = share(screen.rows - head.length - 5, members.length, jobs.length)
  const { columns } = screen
  return [
    ...head,
    '',
    membersTable(leader, members, now, { columns, rows: forMembers }),
    '',
    jobsTable(jobs, { columns, rows: forJobs })
  ].join('\n')
}
