/** The errors of `map --exec` about a command that it refuses. */
import { InvalidOptionError } from '../common/errors.ts'

/** An error with the fault, and what to write instead. */
export function refusal(what: string, advice: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec cannot take a line safely: ${what}. Instead, ${advice}`)
}

/** An error with the reason why a shell or program may run a line, and what to write instead. */
export function evaluated(why: string, advice: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec could run lines as code: ${why}. Instead, ${advice}`)
}
