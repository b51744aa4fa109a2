/**
 * Prints results to stdout and all other text to stderr. The live line, if there is one, stays below the other text.
 */
import { type ColouredTone, toned } from './palette.ts'
import { cut, textWidth } from './text-width.ts'

/** A tone of the palette, or a weight. */
export type Style = ColouredTone | 'bold' | 'dim'

/** Makes a live line for a terminal of `columns` columns. */
export type LiveLine = (columns: number) => string

const LINE_END = '\n'

let liveLine: LiveLine | undefined
/** The text of the live line on the terminal; empty while no live line is drawn. */
let drawn = ''
/** Whether stdout is a terminal and its last row is unfinished. A live line would overwrite that row. */
let isMidRow = false
let followsSize = false

/** Whether a person reads the stream on a terminal. Such a stream gets progress, redrawing and colours. */
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
  // Ignores the error here, because main.ts handles it as an event of the stream.
  return new Promise(resolve => stream.write(data, () => resolve()))
}

/** Writes to stdout. Resolves when the data is written, because the process may exit next. */
export async function print(data: string | Uint8Array): Promise<void> {
  const live = liveLine
  const shown = typeof data === 'string' ? `${data}\n` : data
  makeWay(shown)
  await write(process.stdout, shown)
  if (live !== undefined) showLive(live)
}

/** Removes the live line. Call this function before each write to stdout. */
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

/** Returns the width of a terminal in columns, or 80 if the width is unknown. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || 80
}

/**
 * Shows a live line below the other text on stderr, in place of the previous live line. Call this function only for
 * interactive streams.
 */
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

/** Returns the line end that starts a new row, or an empty text if the cursor is already at the start of a row. */
function startOfRow(): string {
  const start = isMidRow && process.stderr.isTTY ? LINE_END : ''
  if (start !== '') isMidRow = false
  return start
}

function draw(line: LiveLine): void {
  liveLine = line
  if (isMidRow) return
  const columns = columnsOf(process.stderr)
  // The line is one column shorter than the terminal, because a wrapped line could not be removed.
  const text = cut(line(columns - 1), Math.max(1, columns - 1))
  process.stderr.write(`${toItsStart()}${text}`)
  drawn = text
}

/**
 * Moves to the start of the live line and clears the screen below. If the user has made the terminal narrower, the live
 * line takes several rows.
 */
function toItsStart(): string {
  const more = Math.ceil(textWidth(drawn) / columnsOf(process.stderr)) - 1
  return `\r${more > 0 ? `\u001b[${more}A` : ''}\u001b[J`
}

/**
 * Makes text of another process safe to print. It removes control characters that could move the cursor or set the
 * title of the window, and keeps tabs, line ends and colours.
 */
export function printable(text: string): string {
  return text.replace(/(\p{Cc}\[[\d;]*m)|(?![\t\n])\p{Cc}/gu, (_, colour?: string) =>
    colour?.startsWith('\u001b') ? colour : ''
  )
}
