/** The errors of `map --exec` about a command that it refuses. */
import { InvalidOptionError } from '../common/errors.ts'

/** Returns an error with the fault of the command and with advice. */
export function refusal(what: string, advice: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec cannot take a line safely: ${what}. Instead, ${advice}`)
}

/** Returns an error with the reason why a shell or program may run a line as code, and with advice. */
export function evaluated(why: string, advice: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec could run lines as code: ${why}. Instead, ${advice}`)
}
