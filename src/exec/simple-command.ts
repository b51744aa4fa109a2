/** One command of a template while the scanner reads the command. */
import { type CodeReader, checkCommand } from './evaluators.ts'
import { KEYWORDS, programOf } from './program.ts'
import { evaluated, refusal } from './refusal.ts'
import { type Word, WordReader } from './words.ts'

/** The words that name a descriptor after `>&`. Any other word names a file, and bash expands the name of the file twice. */
const DESCRIPTOR = /^(?:\d+-?|-)$/

export class SimpleCommand {
  readonly #words: Word[] = []
  #reader: WordReader | undefined
  /** What the next word names after a redirection: a file or a descriptor. Undefined: no redirection precedes the next word. */
  #target: 'file' | 'descriptor' | undefined
  /** Whether the command has already contained a redirection: no keyword may follow a redirection. */
  #isRedirected = false

  get isInWord(): boolean {
    return this.#reader !== undefined
  }

  /** Whether the next characters begin the name of the program. */
  get beginsProgram(): boolean {
    return this.#target === undefined && (this.#reader?.text ?? '') === '' && programOf(this.#words).isOpen
  }

  /** Whether the command is a `for`, `select` or `case`: the words of these commands may be keywords. */
  get isCompound(): boolean {
    const first = this.#words[this.#keywords]?.text ?? ''
    return ['for', 'select', 'case'].includes(first)
  }

  /** Whether the command has begun with `case WORD in`, so that a pattern comes next or has begun. */
  get hasBegunPatterns(): boolean {
    const [word, , next, first] = this.#words.slice(this.#keywords)
    return !this.#isRedirected && word?.keyword === 'case' && next?.keyword === 'in' && first?.text !== 'esac'
  }

  get endsCase(): boolean {
    return this.#words[0]?.text === 'esac'
  }

  get #keywords(): number {
    const at = this.#words.findIndex(({ keyword }) => !KEYWORDS.has(keyword))
    return at < 0 ? this.#words.length : at
  }

  get #word(): WordReader {
    this.#reader ??= new WordReader()
    return this.#reader
  }

  /** Adds literal text to the current word; the text may be empty (`''`). */
  literal(text: string, isQuoted: boolean): void {
    this.#word.literal(text, isQuoted)
  }

  expansion(text: string, isQuoted: boolean): void {
    this.#word.expansion(text, isQuoted)
  }

  place(): void {
    this.#word.place()
  }

  /** Ends the current word and returns its text. Returns undefined if no word has begun. */
  endWord(): string | undefined {
    const word = this.#reader?.end()
    if (word === undefined) return undefined
    if (this.#target === undefined) this.#words.push(word)
    else if (this.#target === 'descriptor' && !(word.isFixed && DESCRIPTOR.test(word.text)))
      throw refusal('bash expands a name of a file behind >& or <& twice', 'write >FILE 2>&1')
    this.#target = undefined
    this.#reader = undefined
    return word.text
  }

  redirect(isDescriptor: boolean): void {
    const before = this.#reader?.text ?? ''
    if (/^\{.+\}$/s.test(before)) throw refusal('not every sh knows {name}>', 'write a number before >')
    // Digits directly before a redirection are the number of the redirected descriptor.
    if (/^\d+$/.test(before)) this.#reader = undefined
    this.endWord()
    this.#target = isDescriptor ? 'descriptor' : 'file'
    this.#isRedirected = true
  }

  /** Checks a `(` at this point of the command. */
  checkParenthesis(isFunction: boolean): void {
    const text = this.#reader?.text
    if (text === undefined || KEYWORDS.has(text)) {
      if (this.#target !== undefined) throw refusal('not every sh knows <(…)', 'use a pipe or a file')
    } else if (!isFunction || this.#words.length > this.#keywords || !/^[A-Za-z_][\w-]*$/.test(text))
      throw refusal('not every sh knows arrays, or a ( right behind a word', 'put a blank before it, or use $1, $2, …')
  }

  /** @throws InvalidOptionError when a line that is added at the end of the command would be the name of a program */
  checkAdded(): void {
    if (this.beginsProgram)
      throw evaluated('the line would be the name of a program at the end', 'say by {} where it goes')
  }

  /** Ends and checks the command. */
  finish(readCode: CodeReader): void {
    this.endWord()
    checkCommand(this.#words, programOf(this.#words), readCode)
  }
}
