/** What `map --exec` says about a command that it refuses. */
import { InvalidOptionError } from '../common/errors.ts'

/** What is wrong, and what to write. */
export function refusal(what: string, advice: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec cannot take a line safely: ${what}. Instead, ${advice}`)
}

/** Why a shell or program may run a line, and what to write. */
export function evaluated(why: string, advice: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec could run lines as code: ${why}. Instead, ${advice}`)
}
