/** The interface for diagnostics: any pino logger fits. */
export interface Logger {
  /** Details, such as membership messages and workers' sessions. */
  debug(data: object, message: string): void
  /** Events of interest to a person who watches the cluster. */
  info(data: object, message: string): void
  /** Conditions that the cluster's owner should look at. */
  warn(data: object, message: string): void
  /** Data is lost, or this peer cannot do a part of its work. */
  error(data: object, message: string): void
}

/** The logger without output: the default. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
