/** The interface for diagnostics. Every pino logger implements this interface. */
export interface Logger {
  /** Logs details, such as membership messages and workers' sessions. */
  debug(data: object, message: string): void
  /** Logs events of interest to a person who watches the cluster. */
  info(data: object, message: string): void
  /** Logs conditions that the cluster's owner should check. */
  warn(data: object, message: string): void
  /** Logs that data is lost, or that this peer cannot do a part of its work. */
  error(data: object, message: string): void
}

/** A logger that drops every message. It is the default. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
