/** The words of one command of a template, without their quotes. */

/** Stands for the line within a word: no word has it otherwise, for no argument of a program can. */
export const LINE = '\0'

export interface Word {
  /** Expansions are in it as they were written. */
  readonly text: string
  /** Its characters outside quotes. */
  readonly bare: string
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
  #mayBeSeveral = false

  literal(text: string, isQuoted: boolean): void {
    this.text += text
    if (!isQuoted) this.#bare += text
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
      isFixed: this.#isFixed && !hasBraces && !GLOB.test(this.#bare),
      mayBeSeveral: this.#mayBeSeveral || hasBraces
    }
  }
}
