import type { Logger } from '../common/logger.ts'
import type { Refusals } from '../network/guard/refusals.ts'
import type { Network } from '../network/types.ts'

/**
 * The largest number of log lines about refusals. An attacker can invent any number of addresses and PeerIds, and must
 * not fill the log. The counts of refusals have no such limit.
 */
const MOST_LINES = 1_000

/** Logs the first refusal of each kind for each peer, so that repeated attempts do not fill the disk. */
export function tellRefusals(refusals: Refusals, logger: Logger): void {
  const told = new Set<string>()
  refusals.addEventListener('refusal', ({ detail: { kind, from, detail } }) => {
    const line = `${kind} ${from}`
    if (told.size >= MOST_LINES || told.has(line)) return
    told.add(line)
    logger.warn({ from, kind }, `refused: ${detail}`)
    if (told.size === MOST_LINES)
      logger.warn({}, 'too many refusals: further ones are counted, but not logged one by one')
  })
}

/** Warns about peers with another key, so that the user of an isolated peer learns the reason. */
export function warnOfOtherKeys(network: Pick<Network, 'cluster' | 'addEventListener'>, logger: Logger): void {
  const warned = new Set<string>()
  network.addEventListener('refused', ({ detail: { address, error } }) => {
    if (warned.size >= MOST_LINES || warned.has(address)) return
    warned.add(address)
    logger.warn({ address, cluster: network.cluster }, error.message)
    if (warned.size === MOST_LINES)
      logger.warn({}, 'too many peers have another key: further ones are not logged one by one')
  })
}
