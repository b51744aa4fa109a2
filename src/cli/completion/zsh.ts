import type { Command } from 'commander'
import {
  type CommandWords,
  commandWords,
  globalOptions,
  groupsOf,
  isFirst,
  type OptionWords,
  quoted,
  type Value
} from './words.ts'

function action(value: Value): string {
  if (value.kind === 'word') return `(${value.words.join(' ')})`
  return { file: '_files', folder: '_files -/', program: '_command_names -e', any: ' ' }[value.kind]
}

/** Escapes text for the brackets of a specification. */
function explained(text: string): string {
  return `[${text.replaceAll(/[[\]\\]/g, '\\$&')}]`
}

function optionSpecs({ names, description, placeholder, value, repeats }: OptionWords): string[] {
  // The short and the long name belong to the same option. When one name is typed, zsh offers neither name again.
  const group = repeats ? '*' : `(${names.join(' ')})`
  const rest = value === undefined ? '' : `:${placeholder}:${action(value)}`
  return names.map(name => quoted(`${group}${name}${value === undefined ? '' : '='}${explained(description)}${rest}`))
}

function argumentSpecs({ name, options, arguments: args }: CommandWords): string[] {
  // The command of `lead` follows `--`, together with its own arguments.
  if (name === 'lead') return []
  // zsh may count the optional value of an option as an argument, so the specification allows any number of arguments.
  const isLoose = options.some(({ optional }) => optional)
  return args.map(({ name: argument, required, value }) =>
    quoted(`${isLoose ? '*:' : required ? ':' : '::'}${argument}:${action(value)}`)
  )
}

function commandCase(command: CommandWords): string {
  const specs = [...command.options.flatMap(optionSpecs), ...argumentSpecs(command)]
  const own = `          _arguments \\\n${specs.map(spec => `            ${spec}`).join(' \\\n')}`
  const behind = command.name === 'lead' ? [BEHIND] : []
  return [`        '${command.name}')`, ...behind, own, '          ;;'].join('\n')
}

/** Completes the words after `--` as a command line of their own. */
const BEHIND = `          local -i dashes=\${words[(i)--]}
          if (( dashes < CURRENT )); then
            shift dashes words
            (( CURRENT -= dashes ))
            _normal
            return
          fi`

/**
 * Returns the completion script. The script works as the file `_p2p-worker` in a folder of `$fpath`, and when it is
 * sourced.
 */
export function zshScript(program: Command): string {
  const commands = commandWords(program)
  const described = commands
    .filter(isFirst)
    .map(({ name, summary }) => quoted(`${name}:${summary.replaceAll(':', '\\:')}`))
  return `#compdef p2p-worker
# Completion of p2p-worker for zsh, made by \`p2p-worker completion zsh\`.

_p2p_worker() {
  local curcontext=$curcontext state line
  local -A opt_args
  # Not \`commands\`: zsh keeps there which programs exist.
  local -a subcommands
  _arguments -C \\
${globalOptions(program)
  .flatMap(optionSpecs)
  .map(spec => `    ${spec} \\`)
  .join('\n')}
    '1: :->command' \\
    '*:: :->words'
  case $state in
    command)
      subcommands=(
${described.map(text => `        ${text}`).join('\n')}
      )
      _describe -t commands command subcommands
      ;;
    words)
      # A group and its command become one word.
      if (( CURRENT > 2 )) && [[ $words[1] == (${groupsOf(commands).join('|')}) ]]; then
        words[1,2]="$words[1] $words[2]"
        (( CURRENT -= 1 ))
      fi
      case $words[1] in
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}

if [[ $funcstack[1] == _p2p-worker ]]; then
  _p2p_worker "$@"
else
  compdef _p2p_worker p2p-worker
fi
`
}
