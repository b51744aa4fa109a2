/** Whether something answers at an address at all, below everything that this project does. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Multiaddr } from '@multiformats/multiaddr'
import { signalAfter } from '../lib/signal-after.ts'
import { withSignal } from '../lib/wait.ts'
import { hostAndPort } from '../network/multiaddr.ts'
import { tcpConnectError } from '../network/tcp-connect.ts'

/** For a name to be looked up, and for a TCP connection to be accepted, in ms each. */
const LIMIT = 3_000

export type Reach =
  | 'accepted'
  /** The machine is there, and nothing listens on the port. */
  | 'refused'
  /** Nothing came back in time. */
  | 'silent'
  /** This machine has no way there. */
  | 'no-route'
  /** The name of the host stands for no address. */
  | 'no-such-host'
  | 'failed'

/** Of several addresses, the best that was found counts. */
const BEST_FIRST: readonly Reach[] = ['accepted', 'refused', 'silent', 'no-route', 'failed']

/** Looks a name up: all addresses of a family (0: of both). */
export type Lookup = (host: string, family: 0 | 4 | 6) => Promise<string[]>

const systemLookup: Lookup = async (host, family) =>
  (await lookup(host, { all: true, family })).map(({ address }) => address)

/**
 * Opens a TCP connection to the address, and closes it.
 *
 * @throws the signal's reason
 */
export async function reach(address: Multiaddr, signal: AbortSignal, find: Lookup = systemLookup): Promise<Reach> {
  const { host, port } = hostAndPort(address)
  const hosts = isIP(host) === 0 ? await addressesOf(address, host, signal, find) : [host]
  const reached = await Promise.all(hosts.map(each => connectTo(each, port, signal)))
  return hosts.length === 0 ? 'no-such-host' : BEST_FIRST.find(outcome => reached.includes(outcome))!
}

/** As libp2p dials them: `/dns4` only by IPv4, `/dns6` only by IPv6. */
async function addressesOf(address: Multiaddr, host: string, signal: AbortSignal, find: Lookup): Promise<string[]> {
  const [protocol] = address.getComponents()
  const family = protocol?.name === 'dns4' ? 4 : protocol?.name === 'dns6' ? 6 : 0
  const limit = AbortSignal.any([signal, signalAfter(LIMIT)])
  const found = await withSignal(find(host, family), limit).catch(() => [])
  signal.throwIfAborted()
  return found
}

async function connectTo(host: string, port: number, signal: AbortSignal): Promise<Reach> {
  switch (await tcpConnectError({ host, port }, LIMIT, signal)) {
    case undefined:
      return 'accepted'
    case 'ECONNREFUSED':
      return 'refused'
    case 'ETIMEDOUT':
      return 'silent'
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'no-route'
    default:
      return 'failed'
  }
}
