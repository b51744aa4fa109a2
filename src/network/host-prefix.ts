import { isIP } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'

/**
 * Returns the part of an address that identifies one host: the whole IPv4 address, or 64 bits of an IPv6 address (RFC 4291 §2.5.1). A host chooses
 * the other bits itself.
 */
export function hostPrefix(host: string): string {
  if (isIP(host) !== 6 || host.includes('.')) return host
  // In the binary multiaddr, the 16 bytes of the address follow the protocol code.
  const bytes = Buffer.from(multiaddr(`/ip6/${host.split('%')[0]}`).bytes.subarray(1))
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16))
  // An IPv4-mapped address (RFC 4291 §2.5.5.2) contains an IPv4 address, so the whole address identifies the host.
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') return host
  return `${groups.slice(0, 4).join(':')}::/64`
}
