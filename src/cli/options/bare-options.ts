/** Options that may be given without a value, in front of an argument that is none. */
import { Command, type ParseOptionsResult } from 'commander'
import { WITHOUT_VALUE } from './options.ts'

/** Whether the word behind each of them is its value. */
const VALUES: Record<string, (word: string | undefined) => boolean> = {
  '--local': word => !Number.isNaN(Number(word || undefined)),
  '--traces': word => word !== undefined && /^\w+:\/\//.test(word)
}

/** A command whose `--local` takes a number that follows it, and `--traces` a URL, and leave anything else alone, such as the task. */
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
