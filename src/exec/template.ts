/**
 * Finds the places in a command of `map --exec` where the line is inserted: a scanner of the quoting of `sh` (POSIX Shell
 * Command Language, 2.2 and 2.3). The scanner refuses every command that it cannot decide or that shells read differently.
 */
import type { InvalidOptionError } from '../common/errors.ts'
import { refusal } from './refusal.ts'
import { SimpleCommand } from './simple-command.ts'

/** The placeholder that the input line replaces. */
export const PLACE = '{}'

/** The quotes around a placeholder; empty outside of quotes. */
export type Quote = '' | "'" | '"'

export interface Place {
  /** The index of the place in the template. */
  at: number
  quote: Quote
  /**
   * Whether a line of plain characters needs no quotes at this place. Next to other characters, an unquoted line may have
   * another meaning (`{}>file`).
   */
  mayBeBare: boolean
}

/**
 * The allowed expansions, such as `${NAME}`, `${#NAME}`, `${NAME%.wav}` and `${NAME:-word}`, without nested quoting. In all
 * other expansions bash evaluates values: `${x:offset}`, `${x[index]}`, `${!x}`, `${x@P}`.
 */
const PARAMETER =
  /\$\{(?:#?(?:[A-Za-z_]\w*|\d+|[@*#?$!-])|(?:[A-Za-z_]\w*|\d+|[@*])(?::?[-=+?]|[%#/^,])[^'"\\`$(){}\n]*)\}/y
/** Expansions whose values contain only digits. */
const NUMBER = /^\$(?:[#?$]|\{#)/
const VARIABLE = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-])/y
/**
 * The characters that arithmetic may contain. Only constants are allowed, because bash would evaluate the value of a
 * variable as an expression. The scanner counts the parentheses.
 */
const ARITHMETIC = /[\d\s()+*/%<>=&|^~!?:,-]/
/** The characters that a backslash quotes within `"…"`; before any other character the backslash is literal. */
const ESCAPED_IN_DOUBLE = /^\\(?:["$`\\\n]|\{\})/
const REDIRECTION = /&?[<>]+[&|]?/y
const BARE_AFTER = /^$|[\s/.=:,+@%-]/
const BARE_BEFORE = /^$|[\s;|&)/.,:+@%-]/

const BY_EXPR = `let expr compute: n={}; echo "$(expr "$n" + 1)"`
const BY_NAME = 'give the line a name before, as in \'line={}; echo "$(basename "$line")"\''

/**
 * Returns all places of a template where the line is inserted.
 *
 * @param added - whether the last place was added at the end of the template because the user wrote no place
 * @throws InvalidOptionError when a line would be read as a part of the command, or when the scanner cannot decide
 */
export function placesOf(template: string, added: boolean): Place[] {
  return new Scanner(template, added).scan()
}

class Scanner {
  readonly #text: string
  readonly #added: boolean
  readonly #places: Place[] = []
  /** The command that is being read. */
  #command = new SimpleCommand()
  /** The number of `$(` that are still open. */
  #depth = 0
  /** Whether a pattern of `case` is being read: the words of a pattern are not commands. */
  #isPattern = false
  #at = 0

  constructor(text: string, added: boolean) {
    this.#text = text
    this.#added = added
  }

  scan(): Place[] {
    this.#unquoted()
    return this.#places
  }

  /** Reads unquoted text up to the end of the template or, within `$(`, past the closing `)`. */
  #unquoted(): void {
    let parentheses = 0
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at]!
      if (this.#isAt(PLACE)) this.#place('')
      else if (char === "'") this.#single()
      else if (char === '"') this.#double()
      else if (char === '\\') this.#escaped()
      else if (char === '$') this.#dollar('')
      else if (char === '`') throw backquotes()
      else if (char === '#' && !this.#command.isInWord) this.#comment()
      else if (char === '<' || char === '>' || this.#isAt('&>')) this.#redirection()
      else if (char === ' ' || char === '\t') this.#blank()
      else if (';&|\n()'.includes(char)) {
        if (this.#depth > 0 && char === ')' && parentheses-- === 0) break
        if (char === '(') parentheses++
        this.#operator()
      } else this.#literal(char, '')
    }
    this.#finish()
    if (this.#depth === 0) return
    if (this.#at === this.#text.length) throw unclosed('$(')
    this.#at++
  }

  #isAt(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  #literal(text: string, quote: Quote | '\\'): void {
    this.#command.literal(text, quote !== '')
    this.#at += text.length
  }

  #place(quote: Quote): void {
    if (this.#depth > 0) throw refusal('{} stands in $(…), whose output sh would look at once more', BY_NAME)
    if (this.#added) this.#command.checkAdded()
    const before = this.#text.slice(Math.max(0, this.#at - 1), this.#at)
    const after = this.#text.slice(this.#at + PLACE.length, this.#at + PLACE.length + 1)
    const mayBeBare =
      quote !== '' ||
      (!this.#command.beginsProgram && !this.#command.isCompound && BARE_AFTER.test(before) && BARE_BEFORE.test(after))
    this.#places.push({ at: this.#at, quote, mayBeBare })
    this.#command.place()
    this.#at += PLACE.length
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end < 0) throw unclosed("'")
    this.#command.literal('', true)
    this.#at++
    while (this.#at < end) {
      if (this.#isAt(PLACE)) this.#place("'")
      else this.#literal(this.#text[this.#at]!, "'")
    }
    this.#at = end + 1
  }

  #double(): void {
    this.#command.literal('', true)
    for (this.#at++; !this.#isAt('"'); ) {
      const char = this.#text[this.#at]
      if (char === undefined) throw unclosed('"')
      if (this.#isAt(PLACE)) this.#place('"')
      else if (ESCAPED_IN_DOUBLE.test(this.#text.slice(this.#at, this.#at + 3))) this.#escaped()
      else if (char === '$') this.#dollar('"')
      else if (char === '`') throw backquotes()
      else this.#literal(char, '"')
    }
    this.#at++
  }

  #escaped(): void {
    this.#at++
    if (this.#isAt(PLACE)) throw refusal('{} stands behind a backslash', "write '{''}' for two braces")
    const char = this.#text[this.#at]
    const isLast = this.#added && this.#at + 1 + PLACE.length === this.#text.length
    if (char === undefined || isLast) throw refusal('it ends with a backslash', 'leave that out')
    // sh first removes the backslash and the line end. So the text before the backslash (such as a dollar) joins the
    // text after the line end.
    if (char === '\n' && !/[ \t]/.test(this.#text[this.#at - 2] ?? ' '))
      throw refusal('a line ends with a backslash right behind a word', 'put a blank before it')
    if (char === '\n') this.#at++
    else this.#literal(char, '\\')
  }

  #dollar(quote: Quote): void {
    const next = this.#text.slice(this.#at + 1)
    if (next.startsWith(PLACE)) throw refusal('{} stands behind a dollar', 'put a blank between them')
    if (quote === '' && next.startsWith("'"))
      throw refusal("not every sh knows $'…'", "use '…', or $(printf …) for other characters")
    if (quote === '' && next.startsWith('"')) throw refusal('not every sh knows $"…"', 'use "…"')
    if (next.startsWith('[')) throw refusal('not every sh knows $[…], and some evaluate variables in it', BY_EXPR)
    if (next.startsWith('((')) this.#arithmetic(quote)
    else if (next.startsWith('(')) this.#substitution(quote)
    else {
      const text = next.startsWith('{') ? this.#parameter() : (this.#match(VARIABLE) ?? '$')
      if (text === '$' || NUMBER.test(text)) this.#literal(text, '"')
      else {
        this.#command.expansion(text, quote !== '')
        this.#at += text.length
      }
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0]
  }

  #parameter(): string {
    const text = this.#match(PARAMETER)
    if (text === undefined)
      throw refusal(
        'the braces behind a dollar hold {}, quotes, braces, another expansion, or what evaluates a variable',
        `${BY_NAME}, and for a part of it use cut, expr or \${NAME%…}`
      )
    return text
  }

  #arithmetic(quote: Quote): void {
    let end = this.#at + 1
    for (let open = 0; open > 0 || end === this.#at + 1; end++) {
      const char = this.#text[end]
      if (char === undefined) throw unclosed('$((')
      // `$$` and `$?` are numbers of sh itself, such as its process id.
      if (/^\$[$?]/.test(this.#text.slice(end))) end++
      else if (!ARITHMETIC.test(char))
        throw refusal('$((…)) holds {} or a variable, whose value bash evaluates as an expression', BY_EXPR)
      if (char === '(') open++
      else if (char === ')') open--
    }
    if (!this.#text.startsWith('))', end - 2)) throw refusal('$((…)) does not end with ))', 'write $( ( for a subshell')
    this.#command.literal('0', quote !== '')
    this.#at = end
  }

  #substitution(quote: Quote): void {
    const [outer, isPattern] = [this.#command, this.#isPattern]
    this.#command = new SimpleCommand()
    this.#isPattern = false
    this.#depth++
    this.#at += 2
    this.#unquoted()
    this.#depth--
    this.#command = outer
    this.#isPattern = isPattern
    this.#command.expansion('$()', quote !== '')
  }

  #comment(): void {
    if (this.#depth > 0) throw refusal('a comment stands in $(…)', 'leave it out')
    const end = this.#text.indexOf('\n', this.#at)
    const comment = this.#text.slice(this.#at, end < 0 ? undefined : end)
    if (comment.includes(PLACE))
      throw refusal(
        this.#added ? 'the line would become a part of the comment' : '{} stands in a comment',
        "write ': {}; COMMAND' for a command that needs no line"
      )
    this.#at += comment.length
  }

  #redirection(): void {
    const text = this.#match(REDIRECTION) ?? ''
    if (text.includes('<<')) throw refusal('it holds a here-document', "use printf '%s\\n' {} | COMMAND")
    if (text.startsWith('&')) throw refusal('not every sh knows &>', 'write >FILE 2>&1')
    this.#command.redirect(text.endsWith('&'))
    this.#at += text.length
  }

  #blank(): void {
    this.#endWord()
    this.#at++
  }

  #endWord(): void {
    const word = this.#command.endWord()
    // A pattern of `case` ends with a `)`, which the scanner would read as the end of `$(`.
    if (word === 'case' && this.#depth > 0) throw refusal('`case` stands in $(…)', 'put it before')
  }

  #operator(): void {
    if (this.#isAt('((')) throw refusal('not every sh knows ((…))', 'write ( ( for a subshell in another')
    if (this.#isAt('(')) this.#command.checkParenthesis(/^\([ \t]*\)/.test(this.#text.slice(this.#at)))
    this.#finish()
    if (this.#isAt(')')) this.#isPattern = false
    else if (this.#isAt(';;') || (/[|\n(]/.test(this.#text[this.#at]!) && this.#command.hasBegunPatterns))
      this.#isPattern = true
    this.#command = new SimpleCommand()
    this.#at++
  }

  #finish(): void {
    this.#endWord()
    if (this.#command.endsCase) this.#isPattern = false
    // A word that is followed by any other character is not a pattern.
    if (this.#isPattern && /[|)\n(]/.test(this.#text[this.#at] ?? '')) return
    this.#command.finish(code => new Scanner(code, false).scan())
  }
}

function backquotes(): InvalidOptionError {
  return refusal('it holds a backquote', `use $(…), and for {} in it ${BY_NAME}`)
}

function unclosed(what: string): InvalidOptionError {
  return refusal(`${what} has no end`, 'close it')
}
