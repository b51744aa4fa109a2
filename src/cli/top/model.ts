/**
 * The model of `top`: a reducer of the events from the client. The reducer reads no clock and does no I/O, so a test
 * can replay any sequence of events.
 */
import { inOrder } from '../../api/status-json.ts'
import type { ClusterStatus, Leader } from '../../api/types.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import { type FollowedJob, followJobs } from '../../views/jobs.ts'
import { memberNews, type Tone } from '../../views/states.ts'
import { count, shortId } from '../../views/words.ts'
import { jobsNews } from './jobs.ts'
import type { LogEntry } from './line.ts'

/** The number of entries that the log keeps. */
const MAX_LOG = 200

/** An event that changes the model. All times are in ms since the epoch, by a clock that never jumps. */
export type Happening =
  /**
   * The view of the peer that this client is attached to; `peer` is undefined while the client is attached to no peer.
   */
  | { type: 'view'; at: number; peer: string | undefined; leader: Leader | undefined; members: readonly Member[] }
  /** The leader answered a status request. */
  | { type: 'answer'; at: number; status: ClusterStatus }
  /** A status request failed. */
  | { type: 'failure'; at: number; message: string }
  /** The outcome of a user's action. */
  | { type: 'note'; at: number; text: string; tone: Tone }

export interface Model {
  cluster: string
  leader: Leader | undefined
  /** The time at which the cluster lost its leader; undefined while the cluster has a leader. */
  leaderlessSince: number | undefined
  /** The reason why there is no leader; undefined while there is a leader or the reason is unknown. */
  whyNoLeader: string | undefined
  /** The peer that this client is attached to. */
  peer: string | undefined
  /** The time at which the client lost its peer; undefined while the client is attached to a peer. */
  lostSince: number | undefined
  /** The members, in the order of the `members` command. */
  members: readonly Member[]
  /** The number of chunks that run at each member; undefined before the leader's first answer. */
  busy: ReadonlyMap<string, number> | undefined
  /** The jobs, with unfinished jobs first. */
  jobs: readonly FollowedJob[]
  /** The time of the leader's last answer, which contained `busy` and `jobs`; undefined before the first answer. */
  answeredAt: number | undefined
  /** The reason why the latest status request failed; undefined after an answer. */
  failure: string | undefined
  leaderChanges: number
  /** The total time without a leader, in ms. */
  leaderless: number
  /** The log entries, with the newest entry last. */
  log: readonly LogEntry[]
  /** The newest log entry about a user's action. */
  note: LogEntry | undefined
}

export function startModel(cluster: string): Model {
  return {
    cluster,
    leader: undefined,
    leaderlessSince: undefined,
    whyNoLeader: undefined,
    peer: undefined,
    lostSince: undefined,
    members: [],
    busy: undefined,
    jobs: [],
    answeredAt: undefined,
    failure: undefined,
    leaderChanges: 0,
    leaderless: 0,
    log: [],
    note: undefined
  }
}

export function happen(model: Model, happening: Happening): Model {
  const { at } = happening
  switch (happening.type) {
    case 'view':
      return viewed(model, happening)
    case 'answer':
      return answered(model, at, happening.status)
    case 'failure': {
      const said =
        model.failure === happening.message ? [] : [{ at, text: happening.message, tone: 'caution' as const }]
      return { ...model, failure: happening.message, log: logged(model.log, said) }
    }
    case 'note': {
      const note = { at, text: happening.text, tone: happening.tone }
      return { ...model, note, log: logged(model.log, [note]) }
    }
  }
}

function logged(log: readonly LogEntry[], entries: readonly LogEntry[]): readonly LogEntry[] {
  return entries.length === 0 ? log : [...log, ...entries].slice(-MAX_LOG)
}

function viewed(model: Model, happening: Happening & { type: 'view' }): Model {
  const { at, peer, leader, members } = happening
  const entries: LogEntry[] = []
  const say = (text: string, tone: Tone): void => {
    entries.push({ at, text, tone })
  }

  const isFirst = model.members.length === 0 && members.length > 0
  if (isFirst) say(`${count(members.filter(isLive).length, 'live member')} at the start`, 'plain')
  else {
    const before = new Map(model.members.map(({ id, state }) => [id, state]))
    for (const { id, state } of members)
      if (before.get(id) !== state) entries.push({ at, ...memberNews(`member ${shortId(id)}`, state, before.has(id)) })
  }

  if (leader?.id !== model.leader?.id || leader?.epoch !== model.leader?.epoch) {
    if (leader === undefined) say('no leader', 'bad')
    else say(`${shortId(leader.id)} leads (epoch ${leader.epoch})`, 'good')
  }
  if (peer !== model.peer) {
    if (peer === undefined) say(`lost peer ${shortId(model.peer ?? '')}: looking for another`, 'bad')
    else say(`attached to peer ${shortId(peer)}`, 'plain')
  }
  return {
    ...model,
    peer,
    lostSince: peer === undefined ? (model.lostSince ?? at) : undefined,
    leader,
    leaderlessSince: leader === undefined ? (model.leaderlessSince ?? at) : undefined,
    whyNoLeader: leader === undefined ? model.whyNoLeader : undefined,
    members: inOrder(members),
    log: logged(model.log, entries)
  }
}

function answered(model: Model, at: number, status: ClusterStatus): Model {
  const { leaderChanges, leaderless, leader } = status
  const seen = { ...model, leaderChanges, leaderless }
  // Only a leader knows the jobs. Without a leader, the last answer stays on the screen and is marked as old.
  if (leader === undefined) return { ...seen, whyNoLeader: status.noLeader }
  const jobs = followJobs(model.jobs, status.jobs, { at, epoch: leader.epoch })
  return {
    ...seen,
    busy: new Map(status.members.map(({ id, busy = 0 }) => [id, busy])),
    jobs,
    answeredAt: at,
    failure: undefined,
    // The jobs of the first answer are not news.
    log: model.answeredAt === undefined ? model.log : logged(model.log, jobsNews(model.jobs, jobs, at))
  }
}
