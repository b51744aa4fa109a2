/** The words of one command of a template, without their quotes. */

/** Represents the line within a word. No user can write NUL in a word, because no argument of a program can contain NUL. */
export const LINE = '\0'

export interface Word {
  /** The text of the word. The expansions in the text are not expanded. */
  readonly text: string
  /** The characters outside quotes. */
  readonly bare: string
  /** The text if the word may be a keyword. If any part of the word is quoted, the text is empty. */
  readonly keyword: string
  /** Whether the word contains a literal `/`. Such a word is a path, whatever its expansions contain. */
  readonly isPath: boolean
  /** Whether the scanner knows the whole text of the word, and the text is the same for all input lines. */
  readonly isFixed: boolean
  /** Whether a shell may expand the word to several words or to no word. */
  readonly mayBeSeveral: boolean
}

/** A pattern of file names. A shell may expand the pattern to several words, as it does with `{a,b}`. */
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
    // "$@" expands to several words even within quotes.
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
