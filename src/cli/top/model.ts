/**
 * What `top` knows of the cluster, and what has happened to it: a reducer of what the client is told. It has no clock and asks nobody, so a test
 * can tell it any story.
 */
import { inOrder } from '../../api/status-json.ts'
import type { ClusterStatus, Leader } from '../../api/types.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import { type FollowedJob, followJobs } from '../../views/jobs.ts'
import { memberNews, type Tone } from '../../views/states.ts'
import { count, shortId } from '../../views/words.ts'
import { jobsNews } from './jobs.ts'
import type { LogEntry } from './line.ts'

/** How many entries the log keeps. */
const MAX_LOG = 200

/** Times are in ms since the epoch, of a clock that never jumps. */
export type Happening =
  /** What the peer tells that this client is attached to; `peer` undefined: it is attached to none. */
  | { type: 'view'; at: number; peer: string | undefined; leader: Leader | undefined; members: readonly Member[] }
  /** What the leader answered. */
  | { type: 'answer'; at: number; status: ClusterStatus }
  /** It could not be asked. */
  | { type: 'failure'; at: number; message: string }
  /** What came of something that the user did. */
  | { type: 'note'; at: number; text: string; tone: Tone }

export interface Model {
  cluster: string
  leader: Leader | undefined
  /** Since when there is no leader; undefined while there is one. */
  leaderlessSince: number | undefined
  /** Why there is none, where that is known. */
  whyNoLeader: string | undefined
  /** The peer that this client is attached to. */
  peer: string | undefined
  /** Since when it is attached to none; undefined while it is. */
  lostSince: number | undefined
  /** As `members` sorts them. */
  members: readonly Member[]
  /** Chunks that run at each member; undefined before the leader has told. */
  busy: ReadonlyMap<string, number> | undefined
  /** Those that go on first. */
  jobs: readonly FollowedJob[]
  /** When the leader last answered; `busy` and `jobs` are as of then. */
  answeredAt: number | undefined
  /** Why it did not since. */
  failure: string | undefined
  leaderChanges: number
  /** For how long there has been no leader in all, in ms. */
  leaderless: number
  /** The newest last. */
  log: readonly LogEntry[]
  /** The newest that came of what the user did. */
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
  // Without a leader nobody knows of jobs: what was told last stays, and is shown as old.
  if (leader === undefined) return { ...seen, whyNoLeader: status.noLeader }
  const jobs = followJobs(model.jobs, status.jobs, { at, epoch: leader.epoch })
  return {
    ...seen,
    busy: new Map(status.members.map(({ id, busy = 0 }) => [id, busy])),
    jobs,
    answeredAt: at,
    failure: undefined,
    // What is there at the start has not happened just now.
    log: model.answeredAt === undefined ? model.log : logged(model.log, jobsNews(model.jobs, jobs, at))
  }
}
