import { isIP } from 'node:net'
import { CODE_P2P, type Multiaddr, multiaddr } from '@multiformats/multiaddr'
import { InvalidOptionError } from '../common/errors.ts'

/**
 * Parses a TCP multiaddr from an option of the user.
 *
 * @param option - the name of the user's option, for the error
 * @throws InvalidOptionError
 */
export function parseMultiaddr(text: string, option: string): Multiaddr {
  const example = 'write it like /ip4/192.0.2.7/tcp/4001 or /dns4/host.example/tcp/4001'
  let address: Multiaddr
  try {
    address = multiaddr(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new InvalidOptionError(`${option}: ${JSON.stringify(text)} is no multiaddr (${why}); ${example}`, { cause })
  }
  const [host, transport, ...rest] = address.getComponents()
  if (host === undefined || !/^(ip4|ip6|dns|dns4|dns6)$/.test(host.name) || transport?.name !== 'tcp') {
    throw new InvalidOptionError(`${option}: ${JSON.stringify(text)} is not an address over TCP; ${example}`)
  }
  if (rest.length > 1 || (rest[0] !== undefined && rest[0].code !== CODE_P2P)) {
    throw new InvalidOptionError(
      `${option}: ${JSON.stringify(text)} has more than an address, a TCP port and a peer; ${example}`
    )
  }
  return address
}

/** Parses a multiaddr from the network. Returns undefined if the multiaddr cannot be dialled over TCP. */
export function tryMultiaddr(text: string): Multiaddr | undefined {
  try {
    return parseMultiaddr(text, 'address')
  } catch {
    return undefined
  }
}

/** Returns the PeerId at the end of the address, or undefined if the address has no PeerId. */
export function peerOf(address: Multiaddr): string | undefined {
  return address.getComponents().findLast(component => component.code === CODE_P2P)?.value
}

/** Returns the address without the PeerId at its end. */
export function withoutPeer(address: Multiaddr): Multiaddr {
  return address.decapsulateCode(CODE_P2P)
}

/** Returns the host and the port of a TCP multiaddr. */
export function hostAndPort(address: Multiaddr): { host: string; port: number } {
  const [host, transport] = address.getComponents()
  return { host: host?.value ?? '', port: Number(transport?.value ?? 0) }
}

/** Whether the address is reachable only on its own machine. */
export function isLoopback(address: Multiaddr): boolean {
  const { host } = hostAndPort(address)
  return isIP(host) === 4 ? host.startsWith('127.') : host === '::1' || host === 'localhost'
}
