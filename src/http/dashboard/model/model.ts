/**
 * The state of the page, as a reducer of its peer's events. The reducer reads no clock and does no I/O, so a test can replay any
 * sequence of events. Times are in ms since the epoch, by the browser's clock.
 */
import type { JobSummary } from '../../../jobs/shared/types.ts'
import { type FollowedJob, followJobs, paced } from '../../../views/jobs.ts'
import { paceOf, type Sample, withSample } from '../../../views/pace.ts'
import { isOut, type Outage, outageBegins, outageEnds, type Point, withPoint } from './history.ts'
import { type Entry, type Happened, jobNews, leaderNews, logged, memberNews } from './log.ts'
import type {
  WireJob,
  WireJobEvent,
  WireLeaderEvent,
  WireLock,
  WireMember,
  WireMemberEvent,
  WireSchedule,
  WireStatus
} from './wire.ts'

export type Happening =
  | { type: 'status'; at: number; data: WireStatus }
  | { type: 'member'; at: number; data: WireMemberEvent }
  | { type: 'leader'; at: number; data: WireLeaderEvent }
  | { type: 'job'; at: number; data: WireJobEvent }
  | { type: 'locks'; at: number; data: readonly WireLock[] }
  | { type: 'schedules'; at: number; data: readonly WireSchedule[] }
  /** The peer is silent or gone. `since` is the time of the peer's last data. */
  | { type: 'lost'; at: number; since: number; why: string }
  /** The peer sends data again, on the same connection. */
  | { type: 'found'; at: number }
  /** A connection has started. The next status contains the complete state. */
  | { type: 'opened'; at: number }
  /** A second has passed. */
  | { type: 'tick'; at: number }

/** A member. For a new member, the page knows only the id and the state until the next status. */
export type ShownMember = Pick<WireMember, 'peerId' | 'state'> & Partial<WireMember>

/** The connection between the page and its peer. */
export type Connection =
  | { state: 'opening' }
  | { state: 'open' }
  /** `why` is the end of the sentence "Lost the peer: …". */
  | { state: 'lost'; since: number; why: string }

export interface Model {
  connection: Connection
  /** The cluster's name. Undefined before the first status. */
  cluster: string | undefined
  leader: { id: string; epoch: number } | undefined
  /** The newest known epoch. */
  epoch: number | undefined
  /** The time at which the cluster lost its leader. Undefined while the cluster has a leader. */
  leaderlessSince: number | undefined
  /** Why there is no leader, if the peer has reported it. */
  whyNoLeader: string | undefined
  members: readonly ShownMember[]
  jobs: readonly FollowedJob[]
  locks: readonly WireLock[]
  schedules: readonly WireSchedule[]
  /** The number of leadership changes since the peer joined. */
  leaderChanges: number
  leaderlessMs: number
  log: readonly Entry[]
  points: readonly Point[]
  outages: readonly Outage[]
  /** Samples of the number of chunks that all jobs have completed since the page was opened. */
  samples: readonly Sample[]
  /** Whether the next status is the first status of a connection. Its content is not logged as news. */
  isFirst: boolean
}

export const START: Model = {
  connection: { state: 'opening' },
  cluster: undefined,
  leader: undefined,
  epoch: undefined,
  leaderlessSince: undefined,
  whyNoLeader: undefined,
  members: [],
  jobs: [],
  locks: [],
  schedules: [],
  leaderChanges: 0,
  leaderlessMs: 0,
  log: [],
  points: [],
  outages: [],
  samples: [],
  isFirst: true
}

export function happen(model: Model, happening: Happening): Model {
  const { at } = happening
  switch (happening.type) {
    case 'status':
      return statusCame(model, at, happening.data)
    case 'member':
      return memberCame(model, at, happening.data)
    case 'leader':
      return leaderCame(model, at, happening.data)
    case 'job':
      return jobCame(model, at, happening.data)
    case 'locks':
    case 'schedules':
      return isSame(model[happening.type], happening.data) ? model : { ...model, [happening.type]: happening.data }
    case 'lost':
      return lost(model, happening.since, happening.why)
    case 'found':
      return found(model, at)
    case 'opened':
      return { ...model, isFirst: true }
    case 'tick':
      return ticked(model, at)
  }
}

/** Returns the throughput of all jobs, in chunks a second. */
export function throughput({ samples }: Model): number {
  return paceOf(samples) ?? 0
}

