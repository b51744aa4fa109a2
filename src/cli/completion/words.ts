/** What can follow on a command line, as shells complete it: read from the commands themselves. */
import type { Argument, Command, Option } from 'commander'

/** What a value is: files and folders that exist, programs, one of some words, or nothing that a shell can know. */
export type Value = { kind: 'file' | 'folder' | 'program' | 'any' } | { kind: 'word'; words: readonly string[] }

export interface OptionWords {
  /** `--role`, and `-h` where there is a short one. */
  names: string[]
  description: string
  /** As the help calls it. */
  placeholder: string
  /** Undefined where none has to follow. */
  value: Value | undefined
  /** One may follow. */
  optional: boolean
  /** It may be given more than once. */
  repeats: boolean
}

export interface CommandWords {
  name: string
  summary: string
  options: OptionWords[]
  arguments: { name: string; required: boolean; value: Value }[]
}

/** By what the help calls a value. */
const KINDS: Record<string, 'file' | 'folder' | 'program'> = {
  file: 'file',
  // Of voters: PeerIds, which nobody types, or a file of them.
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
    // `--exec <command>` is a line for a shell, which no name of a program completes.
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

export function commandWords(program: Command): CommandWords[] {
  return program.commands.map(command => ({
    name: command.name(),
    summary: command.summary(),
    options: optionsOf(command),
    arguments: command.registeredArguments.map(argumentWords)
  }))
}

/** The options before any command. */
export const globalOptions = optionsOf

/** Text in single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
