/** The words of one command of a template, without their quotes. */

/** Stands for the line within a word: no word has it otherwise, for no argument of a program can. */
export const LINE = '\0'

export interface Word {
  /** Expansions are in it as they were written. */
  readonly text: string
  /** Its characters outside quotes. */
  readonly bare: string
  /** What it may be a keyword by: nothing where any of it is quoted. */
  readonly keyword: string
  /** Whether a `/` is written in it: then it is a path, whatever an expansion in it holds. */
  readonly isPath: boolean
  /** Whether it is the same for all lines, and can be read here. */
  readonly isFixed: boolean
  /** Whether a shell may make several words of it, or none. */
  readonly mayBeSeveral: boolean
}

/** What a shell makes several words of: names of files, and `{a,b}`. */
const GLOB = /[*?]|\[.*\]|^~/
const BRACES = /\{.*(?:,|\.\.).*\}/s

/** A word that is being read. */
export class WordReader {
  text = ''
  #bare = ''
  #isFixed = true
  #isPath = false
  #isQuoted = false
  #mayBeSeveral = false

  literal(text: string, isQuoted: boolean): void {
    this.text += text
    if (text.includes('/')) this.#isPath = true
    if (isQuoted) this.#isQuoted = true
    else this.#bare += text
  }

  expansion(text: string, isQuoted: boolean): void {
    this.text += text
    this.#isFixed = false
    // "$@" is all the parameters, also within quotes.
    if (!isQuoted || /^\$\{?@/.test(text)) this.#mayBeSeveral = true
  }

  place(): void {
    this.text += LINE
    this.#isFixed = false
  }

  end(): Word {
    const hasBraces = BRACES.test(this.#bare)
    return {
      text: this.text,
      bare: this.#bare,
      keyword: this.#isQuoted ? '' : this.text,
      isPath: this.#isPath,
      isFixed: this.#isFixed && !hasBraces && !GLOB.test(this.#bare),
      mayBeSeveral: this.#mayBeSeveral || hasBraces
    }
  }
}
