/** The texts of the log's events. */
import type { JobEventState } from '../../../jobs/shared/types.ts'
import type { MemberState } from '../../../membership/core/member.ts'
import { JOB_TONES, memberNews as newsOf, type Tone } from '../../../views/states.ts'
import { duration, shortId, shortJob } from '../../../views/words.ts'

/** The largest number of entries that the log keeps. */
export const MOST_ENTRIES = 200

export interface Happened {
  kind: 'leader' | 'member' | 'job'
  text: string
  tone: Tone
}

export interface Entry extends Happened {
  /** The number of the entry. Each entry has a number one higher than the entry before. */
  id: number
  at: number
}

/** @returns the log with the new entries, the newest first */
export function logged(log: readonly Entry[], at: number, news: readonly Happened[]): readonly Entry[] {
  if (news.length === 0) return log
  const next = (log[0]?.id ?? 0) + 1
  const entries = news.map((one, index): Entry => ({ ...one, at, id: next + index }))
  return [...entries.reverse(), ...log].slice(0, MOST_ENTRIES)
}

/** @param without - how long the cluster had no leader, in ms; undefined when one leader directly followed another, or the time is unknown */
export function leaderNews(leader: { id: string; epoch: number } | undefined, without?: number): Happened {
  if (leader === undefined) return { kind: 'leader', text: 'no leader', tone: 'bad' }
  const after = without === undefined ? '' : `, after ${duration(without)} without a leader`
  return { kind: 'leader', text: `${shortId(leader.id)} leads, epoch ${leader.epoch}${after}`, tone: 'good' }
}

export function memberNews(id: string, state: MemberState, isKnown: boolean): Happened {
  return { kind: 'member', ...newsOf(shortId(id), state, isKnown) }
}

/** @param task - the name of the job's task, or undefined when the name is unknown */
export function jobNews(id: string, state: JobEventState, task: string | undefined): Happened {
  const name = `job ${shortJob(id)}${task === undefined ? '' : ` (${task})`}`
  const what = state === 'resumed' ? 'goes on under the new leader' : state === 'running' ? 'runs' : state
  return { kind: 'job', text: `${name} ${what}`, tone: JOB_TONES[state] }
}
