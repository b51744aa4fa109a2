/**
 * Refuses commands that run an argument as code, or evaluate an argument as an expression or a name: where bash expects a
 * number or a name, bash runs `$(cmd)` in the index of an array. A scanner cannot know which variables contain an input
 * line, so every argument that is not a constant counts as an argument that may contain a line.
 */
import { baseName, type Program } from './program.ts'
import { evaluated } from './refusal.ts'
import { LINE, type Word } from './words.ts'

/** Checks code that a command passes to a shell; throws the same errors as for a template. */
export type CodeReader = (code: string) => void

const IN_A_SCRIPT = 'keep it in a script of its own, and hand the line to that'
const WITH_TEST = 'write [ "$x" = y ], or expr "$x" + 1 where numbers are computed'
const AS_COMMANDS = "where lines are meant to be commands, printf '%s\\n' {} | sh"

/** Commands that are refused with any arguments. Each value contains the reason, and the text to write instead. */
const REFUSED: ReadonlyMap<string, readonly [string, string]> = new Map<string, [string, string]>([
  ['eval', ['eval runs its arguments', AS_COMMANDS]],
  ['[[', ['[[ evaluates its words, and not every sh knows it', WITH_TEST]],
  ['let', ['let evaluates its arguments', WITH_TEST]],
  ['alias', ['alias makes code of its arguments', 'write a function']],
  ['coproc', ['not every sh knows coproc', 'use a pipe']],
  ['function', ['not every sh knows `function`', 'write NAME() { …; }']],
  ...repeated('declare typeset', 'evaluates its arguments', 'write NAME={}'),
  ...repeated(
    'mapfile readarray compgen complete compopt bind enable fc history',
    'evaluates its arguments, and only bash knows it',
    IN_A_SCRIPT
  )
])

function repeated(names: string, what: string, advice: string): [string, [string, string]][] {
  return names.split(' ').map(name => [name, [`${name} ${what}`, advice]])
}

