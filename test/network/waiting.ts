import { performance } from 'node:perf_hooks'

/** The interval, in ms, at which the idle time of this process is sampled. */
const LOOK_EVERY = 20

/**
 * Starts to measure how long this process is idle, in ms, in the same way as the handshake timeout (handshake-timeout.ts).
 * One sample counts at most three intervals, so time in which the machine was suspended does not count as idle.
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
