/** Where diagnostics go: any pino logger fits. */
export interface Logger {
  /** Details: messages of the membership, sessions of workers. */
  debug(data: object, message: string): void
  /** What somebody who follows the cluster wants to know. */
  info(data: object, message: string): void
  /** What its owner should look at. */
  warn(data: object, message: string): void
  /** Something is lost, or this peer cannot do a part of its work. */
  error(data: object, message: string): void
}

/** What is used where nobody asked for diagnostics. */
export const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