/** Variables whose values shells run as code. */
const CODE_VARIABLE = /^(?:ENV|BASH_ENV|PROMPT_COMMAND|PS\d|MAILPATH|BASH_FUNC_.*)$/
/** Variables for which bash evaluates the assigned value as arithmetic. */
const NUMBER_VARIABLE = /^(?:BASHPID|S?RANDOM|SECONDS|EPOCH\w+|LINENO|HISTCMD|OPTIND)$/
/** The allowed values of IFS. If IFS contains a digit, sh splits even `$#` and `$?` into several words. */
const NO_DIGIT = /^\D*$/
const ASSIGNMENT = /^([A-Za-z_][^=]*?)\+?=(.*)/s
const ELEMENT = /^[A-Za-z_]\w*\[/
const NAMED = /^[A-Za-z_]\w*=/

/** Shells and other programs that run the string after `-c`. */
const SHELL =
  /^(?:.*\/)?(?:(?:r?bash|d?ash|sh|hush|zsh|yash|m?ksh(?:93)?)(?:-?\d[\d.]*)?|fish|t?csh|pwsh|su|runuser|script|flock)$|^\$\{?(?:SHELL|BASH|0)\b/
/** Shells whose syntax is not the syntax of sh. In their arguments, options may follow the code. */
const OTHER_SYNTAX = /(?:^|\/)(?:fish|t?csh|pwsh)$/
/** Programs that have `-c` like a shell, but whose first operand is not a script. */
const STARTERS = /(?:^|\/)(?:su|runuser|script|flock)$/
/** Programs whose options may follow operands. */
const PERMUTE = /(?:^|\/)(?:su|runuser|script)$/
/** An option with code: `-c` alone or among other letters, `+c` with the same meaning, and long options, also in abbreviated form. */
const COMMAND_OPTION = /^[-+][^-+]*?c|^--(?:c|se|in)[a-z-]*=?/i
/** An option whose argument is the next word (`-o pipefail`). */
const OPTION_WITH_ARGUMENT = /^[+-][A-Za-z]*[oO]/

/** @throws InvalidOptionError when the command would run an input line in its arguments or variables as code */
export function checkCommand(words: readonly Word[], { candidates, isLaunched }: Program, readCode: CodeReader): void {
  for (const word of words) checkWord(word)
  for (const candidate of candidates) checkProgram(words, candidate, readCode)
  words.forEach((word, index) => {
    const isStarted = candidates.includes(index) || /^-(?:exec|ok)(?:dir)?$/.test(words[index - 1]?.text ?? '')
    if (SHELL.test(word.text)) checkShell(word, words.slice(index + 1), isStarted, isLaunched, readCode)
  })
}

function checkWord({ text, isFixed }: Word): void {
  const [, name = '', value = ''] = ASSIGNMENT.exec(text) ?? []
  const harmless = name === 'IFS' ? NO_DIGIT : CODE_VARIABLE.test(name) ? /^[^$`]*$/ : /^\d*$/
  if (isEvaluated(name) && !(isFixed && harmless.test(value)))
    throw evaluated(`shells read commands by what is in ${name}`, 'take another name for the variable')
  if (!isFixed && ELEMENT.test(text) && text.includes(LINE))
    throw evaluated("shells evaluate an array's index", 'put the line into a word of its own')
}

function checkProgram(words: readonly Word[], at: number, readCode: CodeReader): void {
  const program = words[at]!
  const args = words.slice(at + 1)
  // A path never names a builtin. An input line may name the program if the template has `{}` in the place of the program.
  const isPath = program.isPath && !program.mayBeSeveral
  const isLine = hasLine(program) && !program.mayBeSeveral && !program.text.includes('$')
  if (!program.isFixed && !isPath && !isLine) checkUnknown(program, args)
  if (ELEMENT.test(program.text)) throw evaluated("shells evaluate an array's index", 'use a variable, or $1, $2, …')
  const name = baseName(program.text)
  const refused = REFUSED.get(name)
  if (refused !== undefined) throw evaluated(...refused)
  if (name === 'test' || name === '[') checkTest(name, args)
  else if (name === 'printf') checkPrintf(args)
  else if (name === 'trap') checkTrap(args, readCode)
  else if (/^(?:read|unset|getopts|wait|jobs)$/.test(name)) checkFixed(name, args)
  else if (/^(?:export|readonly|local)$/.test(name)) checkNamed(name, args)
  else if (/^(?:for|select)$/.test(name) && args[0] !== undefined && (!args[0].isFixed || isEvaluated(args[0].text)))
    throw evaluated(`${name} takes its first word for a variable, and may evaluate that`, `write ${name} NAME in {}`)
  else if (/^(?:\.|source)$/.test(name) && args.some(hasLine))
    throw evaluated(`${name} runs it in this shell`, 'write sh {} where lines are names of scripts')
}

function isEvaluated(variable: string): boolean {
  return variable === 'IFS' || CODE_VARIABLE.test(variable) || NUMBER_VARIABLE.test(variable)
}

function hasLine({ text }: Word): boolean {
  return text.includes(LINE)
}

/** Checks a program whose name is an expansion or a pattern. */
function checkUnknown(program: Word, args: readonly Word[]): void {
  // A word that is only a pattern of file names contains no line. The word `*)` is a pattern of `case`.
  if (args.length === 0 && !program.mayBeSeveral && !/[$\0]/.test(program.text)) return
  throw evaluated(
    `it is not clear which program ${JSON.stringify(program.text.replaceAll(LINE, '{}'))} is`,
    'write its name, or "$folder/its-name"'
  )
}

/** Checks `test`: its option `-v NAME` evaluates the index if NAME is an element of an array. */
function checkTest(name: string, args: readonly Word[]): void {
  args.forEach((word, index) => {
    if (word.mayBeSeveral)
      throw evaluated(`an argument of ${name} may become several words, such as -v NAME`, 'put "…" around it')
    if (/^-[vR]$/.test(word.text) || ELEMENT.test(word.text))
      throw evaluated(`${name} -v evaluates a name`, `write ${name} -n "$NAME"${name === '[' ? ' ]' : ''}`)
    if (!word.isFixed && args[index + 1]?.isFixed === false)
      throw evaluated(`${name} may take two of its words for -v NAME`, 'write the operator between them')
  })
}

/** Checks `printf`: its option `-v NAME` (also `-vNAME`) evaluates the index if NAME is an element of an array. */
function checkPrintf([format, ...rest]: readonly Word[]): void {
  if (format === undefined || (format.text === '--' && format.isFixed)) return
  const isOption = format.isFixed
    ? format.text.startsWith('-')
    : /^[-$\0]/.test(format.text) || /[{*?[~]/.test(format.bare)
  if (isOption)
    throw evaluated(
      'printf may take its first argument for -v NAME, whose index it evaluates',
      rest.some(hasLine) || hasLine(format) ? "write printf '%s\\n' {}" : "write printf '%s\\n' before it"
    )
}

/** Checks `trap`: the shell later runs the argument of `trap` as code. */
function checkTrap(args: readonly Word[], readCode: CodeReader): void {
  if (args.some(({ isFixed }) => !isFixed))
    throw evaluated('trap runs its argument', `write its code in '…', with "$NAME" in it for a variable`)
  for (const { text } of args) readCode(text)
}

/**
 * Checks builtins that take names of variables as arguments, and evaluate the index if a name is an element of an array.
 * `jobs -x` runs its arguments as a command.
 */
function checkFixed(name: string, args: readonly Word[]): void {
  const harmful = args.find(
    ({ isFixed, text }) =>
      (!isFixed && text !== '$!') || text.includes('[') || isEvaluated(text) || (name === 'read' && /^-\w*a/.test(text))
  )
  if (harmful !== undefined)
    throw evaluated(
      name === 'jobs' ? 'jobs -x runs its arguments' : `${name} evaluates names of variables`,
      name === 'wait' ? 'write wait, or wait $!' : 'write the names themselves, without [ or an expansion'
    )
}

function checkNamed(name: string, args: readonly Word[]): void {
  for (const word of args) {
    const isNamed = NAMED.test(word.text) && !word.mayBeSeveral
    if (!isNamed && !(word.isFixed && /^(?:[A-Za-z_]\w*|-[pf]?)$/.test(word.text)))
      throw evaluated(`${name} evaluates names of variables`, `write ${name} NAME="…"`)
  }
}

function checkShell(
  shell: Word,
  args: readonly Word[],
  isStarted: boolean,
  isLaunched: boolean,
  read: CodeReader
): void {
  const option = args.findIndex(({ text }) => COMMAND_OPTION.test(text))
  if (isStarted) checkOptions(shell, args, option >= 0)
  if (option < 0) return
  const given = args.slice(option)
  const isLong = given.some(({ text }) => OPTION_WITH_ARGUMENT.test(text))
  const operand = given.findIndex(({ text }) => !/^[+-]/.test(text))
  const code = isLong || operand < 0 || PERMUTE.test(shell.text) ? upToEnd(given) : given.slice(0, operand + 1)
  if (code.some(hasLine))
    throw evaluated(`${shell.text} runs it`, `hand the line over as an argument: sh -c 'COMMAND "$1"' sh {}`)
  if (code.some(({ isFixed }) => !isFixed))
    throw evaluated(
      `${shell.text} -c runs what a variable holds`,
      `write the code in '…', with "$1" in it for the line`
    )
  if (operand < 0 && isLaunched && isStarted)
    throw evaluated(`${shell.text} -c has no code, and would get it from what it reads`, 'write the code')
  if (OTHER_SYNTAX.test(shell.text)) return
  // The code may be in the same word as its option (`--command=CODE`).
  for (const { text } of code) read(text.replace(COMMAND_OPTION, ''))
}

/** Checks those arguments of a shell that may be options, because an option may contain code. */
function checkOptions(shell: Word, args: readonly Word[], hasCode: boolean): void {
  const { text: name } = shell
  const isOpen = ({ isFixed }: Word): boolean => !isFixed
  if (OTHER_SYNTAX.test(name)) {
    const isScript = args[0] !== undefined && /^[^-+$\0]/.test(args[0].text) && !args[0].mayBeSeveral
    if (!isScript && args.some(isOpen))
      throw evaluated(`${name} may take a line for code`, `keep its code in a script: ${baseName(name)} ./SCRIPT {}`)
  } else if (PERMUTE.test(name)) {
    const starts = hasCode || /script$/.test(name)
    if ((starts ? upToEnd(args) : args).some(isOpen))
      throw evaluated(
        `${name} may take a line for an option, such as -c`,
        starts ? 'put -- before it' : `write ${name} -c 'COMMAND "$1"' USER -- sh {}`
      )
  } else if (!STARTERS.test(name)) {
    const script = args.findIndex(
      ({ text }, index) => !/^[-+]/.test(text) && !OPTION_WITH_ARGUMENT.test(args[index - 1]?.text ?? '')
    )
    const options = script < 0 ? args : args.slice(0, script + 1)
    const open = options.find(word => word.mayBeSeveral || (isOpen(word) && /^[-+$]/.test(word.text) && !word.isPath))
    if (open !== undefined)
      throw evaluated(
        `${name} may take ${open.text.replaceAll(LINE, '{}')} for -c`,
        'write the options themselves, or "$folder/script"'
      )
  }
}

/** Returns the words before the word `--`. */
function upToEnd(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex(({ text }) => text === '--')
  return end < 0 ? args : args.slice(0, end)
}
