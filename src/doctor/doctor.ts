/**
 * Why peers don't meet: looks at everything between this machine and its cluster, from below upwards, and says what is
 * wrong and what to do about it.
 */
import type { PrivateKey } from '@libp2p/interface'
import { Attachment } from '../attach/attachment.ts'
import type { Logger } from '../common/logger.ts'
import type { ClusterKey } from '../network/cluster-key.ts'
import { parseMultiaddr } from '../network/multiaddr.ts'
import { createNetwork } from '../network/network.ts'
import type { Network, RefusedReason } from '../network/types.ts'
import { addressesHere, dialling, type Finding, noView, reached, tried, viewFindings } from './findings.ts'
import { multicastProblem } from './multicast.ts'
import { reach } from './reach.ts'

export interface DoctorOptions {
  cluster: string
  /** Without one, the cluster is open. */
  key: readonly ClusterKey[] | undefined
  bootstrap: string[]
  mdns: boolean
  /** Undefined: a new one. */
  privateKey: PrivateKey | undefined
  /** How long to look for the cluster, in ms. */
  wait: number
  logger: Logger
  signal: AbortSignal
}

/** `attached`: a peer let this client in, and there is a leader. */
export type Diagnosis = 'attached' | 'no-leader' | 'refused' | 'nobody'

/**
 * Tells each finding as soon as it is there.
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
    tell({ what: 'discovery', verdict: 'trouble', text: 'no mDNS and no --bootstrap: there is no way to find anybody' })
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
        text: 'this machine sends and hears it; whether the network carries it shows when somebody is found'
      }
    : { what: 'multicast', verdict: 'note', text: `mDNS finds nobody from here (${problem}): use --bootstrap` }
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
  // Not AbortSignal.timeout: Node may collect one, with what waits for it, when only AbortSignal.any refers to it.
  const limit = new AbortController()
  const end = (): void => limit.abort()
  const timer = setTimeout(end, wait)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  const seenAt = await firstView(attachment, limit.signal)
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
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

/** Waits for a view with a leader; says when the newest view came, by this machine's clock. */
function firstView(attachment: Attachment, limit: AbortSignal): Promise<number> {
  return new Promise(resolve => {
    let seenAt = Date.now()
    const look = (): void => {
      if (attachment.view?.leader === undefined && !limit.aborted) return
      attachment.removeEventListener('view', onView)
      limit.removeEventListener('abort', look)
      resolve(seenAt)
    }
    const onView = (): void => {
      seenAt = Date.now()
      look()
    }
    attachment.addEventListener('view', onView)
    limit.addEventListener('abort', look)
    look()
  })
}
