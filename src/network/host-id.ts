import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Stands for "this machine, this boot, this network namespace": a loopback address belongs to a peer only where this is
 * the same on both sides. Undefined where the system does not tell (then loopback addresses prove nothing).
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
