/** Renders the cluster as tables for `status`, `members` and `jobs`. */
import { electionOf, rankPositions } from '../../api/rank-positions.ts'
import { inOrder, type ShownMember } from '../../api/status-json.ts'
import type { ClusterStatus, Leader } from '../../api/types.ts'
import type { JobDurability, JobSummary } from '../../jobs/shared/types.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import { capacityOf } from '../../views/members.ts'
import { isOver, MEMBER_TONES } from '../../views/states.ts'
import { count, duration, preciseDuration, shortId } from '../../views/words.ts'
import { paint } from './output.ts'
import { ENDLESS, moreLine, mostImportant, type Screen, share } from './screen.ts'
import { type Column, table } from './table.ts'
import { cut, oneLine, textWidth } from './text-width.ts'

/** Returns an address that other machines can use, without the PeerId, because the row already shows the PeerId. */
export function shownAddress(addresses: readonly string[]): string {
  const address = addresses.find(candidate => !/^\/ip(4\/127\.|6\/::1\/)/.test(candidate)) ?? addresses[0] ?? ''
  return oneLine(address.replace(/\/p2p\/[^/]+$/, ''))
}

/**
 * Returns the order in which members are shown on a small screen: first the leader, the next in rank and suspect
 * members, and last the members that have left.
 */
function importance(leader: Leader | undefined, ranks: ReadonlyMap<string, number>): (member: Member) => number {
  return ({ id, state }) => {
    if (id === leader?.id) return 6
    if (state === 'suspect') return 5
    if ((ranks.get(id) ?? Number.POSITIVE_INFINITY) <= 3) return 4
    return state === 'alive' ? 3 : state === 'dead' ? 2 : 1
  }
}

/** @param screen - the room for the rows, not counting the titles */
export function membersTable(
  leader: Leader | undefined,
  members: readonly ShownMember[],
  now: number,
  screen: Screen = ENDLESS,
  where = 'p2p-worker members'
): string {
  const ranks = rankPositions(members)
  const { shown, left } = mostImportant(inOrder(members), screen.rows, importance(leader, ranks))
  const hasDisks = members.some(({ hasDisk }) => hasDisk)
  const rows = shown.map(member => [
    member.id === leader?.id ? paint('bold', `${shortId(member.id)} *`, process.stdout) : shortId(member.id),
    paint(MEMBER_TONES[member.state], member.state, process.stdout),
    member.role,
    String(ranks.get(member.id) ?? '-'),
    String(member.slots),
    member.busy === undefined || !isLive(member) ? '-' : String(member.busy),
    ...(hasDisks ? [member.hasDisk ? 'yes' : '-'] : []),
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
    ...(hasDisks ? [{ title: 'DISK', drop: 3 }] : []),
    { title: 'RTT', align: 'right', drop: 5 },
    { title: 'SINCE', align: 'right', drop: 6 },
    { title: 'NODE', drop: 8 },
    { title: 'ADDRESS', shrink: { turn: 1, least: 12 }, drop: 7 }
  ]
  return [table(columns, rows, screen.columns), ...moreLine(left, where, screen.columns)].join('\n')
}

/** Returns the leader and the size of the cluster: in one line, or in two lines if one line is too short. */
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

/** @param screen - the room for the rows, not counting the titles */
export function jobsTable(jobs: readonly JobSummary[], screen: Screen = ENDLESS): string {
  if (jobs.length === 0) return 'no jobs'
  const { shown, left } = mostImportant(jobs, screen.rows, ({ state, unserved }) =>
    unserved || state === 'suspended' ? 3 : isOver(state) ? 1 : 2
  )
  const rows = shown.map(({ jobId, task, state, done, total, unserved, age, durability, durable }) => [
    oneLine(jobId),
    oneLine(task),
    unserved ? `${state}, no peer can compute it` : state,
    total === undefined ? `${done}/?` : `${done}/${total}`,
    heldBy(durability, durable),
    age === undefined ? '-' : duration(age)
  ])
  const columns: Column[] = [
    // The table may cut the id, because `result` and `cancel` accept the beginning of an id.
    { title: 'JOB', shrink: { turn: 1, least: 9 } },
    { title: 'TASK', shrink: { turn: 2, least: 8 } },
    { title: 'STATE', shrink: { turn: 3, least: 9 } },
    { title: 'CHUNKS', align: 'right', drop: 1 },
    { title: 'PEERS/DISKS', align: 'right', drop: 0, isExtra: jobs.every(({ durable }) => durable === 0) },
    { title: 'AGE', align: 'right', drop: 2 }
  ]
  return [table(columns, rows, screen.columns), ...moreLine(left, 'p2p-worker jobs', screen.columns)].join('\n')
}

/** Returns at how many peers and disks a job is held, and on how many disks it must be if there are fewer. */
function heldBy({ memory, disk }: JobDurability, durable: number): string {
  return `${memory}/${disk}${disk < durable ? ` of ${durable}` : ''}`
}

/** Names the strategy of the election, unless it is the default. */
function electedBy(members: readonly Member[]): string {
  const strategy = electionOf(members)
  return strategy === 'bully' ? '' : `, elected by ${oneLine(strategy)}`
}

/** Says how many jobs wait for a user's decision. */
function suspendedLine(jobs: readonly JobSummary[]): string[] {
  const suspended = jobs.filter(({ state }) => state === 'suspended').length
  if (suspended === 0) return []
  return [`${count(suspended, 'job')} suspended: \`p2p-worker resume JOB\` or \`p2p-worker cancel JOB\` decides`]
}

/** Returns the whole status in at most the rows of the screen. The last row stays free for the prompt. */
export function statusText(status: ClusterStatus, now: number, screen: Screen): string {
  const { cluster, leader, noLeader, leaderChanges, leaderless, members, jobs } = status
  const head = [
    ...headLines(cluster, leader, members, screen.columns),
    ...(noLeader === undefined ? [] : [`no leader: ${oneLine(noLeader)}`]),
    `${count(leaderChanges, 'leadership')} so far, ${duration(leaderless)} without a leader${electedBy(members)}`,
    ...suspendedLine(jobs)
  ].map(line => cut(line, screen.columns))
  // Five rows are taken: two empty lines, the titles of two tables, and the prompt.
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
