/** The words of one command of a template, as far as they have been read: some evaluate what they are given. */
import { InvalidOptionError } from '../errors.ts'

/** They run a string that follows `-c`. */
const SHELLS =
  /^(?:.*\/)?(?:r?bash|d?ash|sh|zsh|fish|t?csh|yash|m?ksh(?:93)?|pwsh|su|runuser|script|flock)$|^\$\{?(?:SHELL|BASH|0)\b/
const COMMAND_OPTION = /^-[A-Za-z]*c|^--command/
/** With an argument of its own (`-o pipefail`). */
const OPTION_WITH_ARGUMENT = /^[+-][A-Za-z]*[oO]/
/** Programs that evaluate an argument as code of sh, or as an expression that may hold some. */
const EVALUATORS = new Set([
  'trap',
  'alias',
  'let',
  'declare',
  'typeset',
  'unset',
  'read',
  'mapfile',
  'readarray',
  '[['
])
/** Variables that shells evaluate. */
const EVALUATED = /^(?:ENV|BASH_ENV|PROMPT_COMMAND|PS\d)\+?=|^[A-Za-z_]\w*\[/
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/
/** Before the name of a program. */
const PREFIXES = new Set(
  'if then else elif do while until ! { time command builtin exec env nohup xargs sudo doas'.split(' ')
)
/** Stands for the line within a word: no word has it otherwise, for no argument of a program can. */
const LINE = '\0'

export class SimpleCommand {
  readonly #words: string[] = []
  #word: string | undefined
  /** The next word is a file. */
  #isTarget = false

  get isInWord(): boolean {
    return this.#word !== undefined
  }

  /** Whether what comes next is the name of the program, or the beginning of that. */
  get beginsProgram(): boolean {
    return !this.#isTarget && (this.#word ?? '') === '' && this.#program === undefined
  }

  /** A part of a word, without quotes; it may be empty (`''`). */
  add(text: string): void {
    this.#word = (this.#word ?? '') + text
  }

  addPlace(): void {
    this.add(LINE)
  }

  /** The word that ends here; undefined where there is none. */
  endWord(): string | undefined {
    const word = this.#word
    if (word === undefined) return undefined
    if (!this.#isTarget) this.#words.push(word)
    this.#isTarget = false
    this.#word = undefined
    return word
  }

  redirect(): void {
    // The number of what is redirected.
    if (/^\d+$/.test(this.#word ?? '')) this.#word = undefined
    this.endWord()
    this.#isTarget = true
  }

  /**
   * @param added - the user has not said where the line goes
   * @throws InvalidOptionError where a line that comes next would be run
   */
  checkPlace(added: boolean): void {
    if (added && this.beginsProgram) throw evaluated('it would be the name of a program there: say by {} where it goes')
    if (EVALUATED.test(this.#word ?? '')) throw evaluated(`${/\w+/.exec(this.#word!)?.[0]}… is evaluated by shells`)
    if (this.#words.includes('eval')) throw evaluated('eval runs its arguments')
    const program = this.#program
    if (program !== undefined && EVALUATORS.has(program)) throw evaluated(`${program} evaluates its arguments`)
    if (/^(?:test|\[|printf)$/.test(program ?? '') && this.#words.at(-1) === '-v')
      throw evaluated(`${program} -v evaluates a name`)
    const shell = this.#words.findIndex(word => SHELLS.test(word))
    if (shell >= 0 && this.#isCode(this.#words.slice(shell + 1)))
      throw evaluated(
        `${this.#words[shell]} runs it. Instead, hand the line over as an argument: sh -c 'COMMAND "$1"' sh {}`
      )
  }

  /** Whether the word that is being read may be what a shell runs, given its arguments before that. */
  #isCode(given: string[]): boolean {
    const all = this.#word === undefined ? given : [...given, this.#word]
    const option = all.findIndex(word => COMMAND_OPTION.test(word))
    if (option < 0) return false
    const rest = given.slice(option)
    return rest.some(word => OPTION_WITH_ARGUMENT.test(word)) || rest.every(word => /^[+-]/.test(word))
  }

  get #program(): string | undefined {
    return this.#words.find(word => !ASSIGNMENT.test(word) && !PREFIXES.has(word))
  }
}

function evaluated(why: string): InvalidOptionError {
  return new InvalidOptionError(`the command of --exec would run lines as code: ${why}`)
}
