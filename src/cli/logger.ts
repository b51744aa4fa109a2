/** Diagnostics on stderr: JSON lines where a program reads (`--json`), else lines for people. */
import type { Logger } from '../logger.ts'
import { paint, printable, say } from './output.ts'

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

interface Entry {
  level: number
  time: number
  msg?: string
  err?: { message?: string }
  [key: string]: unknown
}

function level(value: number): string {
  if (value >= 50) return paint('red', 'error')
  if (value >= 40) return paint('yellow', 'warning')
  return value >= 30 ? 'info' : 'debug'
}

/** One log entry of pino as a line for people. */
export function humanLine(line: string): string {
  const { level: value, time: _, msg = '', err, ...rest } = JSON.parse(line) as Entry
  const details = Object.entries(rest).map(
    ([key, detail]) => `${key}=${typeof detail === 'string' ? detail : JSON.stringify(detail)}`
  )
  if (err?.message !== undefined) details.push(`(${err.message})`)
  return printable([`${level(value)}:`, msg, ...details].join(' '))
}

/** @param options.json - whether stderr gets JSON lines */
export async function createLogger(options: { level: LogLevel; json: boolean }): Promise<Logger> {
  const { default: pino } = await import('pino')
  const logger = pino(
    { level: options.level, base: null, serializers: { err: pino.stdSerializers.err, error: pino.stdSerializers.err } },
    { write: line => say(options.json ? line.trimEnd() : humanLine(line)) }
  )
  // Its four methods only: a whole pino logger passes for a promise in TypeScript's eyes.
  return {
    debug: (data, message) => logger.debug(data, message),
    info: (data, message) => logger.info(data, message),
    warn: (data, message) => logger.warn(data, message),
    error: (data, message) => logger.error(data, message)
  }
}
