import type { Command } from 'commander'
import {
  type CommandWords,
  commandWords,
  globalOptions,
  groupsOf,
  isFirst,
  type OptionWords,
  type Value
} from './words.ts'

/** Puts text in single quotes, inside which fish knows escapes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}

/** Returns the arguments of `complete` for a value. \`-x\` requires a value and prevents file names as suggestions. */
function completes(value: Value): string {
  if (value.kind === 'word') return `-x -a ${quoted(value.words.join(' '))}`
  return {
    file: '-r -F',
    folder: `-x -a '(__fish_complete_directories)'`,
    program: `-x -a '(complete -C "")'`,
    any: '-x'
  }[value.kind]
}

function optionLine(condition: string, { names, description, value }: OptionWords): string {
  const flags = names.map(name => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return ['complete -c p2p-worker', condition, ...flags, ...(value === undefined ? [] : [completes(value)])]
    .concat(`-d ${quoted(description)}`)
    .join(' ')
}

function commandLines({ name, options, arguments: args }: CommandWords): string[] {
  // The script does not count arguments. Of several, names of files are the most useful.
  const first = args.find(({ value }) => value.kind === 'file') ?? args[0]
  const condition = `-n '__p2p_worker_runs ${name}'`
  const lines = options.map(option => optionLine(condition, option))
  if (first === undefined || first.value.kind === 'any') return lines
  // A file is an additional suggestion here, not a requirement.
  const how = completes(first.value).replace(/^-[rx] /, '')
  return [...lines, `complete -c p2p-worker ${condition} ${how}`]
}

export function fishScript(program: Command): string {
  const commands = commandWords(program)
  const start = `-n 'not __p2p_worker_command >/dev/null'`
  return `# Completion of p2p-worker for fish, made by \`p2p-worker completion fish\`.

# The command that stands before the cursor, in one or two words; fails where there is none yet.
function __p2p_worker_command
    set -l group
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; and continue
        if contains -- $word ${groupsOf(commands).join(' ')}; and test -z "$group"
            set group $word
            continue
        end
        echo $group $word
        return
    end
    test -n "$group"; and echo $group
end

function __p2p_worker_runs
    test "$(__p2p_worker_command)" = "$argv"
end

complete -c p2p-worker -f
${globalOptions(program)
  .map(option => optionLine(start, option))
  .join('\n')}
${commands
  .filter(isFirst)
  .map(({ name, summary }) => `complete -c p2p-worker ${start} -a ${name} -d ${quoted(summary)}`)
  .join('\n')}
${commands.flatMap(commandLines).join('\n')}
`
}
