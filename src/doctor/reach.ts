/** Checks whether any process listens at an address, by a TCP connect. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Multiaddr } from '@multiformats/multiaddr'
import { orAborted, signalAfter } from '../lib/abort.ts'
import { hostAndPort } from '../network/multiaddr.ts'
import { tcpConnectError } from '../network/tcp-connect.ts'

/** The time limit for the lookup of a name, and for each TCP connect, in ms. */
const LIMIT = 3_000

export type Reach =
  | 'accepted'
  /** The machine answers, and no process listens on the port. */
  | 'refused'
  /** The machine did not answer in time. */
  | 'silent'
  /** This machine has no route to the address. */
  | 'no-route'
  /** The name of the host has no address. */
  | 'no-such-host'
  | 'failed'

/** The outcomes from best to worst. If a name has several addresses, the best outcome counts. */
const BEST_FIRST: readonly Reach[] = ['accepted', 'refused', 'silent', 'no-route', 'failed']

/** Looks up all addresses of a name in one IP family (0: in both families). */
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

/**
 * Returns the addresses that libp2p would dial: only IPv4 addresses for `/dns4`, and only IPv6 addresses for `/dns6`.
 */
async function addressesOf(address: Multiaddr, host: string, signal: AbortSignal, find: Lookup): Promise<string[]> {
  const [protocol] = address.getComponents()
  const family = protocol?.name === 'dns4' ? 4 : protocol?.name === 'dns6' ? 6 : 0
  const limit = AbortSignal.any([signal, signalAfter(LIMIT)])
  const found = await orAborted(find(host, family), limit).catch(() => [])
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
