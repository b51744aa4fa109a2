import type { Peer } from '../api.ts'
import { checkMultiaddrs } from './addresses.ts'
import type { JoinFlags } from './flags.ts'
import { keyForJoin } from './key.ts'
import { createLogger } from './logger.ts'
import { paint, say } from './output.ts'

/** Makes this process the peer that the options describe; a key that had to be made for it is told. */
export async function startPeer(flags: JoinFlags, signal: AbortSignal): Promise<Peer> {
  await checkMultiaddrs('--listen', flags.listen)
  await checkMultiaddrs('--bootstrap', flags.bootstrap)
  const { generateClusterKey } = await import('../network/cluster-key.ts')
  const { options: key, made } = await keyForJoin(flags, flags.cluster, generateClusterKey)
  if ('insecure' in key) shout()
  const logger = await createLogger({ level: flags.logLevel, json: flags.json === true })
  const { join } = await import('../peer.ts')
  const peer = await join({
    ...key,
    cluster: flags.cluster,
    listen: flags.listen,
    bootstrap: flags.bootstrap ?? [],
    mdns: flags.mdns,
    slots: flags.slots,
    role: flags.role,
    electionPriority: flags.electionPriority,
    tags: flags.tag ?? {},
    profile: flags.profile,
    maxPayloadMb: flags.maxPayloadMb,
    external: flags.external ?? [],
    ...(flags.limit === undefined ? {} : { limits: flags.limit }),
    isolation: flags.isolation,
    ...(flags.taskEnv === undefined ? {} : { taskEnvironment: flags.taskEnv }),
    ...(flags.maxHeapMb === undefined ? {} : { maxHeapMb: flags.maxHeapMb }),
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(flags.voters === undefined ? {} : { voters: flags.voters }),
    ...(flags.leaseTime === undefined ? {} : { leaseTime: flags.leaseTime }),
    preempt: flags.preempt,
    logger,
    signal
  })
  if (made !== undefined) tellKey(peer, made)
  return peer
}

/** The line with which other machines join, and where the key went. */
function tellKey(peer: Peer, made: { key: string; file: string }): void {
  const addresses = peer.addresses()
  const reachable = addresses.find(address => !/^\/ip(4\/127\.|6\/::1\/)/.test(address)) ?? addresses[0]
  // Without the PeerId, which is a new one at each start.
  const bootstrap = reachable === undefined ? '' : ` --bootstrap ${reachable.replace(/\/p2p\/[^/]+$/, '')}`
  say(`A new key for cluster ${peer.cluster} is saved in ${made.file}. On other machines:`)
  say(`  ${paint('bold', `npx p2p-worker join --cluster ${peer.cluster} --key ${made.key}${bootstrap}`)}`)
}

function shout(): void {
  say(
    paint(
      ['bold', 'red'],
      'WARNING: --insecure: this peer has no key. WHOEVER REACHES ITS PORT IS IN, AND MAY RUN CODE ON THIS MACHINE.'
    )
  )
}
