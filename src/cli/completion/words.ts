/** Lists the words that a shell can complete. The words come from the definitions of the commands. */
import type { Argument, Command, Option } from 'commander'
import { commandsBelow, fullName } from '../options/define-command.ts'

/** The kind of a value: existing files or folders, programs, one of several words, or anything else. */
export type Value = { kind: 'file' | 'folder' | 'program' | 'any' } | { kind: 'word'; words: readonly string[] }

export interface OptionWords {
  /** The names of the option, such as `--help` and `-h`. */
  names: string[]
  description: string
  /** The placeholder of the value in the help. */
  placeholder: string
  /** The required value; undefined for an option without a required value. */
  value: Value | undefined
  /** Whether the value is optional. */
  optional: boolean
  /** Whether the option may be repeated. */
  repeats: boolean
}

export interface CommandWords {
  name: string
  summary: string
  options: OptionWords[]
  arguments: { name: string; required: boolean; value: Value }[]
}

/** The kind of a value for each placeholder in the help. */
const KINDS: Record<string, 'file' | 'folder' | 'program'> = {
  file: 'file',
  // The value of `--voters`: users do not type PeerIds, so the completion offers files.
  list: 'file',
  task: 'file',
  folder: 'folder',
  command: 'program'
}

function valueNamed(name: string, words: readonly string[] | undefined): Value {
  return words === undefined ? { kind: KINDS[name] ?? 'any' } : { kind: 'word', words }
}

function optionWords(option: Option): OptionWords {
  const placeholder = /<([^>.]+)/.exec(option.flags)?.[1] ?? ''
  return {
    names: [option.short, option.long].filter(name => name != null),
    description: option.description,
    placeholder,
    // The value of `--exec` is a whole shell command, which the name of a program does not complete.
    value: option.required
      ? option.long === '--exec'
        ? { kind: 'any' }
        : valueNamed(placeholder, option.argChoices)
      : undefined,
    optional: option.optional,
    repeats: option.description.includes('may be repeated')
  }
}

function argumentWords(argument: Argument): CommandWords['arguments'][number] {
  return { name: argument.name(), required: argument.required, value: valueNamed(argument.name(), argument.argChoices) }
}

function optionsOf(command: Command): OptionWords[] {
  return command.createHelp().visibleOptions(command).map(optionWords)
}

/** Returns all commands. The words of a group are the names of its commands. */
export function commandWords(program: Command): CommandWords[] {
  return commandsBelow(program).map(command => ({
    name: fullName(command),
    summary: command.summary(),
    options: optionsOf(command),
    arguments:
      command.commands.length === 0
        ? command.registeredArguments.map(argumentWords)
        : [
            {
              name: 'command',
              required: true,
              value: { kind: 'word', words: command.commands.map(each => each.name()) }
            }
          ]
  }))
}

/** Whether a user types the name as the first word. */
export const isFirst = ({ name }: CommandWords): boolean => !name.includes(' ')

/** Returns the first words of the names that have several. */
export function groupsOf(commands: readonly CommandWords[]): string[] {
  return [...new Set(commands.filter(each => !isFirst(each)).map(({ name }) => name.split(' ')[0]!))]
}

/** The options that precede the name of the command. */
export const globalOptions = optionsOf

/** Puts text in single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
