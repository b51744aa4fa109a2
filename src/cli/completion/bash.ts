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

/**
 * Returns the arguments of compgen that list the words for a value. Returns undefined if a shell cannot know the words.
 */
function compgen(value: Value): string | undefined {
  // Only line ends separate the words, because file names may contain spaces.
  if (value.kind === 'word') return `-W $'${value.words.join('\\n')}'`
  return { file: '-f', folder: '-d', program: '-c', any: undefined }[value.kind]
}

function offer(value: Value): string {
  const words = compgen(value)
  if (words === undefined) return 'return'
  return `_p2p_worker_offer ${value.kind === 'file' || value.kind === 'folder' ? 'filenames' : 'default'} ${words}; return`
}

/** Returns the cases of the shell script for the options that need a value. */
function valueCases(options: readonly OptionWords[]): string[] {
  return options.flatMap(({ names, value }) =>
    value === undefined ? [] : [`        ${names.join('|')}) ${offer(value)} ;;`]
  )
}

function commandCase({ name, options, arguments: args }: CommandWords): string {
  // The script does not count arguments. Of several, names of files are the most useful.
  const first = args.find(({ value }) => value.kind === 'file') ?? args[0]
  const names = options.flatMap(option => option.names.filter(text => text.startsWith('--')))
  const cases = valueCases(options)
  return [
    `    '${name}')`,
    ...(cases.length === 0 ? [] : ['      case $prev in', ...cases, '      esac']),
    `      options=${quoted(names.join(' '))}`,
    ...(first === undefined ? [] : [`      [[ $cur == -* ]] || { ${offer(first.value)}; }`]),
    '      ;;'
  ].join('\n')
}

/** Returns the completion script for bash 3.2 and later. The script needs no other packages. */
export function bashScript(program: Command): string {
  const commands = commandWords(program)
  const first = [
    ...commands.filter(isFirst).map(({ name }) => name),
    ...globalOptions(program).flatMap(({ names }) => names)
  ]
  return `# Completion of p2p-worker for bash, made by \`p2p-worker completion bash\`.

_p2p_worker_offer() {
  local IFS=$'\\n' how=$1
  shift
  # Bash 3.2 has no compopt, and appends no slash to folders then.
  [ "$how" = filenames ] && compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$@" -- "$cur"))
}

_p2p_worker() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= options= at
  COMPREPLY=()
  # Bash makes three words of --role=worker.
  if [ "$cur" = = ]; then
    cur=
  elif [ "$prev" = = ]; then
    prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
      --) [ "$command" = lead ] && { _p2p_worker_behind "$at"; return; } ;;
      -*) ;;
      *) case $command in
          '') command=\${COMP_WORDS[at]} ;;
          ${groupsOf(commands).join('|')}) command+=" \${COMP_WORDS[at]}" ;;
        esac ;;
    esac
  done
  case $command in
    '') options=${quoted(first.join(' '))} ;;
${commands.map(commandCase).join('\n')}
    *) return ;;
  esac
  _p2p_worker_offer default -W "\${options// /$'\\n'}"
}

# A program, and then its arguments, behind --.
_p2p_worker_behind() {
  if [ "$1" = $((COMP_CWORD - 1)) ]; then
    _p2p_worker_offer default -c
  else
    _p2p_worker_offer filenames -f
  fi
}

complete -F _p2p_worker p2p-worker
`
}
