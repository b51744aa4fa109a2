/** Runs the command that a command line names. */
import { type Command, CommanderError } from 'commander'
import { describeError } from './describe-error.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { forgetSecrets, withoutLongWords } from './keys/secrets.ts'
import { commandsBelow, fullName } from './options/define-command.ts'
import { tidyEnvironment } from './options/flags.ts'
import { createProgram } from './program.ts'
import { paint, say } from './terminal/output.ts'

/** Makes Commander throw an error instead of ending the process, and suggest the nearest command or option. */
function prepare(program: Command): void {
  for (const command of [program, ...commandsBelow(program)]) {
    command.exitOverride().showSuggestionAfterError(true).allowExcessArguments(false)
    const help = command === program ? 'p2p-worker --help' : `p2p-worker ${fullName(command)} --help`
    command.configureOutput({ outputError: (text, write) => write(withoutLongWords(text)) })
    command.showHelpAfterError(`(${help} shows what there is)`)
  }
}

/** Runs the command and resolves with its exit code. The command itself prints any error. */
export async function runCommandLine(argv: string[]): Promise<number> {
  let exitCode: number = exitCodes.done
  const program = createProgram(code => {
    exitCode = code
  })
  prepare(program)
  program.hook('preAction', (_, command) => forgetSecrets(command))
  try {
    tidyEnvironment(commandsBelow(program), process.env)
    await program.parseAsync(argv)
    return exitCode
  } catch (error) {
    // Commander has already printed its message. A request for help or for the version is not an error.
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownCommand' && !error.message.includes('Did you mean')) {
        const group = program.commands.find(each => each.name() === program.args[0]) ?? program
        say(`(The commands are ${group.commands.map(command => command.name()).join(', ')}.)`)
      }
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    }
    say(`${paint('bad', 'error:')} ${describeError(error)}`)
    return exitCodeOf(error)
  }
}
