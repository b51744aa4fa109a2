/** Parses and checks the bodies of `POST /api/jobs` and `POST /api/schedules`. */
import type { ScheduleOptions } from '../api/schedule-types.ts'
import { InvalidOptionError } from '../common/errors.ts'
import type { SubmitOptions } from '../jobs/shared/types.ts'

interface TaskFields {
  /** The task's path or file URL on the peer's machine. */
  task: string | undefined
  /** The source text of the task's module, as an alternative to `task`. */
  source: string | undefined
  input: unknown
}

export interface Submission extends TaskFields {
  options: SubmitOptions
}

export interface ScheduleRequest extends TaskFields {
  name: string
  cron: string
  options: ScheduleOptions
}

export type Check = (value: unknown) => boolean

export const isString: Check = value => typeof value === 'string'
export const isNumber: Check = value => typeof value === 'number'
const isBoolean: Check = value => typeof value === 'boolean'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isStrings: Check = value => Array.isArray(value) && value.every(isString)

const FIELDS = ['task', 'source', 'input', 'options']
type Types = Record<string, { is: Check; what: string }>
/** The type of each option of a job. `submit` checks the range of the value later, as for every job. */
const JOB_OPTIONS: Types = {
  retries: { is: isNumber, what: 'a number' },
  chunkTimeout: { is: isNumber, what: 'a number, in ms' },
  priority: { is: isNumber, what: 'a number' },
  speculate: { is: isBoolean, what: 'true or false' },
  requires: { is: isObject, what: 'an object of tags' },
  keep: { is: isNumber, what: 'a number, in ms' },
  durable: { is: isNumber, what: 'a number of disks' },
  external: { is: isStrings, what: 'an array of strings' }
}
const SUBMIT_OPTIONS: Types = {
  ...JOB_OPTIONS,
  id: { is: isString, what: 'a string' },
  at: { is: isNumber, what: 'a number, in ms since the Unix epoch' }
}
const SCHEDULE_OPTIONS: Types = {
  ...JOB_OPTIONS,
  timeZone: { is: isString, what: 'a string' },
  missed: { is: isString, what: 'a string' },
  overlap: { is: isString, what: 'a string' },
  catchUp: { is: isNumber, what: 'a number' },
  jitter: { is: isNumber, what: 'a number, in ms' }
}

/** @throws InvalidOptionError that names what is wrong in the body */
export function parseSubmission(text: string): Submission {
  const body = parseObject(text, 'the body must be an object with `task` or `source`')
  checkNames(body, FIELDS, 'the body')
  const { at, ...options } = checkOptions(body, SUBMIT_OPTIONS)
  return { ...taskFields(body), options: { ...options, ...(at !== undefined && { at: new Date(at as number) }) } }
}

/** @throws InvalidOptionError that names what is wrong in the body */
export function parseSchedule(text: string): ScheduleRequest {
  const body = parseObject(text, 'the body must be an object with `name`, `cron`, and `task` or `source`')
  checkNames(body, ['name', 'cron', ...FIELDS], 'the body')
  const { name, cron } = body
  if (typeof name !== 'string') throw new InvalidOptionError('`name` must be a string')
  if (typeof cron !== 'string') throw new InvalidOptionError('`cron` must be a string')
  return { name, cron, ...taskFields(body), options: checkOptions(body, SCHEDULE_OPTIONS) }
}

function taskFields({ task, source, input }: Record<string, unknown>): TaskFields {
  if ((task === undefined) === (source === undefined))
    throw new InvalidOptionError(
      'give one of `task` (a path or file URL on the peer) and `source` (the text of a module)'
    )
  if (task !== undefined && (typeof task !== 'string' || task === ''))
    throw new InvalidOptionError('`task` must be the path or file URL of a module')
  if (source !== undefined && typeof source !== 'string')
    throw new InvalidOptionError('`source` must be the text of a module')
  return { task: task as string | undefined, source: source as string | undefined, input }
}

function checkOptions({ options = {} }: Record<string, unknown>, types: Types): Record<string, unknown> {
  if (!isObject(options)) throw new InvalidOptionError('`options` must be an object')
  checkFields(options, types, '`options`', 'options.')
  return options
}

/** @throws InvalidOptionError with the message `otherwise` when the text is JSON, but no object */
export function parseObject(text: string, otherwise: string): Record<string, unknown> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new InvalidOptionError(`the body is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (!isObject(body)) throw new InvalidOptionError(otherwise)
  return body
}

/** @throws InvalidOptionError that names the first unknown field, or the first with another type */
export function checkFields(object: Record<string, unknown>, fields: Types, where: string, prefix: string): void {
  checkNames(object, Object.keys(fields), where)
  for (const [name, value] of Object.entries(object)) {
    const { is, what } = fields[name] as { is: Check; what: string }
    if (!is(value)) throw new InvalidOptionError(`\`${prefix}${name}\` must be ${what}`)
  }
}

/** Refuses unknown names. Otherwise a mistyped option would be ignored silently. */
function checkNames(object: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(object).find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw new InvalidOptionError(
      `${where} may hold ${known.join(', ')}, and not ${JSON.stringify(unknown.slice(0, 100))}`
    )
  }
}
