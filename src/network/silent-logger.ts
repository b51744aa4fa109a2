import type { ComponentLogger, Logger } from '@libp2p/interface'

const silent = (): Logger => {
  const log = () => {}
  return Object.assign(log, { enabled: false, error: () => {}, trace: () => {}, newScope: () => silent() })
}

/** libp2p's logs are for its developers: whatever DEBUG says, none reach the user's terminal. */
export const silentLogger: ComponentLogger = { forComponent: () => silent() }
