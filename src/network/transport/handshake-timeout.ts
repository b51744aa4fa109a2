import { performance } from 'node:perf_hooks'
import type { MessageStream } from '@libp2p/interface'

/** The time limit for each handshake step of the other side, in ms of idle time of this peer's event loop. */
export const STEP_TIMEOUT = 2_000
/** The interval (ms) at which the idle time is measured. */
const LOOK_EVERY = 250

/**
 * Calls `onLate` when the other side of a handshake does not continue. Many peers that start together on few cores need seconds for their handshakes, so the
 * limit of the whole handshake is longer. A side that sends nothing, or one byte a second, gets only {@link STEP_TIMEOUT}.
 *
 * A step ends when this peer answers, and this peer answers only a complete message. Only idle time counts, because an idle peer has answered every
 * message that has arrived.
 *
 * @param onLate - must end the handshake; called at most one time
 * @returns a function to call when the handshake is over
 */
export function limitHandshakeSteps(stream: MessageStream, onLate: () => void): () => void {
  let before = performance.eventLoopUtilization()
  let waited = 0
  const send = stream.send.bind(stream)
  stream.send = data => {
    waited = 0
    return send(data)
  }
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    waited += performance.eventLoopUtilization(now, before).idle
    before = now
    // Even an interval without events is not completely idle. Without this tolerance, the limit would be one interval longer.
    if (waited < STEP_TIMEOUT - LOOK_EVERY / 2) return
    stop()
    onLate()
  }, LOOK_EVERY).unref()
  const stop = () => {
    clearInterval(timer)
    stream.removeEventListener('close', stop)
  }
  stream.addEventListener('close', stop)
  return stop
}
