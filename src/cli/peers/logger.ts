/** Writes the log to stderr: as JSON lines for programs, or as text for people. */
import type { Logger } from '../../common/logger.ts'
import { say } from '../terminal/output.ts'
import { PrettyLines } from './pretty-lines.ts'

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]
export const logFormats = ['pretty', 'json'] as const
export type LogFormat = (typeof logFormats)[number]

export interface LogFlags {
  logLevel?: LogLevel
  logFormat?: LogFormat
}

interface LoggerOptions {
  /** The log level if no option sets a level. Default `warn`. */
  level?: LogLevel
  /** Whether the command runs for a long time, so that log lines for people need the time of day. Default false. */
  isLong?: boolean
}

export async function createLogger(
  flags: LogFlags & { json?: boolean },
  { level: usual = 'warn', isLong = false }: LoggerOptions = {}
): Promise<Logger> {
  const { default: pino } = await import('pino')
  const level = flags.logLevel ?? usual
  const isJson = (flags.logFormat ?? (flags.json ? 'json' : 'pretty')) === 'json'
  const lines = new PrettyLines(isLong)
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) }
    },
    { write: line => say(isJson ? line.trimEnd() : lines.line(line)) }
  )
  // The logger exposes only four methods, because TypeScript takes a whole pino logger for a promise.
  return {
    debug: (data, message) => logger.debug(withError(data, true), message),
    info: (data, message) => logger.info(withError(data, level === 'debug'), message),
    warn: (data, message) => logger.warn(withError(data, level === 'debug'), message),
    error: (data, message) => logger.error(withError(data, true), message)
  }
}

/** Converts an Error in the data into an object that JSON can represent. */
function withError(data: object, withStack: boolean): object {
  if (!('error' in data) || !(data.error instanceof Error)) return data
  return { ...data, error: plainError(data.error, withStack) }
}

function plainError(error: Error, withStack: boolean): object {
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  return {
    type: name,
    message,
    ...(code !== undefined && { code }),
    ...(withStack && { stack }),
    ...(cause instanceof Error && { cause: plainError(cause, withStack) })
  }
}
