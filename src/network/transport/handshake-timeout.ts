import { performance } from 'node:perf_hooks'
import type { MessageStream } from '@libp2p/interface'

/** For the other side to take the next step of a handshake, in ms, of time in which this peer had nothing else to do. */
export const STEP_TIMEOUT = 2_000
/** How often this is looked at, in ms. */
const LOOK_EVERY = 250

/**
 * Tells when the other side of a handshake does not go on. A crowd that starts together on few cores needs seconds for its handshakes, so these
 * have more time in all; but whoever says nothing, or its words one byte a second, is not busy and gets no more than {@link STEP_TIMEOUT}.
 *
 * A step is what this peer answers: it does so only to something that was whole, so that single bytes are none. And only time counts in
 * which the event loop was idle: what had come by then has been answered.
 *
 * @param stream - what the handshake goes over
 * @param onLate - to end it; called once at most
 * @returns to be called when the handshake is over
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
    // Of an interval in which nothing happens some is not idle, and the last one would be one too many.
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
