/** The commands that are about the command line itself. */
import { Argument, Command, Help, InvalidArgumentError, Option } from 'commander'
import { InvalidOptionError } from '../../common/errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { example, type Finish, groups, option } from './flags.ts'
import { didYouMean } from './nearest.ts'
import { oneOf } from './options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** How a script is put where a shell finds it. */
const INSTALLING = `
To have it in every new shell (p2p-worker has to be in your PATH: npm install --global p2p-worker):
  bash  echo 'source <(p2p-worker completion bash)' >> ~/.bashrc
        with the package bash-completion, it is loaded only when it is needed:
        mkdir -p ~/.local/share/bash-completion/completions
        p2p-worker completion bash > ~/.local/share/bash-completion/completions/p2p-worker
  zsh   echo 'source <(p2p-worker completion zsh)' >> ~/.zshrc    # behind compinit
        or into a folder of your $fpath, under the name _p2p-worker
  fish  p2p-worker completion fish > ~/.config/fish/completions/p2p-worker.fish
`

export function completionCommand(finish: Finish): Command {
  const parse = oneOf(SHELLS)
  const shell = new Argument('<shell>', `your shell: ${SHELLS.join(', ')}`).argParser(text => {
    try {
      return parse(text)
    } catch (error) {
      if (error instanceof InvalidOptionError) throw new InvalidArgumentError(error.message)
      throw error
    }
  })
  shell.argChoices = [...SHELLS]
  return new Command('completion')
    .summary('print a script with which a shell completes commands and options')
    .description(
      'Prints a script for your shell. When the shell has read it, Tab completes commands, options, their values and names of files.'
    )
    .addArgument(shell)
    .addHelpText('after', INSTALLING)
    .addHelpText(
      'after',
      example(
        'source <(p2p-worker completion bash)',
        'p2p-worker completion fish > ~/.config/fish/completions/p2p-worker.fish'
      )
    )
    .action(async (name: Shell) => {
      const { completion } = await import('../commands/completion.ts')
      finish(await completion(name))
    })
}

/** @param program - whose commands are explained; it has all of them by now */
export function helpCommand(program: Command, finish: Finish): Command {
  const names = program.commands.map(known => known.name())
  const subject = new Argument('[command]', 'the command')
  subject.argChoices = names
  const command = new Command('help')
    .summary('show how a command is used')
    .description('Shows how a command is used, or which commands there are.')
    .addArgument(subject)
    .addOption(option('--man', 'print all of it as a man page'))
    .addHelpText(
      'after',
      example('p2p-worker help run', 'man p2p-worker', 'p2p-worker help --man > p2p-worker.1; man ./p2p-worker.1')
    )
  return command.action(async (name: string | undefined) => {
    if (command.opts<{ man?: boolean }>().man) {
      const { printManPage } = await import('../man-page.ts')
      await printManPage(program)
    } else if (name === undefined) {
      program.outputHelp()
    } else {
      const topic = program.commands.find(known => known.name() === name)
      if (topic === undefined) {
        throw new InvalidOptionError(
          `there is no command ${JSON.stringify(name)}.${didYouMean(name, names) || ` The commands are ${names.join(', ')}.`}`
        )
      }
      topic.outputHelp()
    }
    finish(exitCodes.done)
  })
}

/** What all commands have in common. */
export function addHelp(command: Command): Command {
  return command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup(groups.own)).configureHelp({
    styleTitle: title => `\u001b[1m${title}\u001b[22m`,
    // The descriptions say what each of the choices means.
    optionDescription(this: Help, shown: Option): string {
      return Help.prototype.optionDescription.call(this, withoutChoices(shown))
    },
    argumentDescription(this: Help, shown: Argument): string {
      return Help.prototype.argumentDescription.call(this, withoutChoices(shown))
    }
  })
}

function withoutChoices<T extends Option | Argument>(shown: T): T {
  return Object.create(shown, { argChoices: { value: undefined } }) as T
}
