/**
 * Prints results to stdout and everything else to stderr. The live line, if there is one, stays below the other text.
 */
import { type ColouredTone, toned } from './palette.ts'
import { cut, textWidth } from './text-width.ts'

/** A tone of the palette, or a weight. */
export type Style = ColouredTone | 'bold' | 'dim'

/** Makes a live line for a terminal of `columns` columns. */
export type LiveLine = (columns: number) => string

const LINE_END = '\n'

let liveLine: LiveLine | undefined
/** The live line as it is on the terminal; empty when none is drawn. */
let drawn = ''
/** Whether stdout is a terminal and its last row is unfinished. A live line would overwrite that row. */
let isMidRow = false
let followsSize = false

/** Whether a stream is read by a person, and so gets progress, redrawing and colours. */
export function isInteractive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
}

/** Colours text for a stream, unless NO_COLOR is set (https://no-color.org). */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  if (!isInteractive(stream) || process.env.NO_COLOR) return text
  if (style === 'bold') return `\u001b[1m${text}\u001b[22m`
  return style === 'dim' ? `\u001b[2m${text}\u001b[22m` : toned(style, text, stream.getColorDepth())
}

function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  // Errors arrive as events, which main.ts handles: an error here only ends the wait.
  return new Promise(resolve => stream.write(data, () => resolve()))
}

/** Writes to stdout, and resolves when the data is out, because the process may exit next. */
export async function print(data: string | Uint8Array): Promise<void> {
  const live = liveLine
  const shown = typeof data === 'string' ? `${data}\n` : data
  makeWay(shown)
  await write(process.stdout, shown)
  if (live !== undefined) showLive(live)
}

/** Removes the live line before something is written to stdout. Call it before each write. */
export function makeWay(data: string | Uint8Array): void {
  if (!process.stdout.isTTY || data.length === 0) return
  hideLive()
  isMidRow = ![LINE_END, LINE_END.charCodeAt(0)].includes(data.at(-1)!)
}

/** Prints a line to stderr. */
export function say(text: string): void {
  const live = liveLine
  hideLive()
  process.stderr.write(`${startOfRow()}${text}\n`)
  if (live !== undefined) showLive(live)
}

/** The width of a terminal in columns; 80 when it is unknown. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || 80
}

/** Shows a live line below the other text on stderr, and replaces the one before. For interactive streams only. */
export function showLive(line: LiveLine): void {
  if (!followsSize) {
    followsSize = true
    process.stderr.on('resize', () => liveLine !== undefined && draw(liveLine))
  }
  draw(line)
}

/** Removes the live line. */
export function hideLive(): void {
  if (liveLine === undefined) return
  if (drawn !== '') process.stderr.write(toItsStart())
  liveLine = undefined
  drawn = ''
}

/** The line end that text needs to begin on a row of its own, if any. */
function startOfRow(): string {
  const start = isMidRow && process.stderr.isTTY ? LINE_END : ''
  if (start !== '') isMidRow = false
  return start
}

function draw(line: LiveLine): void {
  liveLine = line
  if (isMidRow) return
  const columns = columnsOf(process.stderr)
  // The line is shorter than the terminal by one column: a wrapped line could not be removed.
  const text = cut(line(columns - 1), Math.max(1, columns - 1))
  process.stderr.write(`${toItsStart()}${text}`)
  drawn = text
}

/**
 * Moves to the start of the live line and clears the screen below. A terminal that was made narrower has wrapped the
 * line.
 */
function toItsStart(): string {
  const more = Math.ceil(textWidth(drawn) / columnsOf(process.stderr)) - 1
  return `\r${more > 0 ? `\u001b[${more}A` : ''}\u001b[J`
}

/**
 * Makes text of another process safe to print: it removes control characters, which could move the cursor or set the
 * window's title, except tabs, line ends and colours.
 */
export function printable(text: string): string {
  return text.replace(/(\p{Cc}\[[\d;]*m)|(?![\t\n])\p{Cc}/gu, (_, colour?: string) =>
    colour?.startsWith('\u001b') ? colour : ''
  )
}
