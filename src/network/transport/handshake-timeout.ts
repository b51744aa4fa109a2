import { performance } from 'node:perf_hooks'
import type { MessageStream } from '@libp2p/interface'

/** The time limit of the other side for each step of a handshake, in ms of idle time of this peer's event loop. */
export const STEP_TIMEOUT = 2_000
/** The interval (ms) at which the idle time is read. */
const LOOK_EVERY = 250

/**
 * Calls `onLate` when the other side of a handshake does not continue. Many peers that start together on few cores need seconds for their handshakes, so the
 * whole handshake has more time. But a side that sends nothing, or one byte a second, gets only {@link STEP_TIMEOUT}.
 *
 * A step ends when this peer answers, and it answers only a whole message. Only idle time of the event loop counts, because an idle peer has answered every
 * message that has arrived.
 *
 * @param onLate - ends the handshake; called once at most
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
    // Even an interval without events is not completely idle, so without this tolerance another interval would pass.
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
