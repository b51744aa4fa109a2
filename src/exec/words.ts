/** The words of one command of a template, without their quotes. */

/** Represents the line within a word. No word can contain NUL otherwise, because no argument of a program can. */
export const LINE = '\0'

export interface Word {
  /** The text of the word, with expansions as they were written. */
  readonly text: string
  /** The characters outside quotes. */
  readonly bare: string
  /** The text if the word may be a keyword; empty when any of it is quoted. */
  readonly keyword: string
  /** Whether the word contains a literal `/`: then it is a path, whatever its expansions contain. */
  readonly isPath: boolean
  /** Whether the word is the same for all lines and fully known here. */
  readonly isFixed: boolean
  /** Whether a shell may turn the word into several words, or none. */
  readonly mayBeSeveral: boolean
}

/** The patterns that a shell expands to several words: file names (this one) and `{a,b}`. */
const GLOB = /[*?]|\[.*\]|^~/
const BRACES = /\{.*(?:,|\.\.).*\}/s

/** Collects the parts of a word that is being read. */
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
    // "$@" expands to all parameters, also within quotes.
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
