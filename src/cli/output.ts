/** Results go to stdout, all else to stderr. A live line, where there is one, stays below what is said. */
import { type Tone, toned } from './palette.ts'
import { cut, textWidth } from './text-width.ts'

/** A tone of the palette, or weight. */
export type Style = Tone | 'bold' | 'dim'

/** A live line for a terminal of so many columns. */
export type LiveLine = (columns: number) => string

let liveLine: LiveLine | undefined
/** What stands on the terminal of it. */
let drawn = ''
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
  if (process.stdout.isTTY) hideLive()
  await write(process.stdout, typeof data === 'string' ? `${data}\n` : data)
  if (live !== undefined) showLive(live)
}

/** Says something on stderr. */
export function say(text: string): void {
  const live = liveLine
  hideLive()
  process.stderr.write(`${text}\n`)
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
  process.stderr.write(toItsStart())
  liveLine = undefined
  drawn = ''
}

function draw(line: LiveLine): void {
  const columns = columnsOf(process.stderr)
  // No longer than the terminal is wide, and the last column stays free: a wrapped line could not be taken back.
  const text = cut(line(columns - 1), Math.max(1, columns - 1))
  process.stderr.write(`${toItsStart()}${text}`)
  liveLine = line
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
