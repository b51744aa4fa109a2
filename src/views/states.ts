/** Describes the states of members and jobs for a user. */
import type { JobEventState, JobState } from '../jobs/shared/types.ts'
import type { MemberState } from '../membership/core/member.ts'

/** The colour of a piece of text. A word or a sign beside the text always has the same meaning as the colour. */
export type Tone = 'plain' | 'good' | 'caution' | 'bad' | 'gone'

export const MEMBER_TONES = {
  alive: 'good',
  suspect: 'caution',
  dead: 'bad',
  left: 'gone'
} as const satisfies Record<MemberState, Tone>

export const JOB_TONES = {
  accepted: 'plain',
  running: 'plain',
  suspended: 'caution',
  resumed: 'good',
  completed: 'good',
  failed: 'bad',
  cancelled: 'caution'
} as const satisfies Record<JobEventState, Tone>

/** Whether a job has ended. */
export function isOver(state: JobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** Describes a change of a member's state, with the member's name as the subject. */
export function memberNews(name: string, state: MemberState, isKnown: boolean): { text: string; tone: Tone } {
  if (state === 'left') return { text: `${name} left`, tone: 'plain' }
  if (state === 'alive' && !isKnown) return { text: `${name} joined`, tone: 'good' }
  return { text: `${name} is ${state}${state === 'alive' ? ' again' : ''}`, tone: MEMBER_TONES[state] }
}
