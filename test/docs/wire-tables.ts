/** Reads messages and constants from the code, and tables from docs/protocol.md. */
import { readFileSync } from 'node:fs'

export const root = new URL('../../', import.meta.url)
export const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')
export const protocolText = textOf('docs/protocol.md')

/** Returns the rows of all tables whose first column has this heading. Each row is an array of cells. */
export function tables(heading: string): string[][] {
  const rows: string[][] = []
  let inside = false
  for (const line of protocolText.split('\n')) {
    if (!line.startsWith('|')) inside = false
    else if (line.startsWith(`| ${heading} |`)) inside = true
    else if (inside && !line.startsWith('|---')) rows.push(cellsOf(line))
  }
  return rows
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())
}

/** Returns the text of a cell without backticks. */
export function bare(cell = ''): string {
  return cell.replaceAll('`', '')
}

/** Returns the messages of a schema, with the fields in the notation of docs/protocol.md. */
export function schemaOf(name: string): [message: string, fields: string][] {
  const messages = textOf(`src/wire/${name}.proto`).matchAll(/^message (\w+) \{(.*?)\}/gms)
  return [...messages].map(([, message = '', body = '']) => {
    const found = body.matchAll(/^\s*(optional |repeated )?(map<string, string>|\w+) (\w+) = (\d+)/gm)
    const fields = [...found]
      .map(([, label, type, field, number]) => ({ label, type, field, number: Number(number) }))
      .sort((a, b) => a.number - b.number)
      .map(({ label, type, field, number }) => `${number} ${field} ${type}${SUFFIX[label?.trim() ?? ''] ?? ''}`)
    return [message, fields.join(', ') || 'nothing']
  })
}

const SUFFIX: Readonly<Record<string, string>> = { optional: '?', repeated: '[]' }

/** Returns the numeric constants of a file of src/ whose names are in capitals. */
export function constantsOf(file: string): Map<string, number> {
  const found = textOf(`src/${file}`).matchAll(/^(?:export )?const ([A-Z][A-Z\d_]*) = ([\w */+.]+)$/gm)
  const constants = new Map<string, number>()
  for (const [, name = '', expression = ''] of found) {
    const value = evaluate(expression, constants)
    if (!Number.isNaN(value)) constants.set(name, value)
  }
  return constants
}

/** Evaluates sums, products and powers of numbers and known names. Returns NaN for any other expression. */
function evaluate(expression: string, known: ReadonlyMap<string, number>): number {
  const factor = (text: string): number =>
    known.get(text.trim()) ?? (/^\s*[\d_.]+\s*$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN)
  const power = (text: string): number =>
    text
      .split('**')
      .map(factor)
      .reduceRight((exponent, base) => base ** exponent)
  const product = (text: string): number =>
    text
      .split(/(?<!\*)\*(?!\*)/)
      .map(part =>
        part
          .split('/')
          .map(power)
          .reduce((dividend, divisor) => dividend / divisor)
      )
      .reduce((a, b) => a * b)
  return expression
    .split('+')
    .map(product)
    .reduce((a, b) => a + b)
}

/** Returns the members of a union of string literals that a file of src/ declares. */
export function unionOf(file: string, type: string): string[] {
  const [, body = ''] = new RegExp(`^(?:export )?type ${type} = (.*?)$`, 'm').exec(textOf(`src/${file}`)) ?? []
  return [...body.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name)
}
