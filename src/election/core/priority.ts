/** The priority of a peer in elections: a number that its user chose, or a criterion that measures the peer. */
import { InvalidOptionError } from '../../common/errors.ts'

export const CRITERIA = ['slots', 'memory', 'age'] as const satisfies readonly Criterion[]
/** A measure of a peer: the peer with more slots, with more memory, or that has run for longer ranks higher. */
type Criterion = Exclude<ElectionPriority, number>
/** The priority of a peer in elections: an integer, or a criterion that determines it. */
export type ElectionPriority = number | 'slots' | 'memory' | 'age'

/** The properties of a peer that the criteria measure. */
export interface Measures {
  slots: number
  /** The memory that the process may use, in bytes. */
  memory: number
  /** When the peer joined, in ms since the Unix epoch. */
  joinedAt: number
}

/** A priority, and the difference from which it is worth to move the leadership. */
export interface Standing {
  electionPriority: number
  /** The least lead in priority with which this peer takes over from a live leader. Undefined: any higher rank takes over. */
  margin: number | undefined
}

/** Priorities are 32-bit integers. */
export const MOST_PRIORITY = 2 ** 31 - 1
const ALLOWED = `a whole number from ${-MOST_PRIORITY} to ${MOST_PRIORITY}, or one of ${CRITERIA.join(', ')}`
/** Ages count from here, so that they fit into a priority. */
const AGE_ORIGIN = Date.UTC(2020, 0)
/** The least lead in age, in s. Peers that start together must not take the leadership from each other. */
const AGE_MARGIN = 60
/** The least lead in slots or memory, as a part of the own value. */
const MARGIN_PART = 0.1

/** Returns the priority of a peer. @throws InvalidOptionError unless it is an integer in range or a criterion */
export function standingOf(priority: ElectionPriority, { slots, memory, joinedAt }: Measures): Standing {
  switch (priority) {
    case 'slots':
      return withMargin(slots)
    case 'memory':
      return withMargin(Math.min(Math.floor(memory / 2 ** 20), MOST_PRIORITY))
    case 'age': {
      const joined = Math.floor((joinedAt - AGE_ORIGIN) / 1_000)
      return { electionPriority: -Math.min(Math.max(joined, 0), MOST_PRIORITY), margin: AGE_MARGIN }
    }
  }
  checkPriority(priority)
  return { electionPriority: priority, margin: undefined }
}

/** @throws InvalidOptionError unless the priority is an integer in range or a criterion */
export function checkPriority(priority: ElectionPriority): void {
  if (CRITERIA.some(name => name === priority)) return
  if (typeof priority === 'number' && Number.isInteger(priority) && Math.abs(priority) <= MOST_PRIORITY) return
  throw new InvalidOptionError(`\`electionPriority\` must be ${ALLOWED}, not ${JSON.stringify(priority)}`)
}

function withMargin(value: number): Standing {
  return { electionPriority: value, margin: Math.max(1, Math.ceil(value * MARGIN_PART)) }
}

/** Reads a priority as users write it: a number or a criterion. @throws InvalidOptionError */
export function parsePriority(text: string): ElectionPriority {
  const criterion = CRITERIA.find(name => name === text)
  if (criterion !== undefined) return criterion
  const value = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (Math.abs(value) <= MOST_PRIORITY) return value
  throw new InvalidOptionError(`It must be ${ALLOWED}.`)
}
