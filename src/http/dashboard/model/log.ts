/** What has happened, in words. */
import type { JobEventState, JobState } from '../../../jobs/shared/types.ts'
import type { MemberState } from '../../../membership/core/member.ts'
import { shortId, shortJob, shortSpan } from './words.ts'

/** So much of it is kept. */
export const MOST_ENTRIES = 200

/** What a colour says as well as the words. */
export type Tone = 'plain' | 'good' | 'caution' | 'bad'

export interface Happened {
  kind: 'leader' | 'member' | 'job'
  text: string
  tone: Tone
}

export interface Entry extends Happened {
  /** Grows by one. */
  id: number
  at: number
}

/** @returns the log with these in it, the newest first */
export function logged(log: readonly Entry[], at: number, news: readonly Happened[]): readonly Entry[] {
  if (news.length === 0) return log
  const next = (log[0]?.id ?? 0) + 1
  const entries = news.map((one, index): Entry => ({ ...one, at, id: next + index }))
  return [...entries.reverse(), ...log].slice(0, MOST_ENTRIES)
}

/** @param without - for how long there was no leader before, in ms; undefined where there was one, or nobody can tell */
export function leaderNews(leader: { id: string; epoch: number } | undefined, without?: number): Happened {
  if (leader === undefined) return { kind: 'leader', text: 'no leader', tone: 'bad' }
  const after = without === undefined ? '' : `, after ${shortSpan(without)} without a leader`
  return { kind: 'leader', text: `${shortId(leader.id)} leads, epoch ${leader.epoch}${after}`, tone: 'good' }
}

export function memberNews(id: string, state: MemberState, isKnown: boolean): Happened {
  const who = shortId(id)
  switch (state) {
    case 'alive':
      return { kind: 'member', text: isKnown ? `${who} is alive again` : `${who} joined`, tone: 'good' }
    case 'suspect':
      return { kind: 'member', text: `${who} is suspect`, tone: 'caution' }
    case 'dead':
      return { kind: 'member', text: `${who} is dead`, tone: 'bad' }
    case 'left':
      return { kind: 'member', text: `${who} left`, tone: 'plain' }
  }
}

const JOB_TONES: Record<JobEventState, Tone> = {
  accepted: 'plain',
  running: 'plain',
  resumed: 'good',
  completed: 'good',
  failed: 'bad',
  cancelled: 'caution'
}

/** @param task - its task's name, where that is known */
export function jobNews(id: string, state: JobEventState | JobState, task: string | undefined): Happened {
  const name = `job ${shortJob(id)}${task === undefined ? '' : ` (${task})`}`
  const what = state === 'resumed' ? 'goes on under the new leader' : state === 'running' ? 'runs' : state
  return { kind: 'job', text: `${name} ${what}`, tone: JOB_TONES[state] }
}
