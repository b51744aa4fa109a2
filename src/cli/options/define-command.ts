import { type Argument, Command, type Option } from 'commander'
import { BareOptionsCommand } from './bare-options.ts'

/** Takes the exit code of the command that ran. */
export type Finish = (exitCode: number) => void

/** The definition of a command. The parser, the help, the man page and the completions are generated from it. */
export interface CommandDefinition<Value> {
  name: string
  /** One line for the list of commands. */
  summary: string
  description: string
  argument?: Argument
  /** The arguments, if there are several. */
  arguments?: readonly Argument[]
  options?: readonly Option[]
  /** The text between the options and the examples in the help. */
  notes?: string
  examples: readonly string[]
  /**
   * Runs the command and resolves with its exit code. The modules of the command load only here, so that `--help` is
   * fast.
   *
   * @param value - the first parsed argument
   */
  run(command: Command, value: Value): Promise<number>
}

export function defineCommand<Value>(definition: CommandDefinition<Value>): (finish: Finish) => Command {
  const { name, summary, description, argument, options = [], notes, examples, run } = definition
  const words = definition.arguments ?? (argument === undefined ? [] : [argument])
  return finish => {
    const command: Command = new BareOptionsCommand(name).summary(summary).description(description)
    for (const word of words) command.addArgument(word)
    for (const option of options) command.addOption(option)
    if (notes !== undefined) command.addHelpText('after', notes)
    return command
      .addHelpText('after', exampleText(...examples))
      .action(async () => finish(await run(command, command.processedArgs[0] as Value)))
  }
}

/** Defines a command that only groups others: `schedule add`, `schedule list`. */
export function defineGroup(
  group: Pick<CommandDefinition<unknown>, 'name' | 'summary' | 'description' | 'examples'>,
  makers: readonly ((finish: Finish) => Command)[]
): (finish: Finish) => Command {
  const { name, summary, description, examples } = group
  return finish => {
    const command = new Command(name).summary(summary).description(description).helpCommand(false)
    for (const make of makers) command.addCommand(make(finish))
    return command.addHelpText('after', exampleText(...examples))
  }
}

/** Returns the commands below a command, each group before its members. */
export function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap(each => [each, ...commandsBelow(each)])
}

/** Returns the name as a user types it behind `p2p-worker`: `schedule add`. */
export function fullName(command: Command): string {
  const { parent } = command
  return parent?.parent == null ? command.name() : `${fullName(parent)} ${command.name()}`
}

/** Returns the end of a command's help. */
export function exampleText(...lines: string[]): string {
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map(line => `  $ ${line}`).join('\n')}`
}
