import type { ScheduleClock } from './types.ts'

/** Returns the time by the clocks of the members, in ms since the Unix epoch. */
export function medianOf({ now, ahead = 0 }: ScheduleClock): number {
  return Math.floor(now - ahead)
}

/** Describes how far the clock of the leader is ahead of the clocks of the members. */
export function describeAhead(ahead: number): string {
  const seconds = (Math.abs(ahead) / 1_000).toFixed(1)
  return `the clock of the leader is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the clocks of the members`
}
