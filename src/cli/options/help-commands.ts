/** The commands about the command line itself. */
import { Argument, type Command, Help, Option } from 'commander'
import { InvalidOptionError } from '../../common/errors.ts'
import { exitCodes } from '../exit-codes.ts'
import { defineCommand, type Finish } from './define-command.ts'
import { option } from './flags.ts'
import { didYouMean } from './nearest.ts'
import { forCommander, oneOf } from './options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The instructions for installing the completion script of each shell. */
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

const shell = new Argument('<shell>', `your shell: ${SHELLS.join(', ')}`).argParser(forCommander(oneOf(SHELLS)))
shell.argChoices = [...SHELLS]

export const completionCommand = defineCommand<Shell>({
  name: 'completion',
  summary: 'print a script with which a shell completes commands and options',
  description:
    'Prints a script for your shell. When the shell has read it, Tab completes commands, options, their values and names of files.',
  argument: shell,
  notes: INSTALLING,
  examples: [
    'source <(p2p-worker completion bash)',
    'p2p-worker completion fish > ~/.config/fish/completions/p2p-worker.fish'
  ],
  run: async (_, name) => (await import('../commands/completion.ts')).completion(name)
})

/** @param program - the program, in which all other commands are already defined */
export function helpCommand(program: Command, finish: Finish): Command {
  const subject = new Argument('[command...]', 'the command')
  subject.argChoices = program.commands.map(known => known.name())
  return defineCommand<string[]>({
    name: 'help',
    summary: 'show how a command is used',
    description: 'Shows how a command is used, or which commands there are.',
    argument: subject,
    options: [option('--man', 'print the help of all commands as a man page')],
    examples: ['p2p-worker help run', 'man p2p-worker', 'p2p-worker help --man > p2p-worker.1; man ./p2p-worker.1'],
    async run(command, words) {
      if (command.opts<{ man?: boolean }>().man) await (await import('../man-page.ts')).printManPage(program)
      else words.reduce(topicOf, program).outputHelp()
      return exitCodes.done
    }
  })(finish)
}

function topicOf(group: Command, name: string): Command {
  const topic = group.commands.find(known => known.name() === name)
  if (topic !== undefined) return topic
  const names = group.commands.map(known => known.name())
  const hint = didYouMean(name, names) || (names.length > 0 ? ` The commands are ${names.join(', ')}.` : '')
  throw new InvalidOptionError(`there is no command ${JSON.stringify(name)}.${hint}`)
}

/** The heading of a command's own options. */
const OWN = 'Options:'

/** Adds the option `--help` to a command and those below, and formats the help in the same way for all. */
export function addHelp(command: Command): Command {
  command.commands.forEach(addHelp)
  return command.addHelpOption(new Option('-h, --help', 'show this help')).configureHelp({
    styleTitle: title => `\u001b[1m${title}\u001b[22m`,
    // The descriptions explain each choice, so the help omits commander's list of choices.
    optionDescription(this: Help, shown: Option): string {
      return Help.prototype.optionDescription.call(this, withoutChoices(shown))
    },
    argumentDescription(this: Help, shown: Argument): string {
      return Help.prototype.argumentDescription.call(this, withoutChoices(shown))
    },
    /** Lists the options of the command itself before the shared options. */
    groupItems(this: Help, items, visible, groupOf) {
      const found = Help.prototype.groupItems.call(this, items, visible, groupOf as never) as Map<string, typeof items>
      return new Map([...found].sort(([a], [b]) => Number(b === OWN) - Number(a === OWN)))
    }
  })
}

function withoutChoices<T extends Option | Argument>(shown: T): T {
  return Object.create(shown, { argChoices: { value: undefined } }) as T
}
