import { performance } from 'node:perf_hooks'

/** How often it is looked at how long this process has waited, in ms. */
const LOOK_EVERY = 20

/**
 * How long this process has had nothing to do since, in ms, as it counts in a handshake (handshake-timeout.ts). What a machine that stands still
 * adds to a single look counts for no more than a few of them.
 */
export function waiting(): () => number {
  let before = performance.eventLoopUtilization()
  let waited = 0
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    waited += Math.min(3 * LOOK_EVERY, performance.eventLoopUtilization(now, before).idle)
    before = now
  }
  const timer = setInterval(look, LOOK_EVERY).unref()
  return () => {
    clearInterval(timer)
    look()
    return waited
  }
}
