/** Results go to stdout, all else to stderr. A live line, where there is one, stays below what is said. */
import { type ColouredTone, toned } from './palette.ts'
import { cut, textWidth } from './text-width.ts'

/** A tone of the palette, or a weight. */
export type Style = ColouredTone | 'bold' | 'dim'

/** Makes a live line for a terminal of `columns` columns. */
export type LiveLine = (columns: number) => string

const LINE_END = '\n'

let liveLine: LiveLine | undefined
/** What stands on the terminal of it; nothing where there is no row for it. */
let drawn = ''
/** Whether stdout, on a terminal, has left its last row unfinished: a live line would be drawn over that, and take it away. */
let isMidRow = false
let followsSize = false

/** Whether a stream takes what only a person wants to see: progress, redrawing, colour. */
export function isInteractive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
}

/** Colours text for a stream; https://no-color.org. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  if (!isInteractive(stream) || process.env.NO_COLOR) return text
  if (style === 'bold') return `\u001b[1m${text}\u001b[22m`
  return style === 'dim' ? `\u001b[2m${text}\u001b[22m` : toned(style, text, stream.getColorDepth())
}

function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  // The error itself comes as an event (main.ts listens): here it only ends the wait.
  return new Promise(resolve => stream.write(data, () => resolve()))
}

/** Writes to stdout, and resolves when it is out: what follows may end the process. */
export async function print(data: string | Uint8Array): Promise<void> {
  const live = liveLine
  const shown = typeof data === 'string' ? `${data}\n` : data
  makeWay(shown)
  await write(process.stdout, shown)
  if (live !== undefined) showLive(live)
}

/** To be called before something is written to stdout: on a terminal the live line is below what stands there, or not there. */
export function makeWay(data: string | Uint8Array): void {
  if (!process.stdout.isTTY || data.length === 0) return
  hideLive()
  isMidRow = ![LINE_END, LINE_END.charCodeAt(0)].includes(data.at(-1)!)
}

/** Says something on stderr. */
export function say(text: string): void {
  const live = liveLine
  hideLive()
  process.stderr.write(`${startOfRow()}${text}\n`)
  if (live !== undefined) showLive(live)
}

/** The columns of a terminal; 80 where that is not known. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns || 80
}

/** Shows a line below what is said on stderr, in place of the one before. Only for interactive streams. */
export function showLive(line: LiveLine): void {
  if (!followsSize) {
    followsSize = true
    process.stderr.on('resize', () => liveLine !== undefined && draw(liveLine))
  }
  draw(line)
}

/** Takes the live line away. */
export function hideLive(): void {
  if (liveLine === undefined) return
  if (drawn !== '') process.stderr.write(toItsStart())
  liveLine = undefined
  drawn = ''
}

/** What is said begins a row of its own. */
function startOfRow(): string {
  const start = isMidRow && process.stderr.isTTY ? LINE_END : ''
  if (start !== '') isMidRow = false
  return start
}

function draw(line: LiveLine): void {
  liveLine = line
  if (isMidRow) return
  const columns = columnsOf(process.stderr)
  // No longer than the terminal is wide, and the last column stays free: a wrapped line could not be taken back.
  const text = cut(line(columns - 1), Math.max(1, columns - 1))
  process.stderr.write(`${toItsStart()}${text}`)
  drawn = text
}

/** To where the live line begins, and all below it away: a terminal that was made narrower has wrapped it. */
function toItsStart(): string {
  const more = Math.ceil(textWidth(drawn) / columnsOf(process.stderr)) - 1
  return `\r${more > 0 ? `\u001b[${more}A` : ''}\u001b[J`
}

/**
 * Text of another process, safe to show: without control characters (which could move the cursor or set the window's
 * title), except tabs, line ends and colours.
 */
export function printable(text: string): string {
  return text.replace(/(\p{Cc}\[[\d;]*m)|(?![\t\n])\p{Cc}/gu, (_, colour?: string) =>
    colour?.startsWith('\u001b') ? colour : ''
  )
}
