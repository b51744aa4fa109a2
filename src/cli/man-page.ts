/** Generates one man page from the help of all commands. */
import type { Argument, Command, Option } from 'commander'
import { version } from '../common/version.ts'
import { exitMeanings } from './exit-codes.ts'
import { print } from './terminal/output.ts'

export async function printManPage(program: Command): Promise<void> {
  await print(manPage(program).trimEnd())
}

/** Returns the man page in roff (man(7)). */
export function manPage(program: Command): string {
  // A group has no use of its own.
  const commands = program.commands.flatMap(command => (command.commands.length === 0 ? command : command.commands))
  return `${[
    `.TH P2P\\-WORKER 1 "" "p2p\\-worker ${text(version)}" "User Commands"`,
    '.SH NAME',
    `p2p\\-worker \\- ${text(lowerFirst(program.description().replace(/\.$/, '')))}`,
    '.SH SYNOPSIS',
    '.B p2p\\-worker',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    line(program.description()),
    '.PP',
    line('The commands, each of which has a section below:'),
    ...commands.flatMap(command => ['.TP', `.B ${text(nameOf(command))}`, line(command.summary())]),
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH ENVIRONMENT',
    line(
      'Every option has an environment variable, which stands behind it above. An option on the command line counts before its variable.'
    ),
    '.TP',
    '.B P2P_WORKER_HOME',
    line("The folder in which keys are saved. Default: the system's folder for data."),
    '.TP',
    '.B NO_COLOR',
    line('Nothing is coloured.'),
    '.TP',
    '.B CI',
    line('There are no colours and no live line.'),
    '.SH EXIT STATUS',
    ...exitMeanings.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, line(meaning)]),
    '.SH EXAMPLES',
    ...examples(examplesOf(program))
  ].join('\n')}\n`
}

function commandSection(command: Command): string[] {
  const help = command.createHelp()
  const groups = help.groupItems([...command.options], help.visibleOptions(command), groupOf)
  return [
    `.SS "p2p\\-worker ${text(`${nameOf(command)} ${command.usage()}`)}"`,
    line(help.commandDescription(command)),
    ...help.visibleArguments(command).flatMap(argumentItem),
    ...[...groups].flatMap(([group, options]) => [
      ...(groups.size > 1 ? ['.PP', `.I ${text(group)}`] : []),
      ...options.flatMap(optionItem)
    ]),
    ...examples(examplesOf(command))
  ]
}

/** Returns the name behind `p2p-worker`, with that of its group. */
function nameOf(command: Command): string {
  const { parent } = command
  return parent?.parent == null ? command.name() : `${parent.name()} ${command.name()}`
}

function groupOf(option: Option): string {
  return option.helpGroupHeading ?? 'Options:'
}

function argumentItem(argument: Argument): string[] {
  return ['.TP', `.I ${text(argument.name())}`, line(sentence(argument.description))]
}

function optionItem(option: Option): string[] {
  const { defaultValue, defaultValueDescription, envVar, negate, description } = option
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean' && !negate
  const fallback = isShown ? [`Default: ${defaultValueDescription ?? String(defaultValue)}.`] : []
  const variable = envVar === undefined ? [] : [`Environment: ${envVar}.`]
  return ['.TP', `.B ${text(option.flags)}`, line([sentence(description), ...fallback, ...variable].join(' '))]
}

/** Returns the examples at the end of the help of a command. */
export function examplesOf(command: Command): string[] {
  const before = { ...command.configureOutput() }
  let shown = ''
  command.configureOutput({
    writeOut: more => {
      shown += more
    },
    getOutHasColors: () => false
  })
  command.outputHelp()
  command.configureOutput(before)
  const [, list = ''] = shown.split(/^Examples?:\n/m)
  return list.split('\n').flatMap(row => /^ {2}\$ (.*)$/.exec(row)?.[1] ?? [])
}

function examples(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', '.RS 4', ...lines.map(example => line(`$ ${example}`)), '.RE', '.fi']
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}

function sentence(words: string): string {
  return words.endsWith('.') ? words : `${words}.`
}

/** Escapes text for roff, so that hyphens and quotes can be copied and pasted. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll('`', '\\(ga')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('…', '...')
    .replace(/[\u0080-\u{10ffff}]/gu, character => `\\[u${codePoint(character)}]`)
}

/** Returns the code point in hexadecimal with at least four digits, as groff requires. */
function codePoint(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
}

/** Escapes a line of text, so that roff does not read its first character as a request. */
function line(words: string): string {
  const shown = text(words)
  return shown.startsWith('.') ? `\\&${shown}` : shown
}
