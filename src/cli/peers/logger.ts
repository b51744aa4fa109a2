/** The log on stderr: JSON lines where a program reads, else lines for people. */
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
  /** Where nobody has asked for another one. Default `warn`. */
  level?: LogLevel
  /** The command runs for long: people are told when something happened. Default false. */
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
  // Its four methods only: a whole pino logger passes for a promise in TypeScript's eyes.
  return {
    debug: (data, message) => logger.debug(withError(data, true), message),
    info: (data, message) => logger.info(withError(data, level === 'debug'), message),
    warn: (data, message) => logger.warn(withError(data, level === 'debug'), message),
    error: (data, message) => logger.error(withError(data, true), message)
  }
}

/** An Error among the data in a form that JSON can hold. */
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
