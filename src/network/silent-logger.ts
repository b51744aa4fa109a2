import type { ComponentLogger, Logger } from '@libp2p/interface'

const silent = (): Logger => {
  const log = () => {}
  return Object.assign(log, { enabled: false, error: () => {}, trace: () => {}, newScope: () => silent() })
}

/** A logger that drops every message. libp2p's logs are for libp2p developers, and must not reach the user's terminal, even if `DEBUG` is set. */
export const silentLogger: ComponentLogger = { forComponent: () => silent() }
