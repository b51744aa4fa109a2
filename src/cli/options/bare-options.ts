/** Parses options whose value is optional. If the word after such an option cannot be its value, the word stays an argument. */
import { Command, type ParseOptionsResult } from 'commander'
import { WITHOUT_VALUE } from './options.ts'

/** Whether the next word is the value of the option, for each option with an optional value. */
const VALUES: Record<string, (word: string | undefined) => boolean> = {
  '--local': word => !Number.isNaN(Number(word || undefined)),
  '--traces': word => word !== undefined && /^\w+:\/\//.test(word)
}

/**
 * A command with the options `--local`, whose value must be a number, and `--traces`, whose value must be a URL. Any
 * other word after them, such as the task, stays an argument.
 */
export class BareOptionsCommand extends Command {
  override parseOptions(words: string[]): ParseOptionsResult {
    const literal = words.indexOf('--')
    const end = literal < 0 ? words.length : literal
    const isBare = (word: string, at: number): boolean =>
      at < end &&
      Object.hasOwn(VALUES, word) &&
      this.options.some(({ long }) => long === word) &&
      !VALUES[word]!(words[at + 1])
    return super.parseOptions(words.map((word, at) => (isBare(word, at) ? `${word}=${WITHOUT_VALUE}` : word)))
  }
}
