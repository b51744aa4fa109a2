/** Whether something answers at an address at all, below everything that this project does. */
import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import type { Multiaddr } from '@multiformats/multiaddr'
import { hostAndPort } from '../network/multiaddr.ts'

/** For a TCP connection to be accepted, in ms. */
const CONNECT_LIMIT = 3_000

export type Reach =
  | { outcome: 'accepted' }
  /** The name of the host stands for no address. */
  | { outcome: 'no-such-host' }
  /** The machine is there, and nothing listens on the port. */
  | { outcome: 'refused' }
  /** Nothing came back in time. */
  | { outcome: 'silent' }
  | { outcome: 'failed'; why: string }

/** Opens a TCP connection to the address, and closes it. */
export async function reach(address: Multiaddr, signal: AbortSignal): Promise<Reach> {
  const { host, port } = hostAndPort(address)
  if (isIP(host) === 0) {
    const found = await lookup(host).catch(() => undefined)
    signal.throwIfAborted()
    if (found === undefined) return { outcome: 'no-such-host' }
  }
  return await new Promise<Reach>(resolve => {
    const socket = connect({ host, port, signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT)]) })
    const end = (reach: Reach): void => {
      socket.destroy()
      resolve(reach)
    }
    socket.once('connect', () => end({ outcome: 'accepted' }))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') end({ outcome: 'refused' })
      else if (error.name === 'AbortError' || error.code === 'ETIMEDOUT') end({ outcome: 'silent' })
      else end({ outcome: 'failed', why: error.message })
    })
  })
}
