/** Builds the command for a line of `map --exec`. */
import { PLACE, placesOf } from './template.ts'

/** Text that `sh` reads literally even without quotes. */
const PLAIN = /^[A-Za-z0-9_./-]+$/

/** Quotes text as one word for `sh`. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Returns a function that builds the command for a line. Each `{}` becomes the line as literal text, also within
 * quotes. If the template contains no `{}`, the line is added at the end of the command.
 *
 * @throws InvalidOptionError when `sh` would run a line, or a part of a line, as code
 */
export function commandTemplate(command: string): (line: string) => string {
  const added = !command.includes(PLACE)
  const template = added ? `${command} ${PLACE}` : command
  const places = placesOf(template, added)
  const texts: string[] = []
  let from = 0
  for (const { at, quote } of places) {
    // The quotes of the template close before the line, and open again after the line.
    texts.push(template.slice(from, at) + quote)
    from = at + PLACE.length
  }
  return line => {
    const word = quoted(line)
    const isPlain = PLAIN.test(line)
    let all = ''
    places.forEach(({ quote, mayBeBare }, index) => {
      all += texts[index]! + (isPlain && mayBeBare ? line : word) + quote
    })
    return all + template.slice(from)
  }
}
