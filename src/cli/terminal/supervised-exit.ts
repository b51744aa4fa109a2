/** The exit codes of the commands that run a command of the user: `lead` and `lock`. */
import { constants } from 'node:os'
import { type CommandEnd, CommandError } from '../../lead/supervised-command.ts'
import { describeError } from '../describe-error.ts'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import { paint, say } from './output.ts'

/** Returns the exit code of the user's command, as shells report it. */
export function codeOf({ code, signal }: CommandEnd): number {
  return code ?? 128 + constants.signals[signal!]
}

/** Says why the command could not run to its end. Returns the exit code. */
export function failedToSupervise(error: unknown): number {
  say(`${paint('bad', 'error:')} ${describeError(error)}`)
  if (error instanceof CommandError) {
    // As shells, `env` and `timeout` define the code.
    return error.code === 'ENOENT' ? exitCodes.commandNotFound : exitCodes.commandNotRun
  }
  return exitCodeOf(error) === exitCodes.usage ? exitCodes.usage : exitCodes.supervisorFailed
}
