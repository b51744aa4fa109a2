/** The command of a line, as `map --exec` makes it. */

/** What `sh` takes as it is. */
const PLAIN = /^[A-Za-z0-9_./-]+$/
const PLACE = '{}'

/** One word of a command for `sh`, whatever the text is. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Each `{}` becomes the line; without any, it is added at the end. */
export function commandFor(template: string, line: string): string {
  return template.includes(PLACE) ? template.replaceAll(PLACE, () => quoted(line)) : `${template} ${quoted(line)}`
}
