/** The command of a line, as `map --exec` makes it. */
import { PLACE, placesOf } from './template.ts'

/** What `sh` takes as it is. */
const PLAIN = /^[A-Za-z0-9_./-]+$/

/** One word of a command for `sh`, whatever the text is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * What makes the command of a line: each `{}` becomes the line, as itself also within quotes; without any, it is added at the end.
 *
 * @throws InvalidOptionError where `sh` would run a line, or a part of one
 */
export function commandTemplate(command: string): (line: string) => string {
  const added = !command.includes(PLACE)
  const template = added ? `${command} ${PLACE}` : command
  const places = placesOf(template, added)
  const texts: string[] = []
  let from = 0
  for (const { at, quote } of places) {
    // The quotes end before the line, and begin again behind it.
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
