/** The words of one command of a template, as far as they have been read. */
import { type CodeReader, checkCommand } from './evaluators.ts'
import { KEYWORDS, programOf } from './program.ts'
import { evaluated, refusal } from './refusal.ts'
import { type Word, WordReader } from './words.ts'

/** What another descriptor may be: any other word behind `>&` is a file, whose name bash expands twice. */
const DESCRIPTOR = /^(?:\d+-?|-)$/

export class SimpleCommand {
  readonly #words: Word[] = []
  #reader: WordReader | undefined
  /** The next word is a file, or a descriptor. */
  #target: 'file' | 'descriptor' | undefined
  /** Behind a redirection, nothing is a keyword. */
  #isRedirected = false

  get isInWord(): boolean {
    return this.#reader !== undefined
  }

  /** Whether what comes next is the name of the program, or the beginning of that. */
  get beginsProgram(): boolean {
    return this.#target === undefined && (this.#reader?.text ?? '') === '' && programOf(this.#words).isOpen
  }

  /** Whether it is a `for` or `case`, whose words may be keywords. */
  get isCompound(): boolean {
    const first = this.#words[this.#keywords]?.text ?? ''
    return ['for', 'select', 'case'].includes(first)
  }

  /** Whether it is `case WORD in`, and a pattern comes next or has begun. */
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

  /** A part of a word; it may be empty (`''`). */
  literal(text: string, isQuoted: boolean): void {
    this.#word.literal(text, isQuoted)
  }

  expansion(text: string, isQuoted: boolean): void {
    this.#word.expansion(text, isQuoted)
  }

  place(): void {
    this.#word.place()
  }

  /** The word that ends here; undefined where there is none. */
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
    // The number of what is redirected.
    if (/^\d+$/.test(before)) this.#reader = undefined
    this.endWord()
    this.#target = isDescriptor ? 'descriptor' : 'file'
    this.#isRedirected = true
  }

  /** Checks a `(` that comes next. */
  checkParenthesis(isFunction: boolean): void {
    const text = this.#reader?.text
    if (text === undefined || KEYWORDS.has(text)) {
      if (this.#target !== undefined) throw refusal('not every sh knows <(…)', 'use a pipe or a file')
    } else if (!isFunction || this.#words.length > this.#keywords || !/^[A-Za-z_][\w-]*$/.test(text))
      throw refusal('not every sh knows arrays, or a ( right behind a word', 'put a blank before it, or use $1, $2, …')
  }

  /** @throws InvalidOptionError where the line, put behind the command, would be the name of a program */
  checkAdded(): void {
    if (this.beginsProgram)
      throw evaluated('the line would be the name of a program at the end', 'say by {} where it goes')
  }

  /** The command ends here. */
  finish(readCode: CodeReader): void {
    this.endWord()
    checkCommand(this.#words, programOf(this.#words), readCode)
  }
}
