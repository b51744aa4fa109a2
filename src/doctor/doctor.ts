/**
 * Finds out why peers do not find each other. The doctor checks each layer between this machine and the cluster, from
 * the lowest layer upwards, and reports each fault with a remedy.
 */
import { once } from 'node:events'
import type { PrivateKey } from '@libp2p/interface'
import { Attachment } from '../attach/attachment.ts'
import type { Logger } from '../common/logger.ts'
import { signalAfter } from '../lib/abort.ts'
import type { ClusterKey } from '../network/cluster-key.ts'
import { parseMultiaddr } from '../network/multiaddr.ts'
import { createNetwork } from '../network/network.ts'
import type { Network, RefusedReason } from '../network/types.ts'
import { addressesHere, dialling, type Finding, noView, reached, tried, viewFindings } from './findings.ts'
import { multicastProblem } from './multicast.ts'
import { reach } from './reach.ts'

export { checkFolder } from './folder.ts'

export interface DoctorOptions {
  cluster: string
  /** The keys of the cluster; undefined for a cluster without a key. */
  key: readonly ClusterKey[] | undefined
  bootstrap: string[]
  mdns: boolean
  /** The private key of the client. If undefined, the doctor generates a new key. */
  privateKey: PrivateKey | undefined
  /** How long to look for the cluster, in ms. */
  wait: number
  logger: Logger
  signal: AbortSignal
}

/** `attached`: a peer admitted this client, and the cluster has a leader. */
export type Diagnosis = 'attached' | 'no-leader' | 'refused' | 'nobody'

/**
 * Passes each finding to `tell` as soon as the check has ended.
 *
 * @throws the signal's reason
 */
export async function diagnose(options: DoctorOptions, tell: (finding: Finding) => void): Promise<Diagnosis> {
  const { bootstrap, mdns, signal } = options
  tell(addressesHere())
  if (mdns) tell(await multicast(signal))
  for (const address of bootstrap) {
    tell(reached(address, await reach(parseMultiaddr(address, '--bootstrap'), signal)))
  }
  if (bootstrap.length === 0 && !mdns) {
    tell({
      what: 'discovery',
      verdict: 'trouble',
      text: 'no mDNS and no --bootstrap: this machine cannot find any peer'
    })
    return 'nobody'
  }
  const network = await createNetwork({ ...options, listen: [] })
  try {
    const attachment = new Attachment(network)
    try {
      return await cluster(options, network, attachment, tell)
    } finally {
      await attachment.stop()
    }
  } finally {
    await network.stop()
  }
}

async function multicast(signal: AbortSignal): Promise<Finding> {
  const problem = await multicastProblem(signal)
  return problem === undefined
    ? {
        what: 'multicast',
        verdict: 'fine',
        text: 'this machine sends and hears it; whether the network carries it shows when a peer is found'
      }
    : { what: 'multicast', verdict: 'note', text: `mDNS finds no peer from here (${problem}): use --bootstrap` }
}

async function cluster(
  { cluster, wait, signal }: DoctorOptions,
  network: Network,
  attachment: Attachment,
  tell: (finding: Finding) => void
): Promise<Diagnosis> {
  let refused: RefusedReason | undefined
  network.addEventListener('refused', ({ detail }) => {
    refused = detail.reason
  })
  const seenAt = await firstView(attachment, AbortSignal.any([signal, signalAfter(wait)]))
  signal.throwIfAborted()
  for (const dial of network.tried()) tell(tried(dial))
  const { view } = attachment
  if (view === undefined) {
    tell(noView(cluster, wait, refused, network.self))
    return refused === undefined ? 'nobody' : 'refused'
  }
  for (const finding of viewFindings(view, attachment.peer, seenAt)) tell(finding)
  for (const finding of await dialling(view.members, signal)) tell(finding)
  return view.leader === undefined ? 'no-leader' : 'attached'
}

/**
 * Waits for a view with a leader, until `limit` aborts. Returns the time at which the newest view came, by this
 * machine's clock.
 */
async function firstView(attachment: Attachment, limit: AbortSignal): Promise<number> {
  let seenAt = Date.now()
  while (attachment.view?.leader === undefined && !limit.aborted) {
    await once(attachment, 'view', { signal: limit }).catch(() => {})
    seenAt = Date.now()
  }
  return seenAt
}
