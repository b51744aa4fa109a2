/**
 * Why peers don't meet: looks at everything between this machine and its cluster, from below upwards, and says what is
 * wrong and what to do about it.
 */
import { networkInterfaces } from 'node:os'
import { Attachment } from '../attach/attachment.ts'
import type { View } from '../attach/view.ts'
import { isLive, type Member } from '../membership/member.ts'
import { isLoopback, parseMultiaddr, tryMultiaddr } from '../network/multiaddr.ts'
import { createNetwork } from '../network/network.ts'
import type { Network } from '../network/types.ts'
import { version } from '../version.ts'
import { multicastProblem } from './multicast.ts'
import { type Reach, reach } from './reach.ts'

/** Clocks that differ by more than this are worth a word, in ms: times that members tell look wrong then. */
const CLOCKS_APART = 5_000

export interface Finding {
  /** What was looked at. */
  what: string
  /** `note`: may be the reason, or as it should be; `trouble`: does not work. */
  verdict: 'fine' | 'note' | 'trouble'
  /** What was found, and what to do about it. */
  text: string
}

export interface DoctorOptions {
  cluster: string
  /** 32 bytes; without them, the cluster is open. */
  key: Uint8Array | undefined
  bootstrap: string[]
  mdns: boolean
  /** How long to look for the cluster, in ms. */
  wait: number
  signal: AbortSignal
}

/** `attached`: a peer let this client in, and there is a leader. */
export type Diagnosis = 'attached' | 'no-leader' | 'refused' | 'nobody'

/** Tells each finding as soon as it is there. */
export async function diagnose(options: DoctorOptions, tell: (finding: Finding) => void): Promise<Diagnosis> {
  tell(addressesHere())
  if (options.mdns) tell(await multicast(options.signal))
  for (const address of options.bootstrap) tell(await bootstrapAddress(address, options.signal))
  if (options.bootstrap.length === 0 && !options.mdns) {
    tell({ what: 'discovery', verdict: 'trouble', text: 'no mDNS and no --bootstrap: there is no way to find anybody' })
  }
  const network = await createNetwork({ ...options, listen: [] })
  const attachment = new Attachment(network)
  try {
    return await cluster(options, network, attachment, tell)
  } finally {
    await attachment.stop()
    await network.stop()
  }
}

async function cluster(
  { cluster, wait, signal }: DoctorOptions,
  network: Network,
  attachment: Attachment,
  tell: (finding: Finding) => void
): Promise<Diagnosis> {
  let refused = false
  network.addEventListener('refused', () => {
    refused = true
  })
  await viewWithLeader(attachment, AbortSignal.any([signal, AbortSignal.timeout(wait)]))
  signal.throwIfAborted()
  const { view } = attachment
  for (const { address, outcome } of network.tried()) {
    const isFine = outcome.startsWith('connected')
    tell({ what: address, verdict: isFine ? 'fine' : 'note', text: outcome })
  }
  if (view === undefined) {
    tell({
      what: 'cluster',
      verdict: 'trouble',
      text: refused
        ? `somebody answers, but not with this key and the name ${cluster}: compare --key and --cluster with those of its peers`
        : `nobody of cluster ${cluster} was found within ${wait / 1_000} s: start a peer with \`p2p-worker join\`, or give --bootstrap the address that one printed`
    })
    return refused ? 'refused' : 'nobody'
  }
  for (const finding of await about(view, attachment.peer, signal)) tell(finding)
  return view.leader === undefined ? 'no-leader' : 'attached'
}

function viewWithLeader(attachment: Attachment, limit: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (attachment.view?.leader === undefined && !limit.aborted) return
      attachment.removeEventListener('view', look)
      limit.removeEventListener('abort', look)
      resolve()
    }
    attachment.addEventListener('view', look)
    limit.addEventListener('abort', look)
    look()
  })
}

function addressesHere(): Finding {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  const outside = all.filter(({ internal }) => !internal).map(({ address }) => address)
  return outside.length > 0
    ? { what: 'addresses', verdict: 'fine', text: outside.join(', ') }
    : { what: 'addresses', verdict: 'note', text: 'only loopback: nobody on another machine can be reached' }
}

async function multicast(signal: AbortSignal): Promise<Finding> {
  const problem = await multicastProblem(signal)
  return problem === undefined
    ? { what: 'multicast', verdict: 'fine', text: 'mDNS can be sent and heard on this machine' }
    : { what: 'multicast', verdict: 'note', text: `mDNS finds nobody from here (${problem}): use --bootstrap` }
}

const REACHED: Record<Exclude<Reach['outcome'], 'failed'>, Omit<Finding, 'what'>> = {
  accepted: { verdict: 'fine', text: 'something listens there' },
  'no-such-host': {
    verdict: 'trouble',
    text: 'the name of the host is unknown: check it, and the DNS of this machine'
  },
  refused: {
    verdict: 'trouble',
    text: 'nothing listens there: is the peer running, is the port its own, does it listen on more than 127.0.0.1?'
  },
  silent: {
    verdict: 'trouble',
    text: 'nothing comes back: the address is wrong, the machine is off, or a firewall drops the packets'
  }
}

async function bootstrapAddress(text: string, signal: AbortSignal): Promise<Finding> {
  const found = await reach(parseMultiaddr(text, '--bootstrap'), signal)
  if (found.outcome === 'failed') return { what: text, verdict: 'trouble', text: found.why }
  return { what: text, ...REACHED[found.outcome] }
}

/** What there is to say of a cluster that let this client in. */
async function about(view: View, peer: string | undefined, signal: AbortSignal): Promise<Finding[]> {
  const live = view.members.filter(isLive)
  const findings: Finding[] = [
    {
      what: 'cluster',
      verdict: view.leader === undefined ? 'trouble' : 'fine',
      text:
        view.leader === undefined
          ? 'there is no leader: start a peer whose role is not worker'
          : `attached to ${peer ?? 'a peer'}; ${live.length} live, ${view.leader.id} leads (epoch ${view.leader.epoch})`
    }
  ]
  const apart = view.now === undefined ? 0 : Date.now() - view.now
  if (Math.abs(apart) > CLOCKS_APART) {
    const text = `this machine's is ${Math.abs(Math.round(apart / 1_000))} s ${apart > 0 ? 'ahead of' : 'behind'} the peer's: nothing depends on it but the times that are shown`
    findings.push({ what: 'clock', verdict: 'note', text })
  }
  const others = live.filter(member => member.version !== version)
  for (const { id, version: theirs } of others) {
    findings.push({ what: id, verdict: 'note', text: `has version ${theirs}, this is ${version}` })
  }
  const unreachable = await Promise.all(
    live.map(async member => ((await isReachable(member, signal)) ? [] : [member.id]))
  )
  for (const id of unreachable.flat()) {
    findings.push({
      what: id,
      verdict: 'note',
      text: 'cannot be dialled from here at any of its addresses: it has to dial the others itself, or its port has to be opened'
    })
  }
  return findings
}

async function isReachable({ addresses }: Member, signal: AbortSignal): Promise<boolean> {
  const usable = addresses.flatMap(text => tryMultiaddr(text) ?? [])
  const outside = usable.filter(address => !isLoopback(address))
  const reached = await Promise.all((outside.length > 0 ? outside : usable).map(address => reach(address, signal)))
  return reached.some(({ outcome }) => outcome === 'accepted')
}
