import { once } from 'node:events'
import { connect } from 'node:net'
import { signalAfter } from '../lib/abort.ts'

/**
 * Opens a TCP connection and closes the connection at once.
 *
 * @returns undefined if the connection was accepted, else the error code, such as `ECONNREFUSED`, or `ETIMEDOUT` after `ms`
 * @throws the signal's reason
 */
export async function tcpConnectError(
  address: { host: string; port: number },
  ms: number,
  signal: AbortSignal
): Promise<string | undefined> {
  const timeout = signalAfter(ms)
  signal.throwIfAborted()
  const socket = connect(address)
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, timeout]) })
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return timeout.aborted ? 'ETIMEDOUT' : (error as NodeJS.ErrnoException).code
  } finally {
    socket.on('error', () => {}).destroy()
  }
}
