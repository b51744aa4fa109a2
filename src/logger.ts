/** Where diagnostics go: any pino logger fits. */
export interface Logger {
  debug(data: object, message: string): void
  info(data: object, message: string): void
  warn(data: object, message: string): void
  error(data: object, message: string): void
}

/** What is used where nobody asked for diagnostics. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
