/** Results go to stdout, all else to stderr. A live line, where there is one, stays below what is said. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

let liveLine = ''

/** Whether a stream takes what only a person wants to see: progress, redrawing, colour. */
export function isInteractive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb'
}

/** Colours text for a stream; https://no-color.org. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return isInteractive(stream) && !process.env.NO_COLOR ? styleText(style, text) : text
}

function write(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  // The error itself comes as an event (main.ts listens): here it only ends the wait.
  return new Promise(resolve => stream.write(data, () => resolve()))
}

/** Writes to stdout, and resolves when it is out: what follows may end the process. */
export async function print(data: string | Uint8Array): Promise<void> {
  const live = liveLine
  if (process.stdout.isTTY) showLive('')
  await write(process.stdout, typeof data === 'string' ? `${data}\n` : data)
  if (live !== '') showLive(live)
}

/** Says something on stderr. */
export function say(text: string): void {
  const live = liveLine
  showLive('')
  process.stderr.write(`${text}\n`)
  showLive(live)
}

/** Replaces the live line on stderr; an empty one takes it away. Only for interactive streams. */
export function showLive(text: string): void {
  if (text === '' && liveLine === '') return
  liveLine = text
  // No longer than the terminal is wide: a wrapped line could not be taken back.
  process.stderr.write(`\r\u001b[K${text.slice(0, Math.max(1, (process.stderr.columns || 80) - 1))}`)
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
