/** Parses and checks the body of `POST /api/jobs`. */
import { InvalidOptionError } from '../common/errors.ts'
import type { SubmitOptions } from '../jobs/shared/types.ts'

export interface Submission {
  /** The task's path or file URL on the peer's machine. */
  task: string | undefined
  /** The source text of the task's module, as an alternative to `task`. */
  source: string | undefined
  input: unknown
  options: SubmitOptions
}

export type Check = (value: unknown) => boolean

export const isString: Check = value => typeof value === 'string'
export const isNumber: Check = value => typeof value === 'number'
const isBoolean: Check = value => typeof value === 'boolean'
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isStrings: Check = value => Array.isArray(value) && value.every(isString)

const FIELDS = ['task', 'source', 'input', 'options']
/** The type of each option. `submit` checks the range of the value later, as for every job. */
const OPTIONS: Record<string, { is: Check; what: string }> = {
  id: { is: isString, what: 'a string' },
  retries: { is: isNumber, what: 'a number' },
  chunkTimeout: { is: isNumber, what: 'a number, in ms' },
  priority: { is: isNumber, what: 'a number' },
  speculate: { is: isBoolean, what: 'true or false' },
  requires: { is: isObject, what: 'an object of tags' },
  keep: { is: isNumber, what: 'a number, in ms' },
  external: { is: isStrings, what: 'an array of strings' }
}

/** @throws InvalidOptionError that names what is wrong in the body */
export function parseSubmission(text: string): Submission {
  const body = parseObject(text, 'the body must be an object with `task` or `source`')
  checkNames(body, FIELDS, 'the body')
  const { task, source, input, options = {} } = body
  if ((task === undefined) === (source === undefined))
    throw new InvalidOptionError(
      'give one of `task` (a path or file URL on the peer) and `source` (the text of a module)'
    )
  if (task !== undefined && (typeof task !== 'string' || task === ''))
    throw new InvalidOptionError('`task` must be the path or file URL of a module')
  if (source !== undefined && typeof source !== 'string')
    throw new InvalidOptionError('`source` must be the text of a module')
  if (!isObject(options)) throw new InvalidOptionError('`options` must be an object')
  checkFields(options, OPTIONS, '`options`', 'options.')
  return { task: task as string | undefined, source: source as string | undefined, input, options }
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
export function checkFields(
  object: Record<string, unknown>,
  fields: Record<string, { is: Check; what: string }>,
  where: string,
  prefix: string
): void {
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
