import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Returns an id of this machine, this boot and this network namespace. A loopback address belongs to a peer only if both sides have the
 * same host id. Returns undefined on a system without `/proc`. Without a host id, loopback addresses prove nothing.
 */
export function hostId(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const namespace = readlinkSync('/proc/self/ns/net')
    return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 16)
  } catch {
    return undefined
  }
}