function statusCame(model: Model, at: number, status: WireStatus): Model {
  const { cluster, leader: leaderId, epoch, noLeader, leaderChanges, leaderlessMs } = status
  const leader = leaderId === null ? undefined : { id: leaderId, epoch: epoch ?? 0 }
  // After a reconnect, the differences are logged as missed events. At other times the peer sends an event for each change.
  const news = model.isFirst && model.cluster !== undefined ? missedNews(model, leader, status.members) : []
  const seen: Model = {
    ...model,
    connection: { state: 'open' },
    isFirst: false,
    cluster,
    leader,
    epoch: leader?.epoch ?? model.epoch,
    leaderlessSince: leader === undefined ? (model.leaderlessSince ?? at) : undefined,
    whyNoLeader: noLeader ?? undefined,
    members: status.members,
    leaderChanges,
    leaderlessMs,
    outages: leader === undefined ? outageBegins(model.outages, at) : outageEnds(model.outages, at),
    log: logged(model.log, at, news)
  }
  // Without a leader the jobs are unknown, so the page keeps the last known jobs.
  if (leader === undefined) return seen
  const total = model.samples.at(-1)?.done ?? 0
  const done = model.isFirst ? total : total + doneSince(model.jobs, status.jobs)
  return {
    ...seen,
    jobs: followJobs(model.jobs, status.jobs.map(summaryOf), { at, epoch: leader.epoch }),
    samples: withSample(model.samples, { at, done })
  }
}

function isSame(before: readonly object[], now: readonly object[]): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}

function summaryOf({ total, ageMs, ...job }: WireJob): JobSummary {
  return { ...job, total: total ?? undefined, age: ageMs ?? undefined }
}

/** Returns the number of chunks that the listed jobs have completed since the list `before`. A new job starts at 0. */
function doneSince(before: readonly JobSummary[], listed: readonly WireJob[]): number {
  const known = new Map(before.map(({ jobId, done }) => [jobId, done]))
  return listed.reduce((sum, { jobId, done }) => sum + Math.max(0, done - (known.get(jobId) ?? 0)), 0)
}

function missedNews(model: Model, leader: Model['leader'], members: readonly WireMember[]): Happened[] {
  const before = new Map(model.members.map(({ peerId, state }) => [peerId, state]))
  const changed = members.filter(({ peerId, state }) => before.get(peerId) !== state)
  const news = changed.map(({ peerId, state }) => memberNews(peerId, state, before.has(peerId)))
  const isSameLeader = leader?.id === model.leader?.id && leader?.epoch === model.leader?.epoch
  return isSameLeader ? news : [...news, leaderNews(leader)]
}

function memberCame(model: Model, at: number, { peerId, state }: WireMemberEvent): Model {
  const isKnown = model.members.some(member => member.peerId === peerId)
  const members = isKnown
    ? model.members.map(member => (member.peerId === peerId ? { ...member, state } : member))
    : [...model.members, { peerId, state }]
  return { ...model, members, log: logged(model.log, at, [memberNews(peerId, state, isKnown)]) }
}

function leaderCame(model: Model, at: number, { peerId, epoch, time }: WireLeaderEvent): Model {
  const told = Date.parse(time)
  if (peerId === null) {
    const outages = outageBegins(model.outages, at, told)
    const log = model.leader === undefined ? model.log : logged(model.log, at, [leaderNews(undefined)])
    return {
      ...model,
      leader: undefined,
      leaderlessSince: model.leaderlessSince ?? at,
      whyNoLeader: undefined,
      outages,
      log
    }
  }
  const outages = outageEnds(model.outages, at, told)
  const without = isOut(model.outages) ? outages.at(-1)?.ms : undefined
  const leader = { id: peerId, epoch }
  const log = logged(model.log, at, [leaderNews(leader, without)])
  return { ...model, leader, epoch, leaderlessSince: undefined, whyNoLeader: undefined, outages, log }
}

function jobCame(model: Model, at: number, { jobId, state }: WireJobEvent): Model {
  const known = model.jobs.find(job => job.jobId === jobId)
  const shown = state === 'resumed' ? 'running' : state
  // A new job appears with the next status, which contains all fields of the job.
  const jobs = model.jobs.map(job =>
    job.jobId === jobId && job.state !== shown ? { ...job, state: shown, pace: undefined } : job
  )
  return { ...model, jobs, log: logged(model.log, at, [jobNews(jobId, state, known?.task)]) }
}

function lost(model: Model, since: number, why: string): Model {
  if (model.connection.state === 'lost') return { ...model, connection: { ...model.connection, why } }
  // Without a connection, the end of an outage is unknown.
  return { ...model, connection: { state: 'lost', since, why }, outages: outageEnds(model.outages, since) }
}

function found(model: Model, at: number): Model {
  if (model.isFirst) return model
  const outages = model.leader === undefined ? outageBegins(model.outages, at) : model.outages
  return { ...model, connection: { state: 'open' }, outages }
}

function ticked(model: Model, at: number): Model {
  if (model.connection.state !== 'open') {
    const isShown = model.points.length > 0
    return isShown ? { ...model, points: withPoint(model.points, { at, rate: null }) } : model
  }
  // A status arrives each second while anything changes. If no status arrives, no chunk was done.
  const last = model.samples.at(-1)
  const isSilent = last !== undefined && at - last.at > 1_500
  const samples = isSilent ? withSample(model.samples, { at, done: last.done }) : model.samples
  const jobs = isSilent ? model.jobs.map(job => (job.state === 'running' ? paced(job, at) : job)) : model.jobs
  return { ...model, samples, jobs, points: withPoint(model.points, { at, rate: paceOf(samples) ?? 0 }) }
}
