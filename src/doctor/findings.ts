/** The doctor's findings: one for each check. */
import { networkInterfaces } from 'node:os'
import type { View } from '../attach/view.ts'
import { version } from '../common/version.ts'
import { isLive, type Member } from '../membership/core/member.ts'
import { nodeMajor } from '../membership/node-versions.ts'
import { hostId } from '../network/host-id.ts'
import { isLoopback, tryMultiaddr } from '../network/multiaddr.ts'
import type { Network, RefusedReason } from '../network/types.ts'
import { type Reach, reach } from './reach.ts'

/**
 * The difference between two clocks, in ms, above which the doctor adds a note. The times of members look wrong then.
 */
const CLOCKS_APART = 5_000
/** The number of members that the doctor dials at the same time, and the number that it dials in total. */
const DIALS_AT_A_TIME = 16
const MOST_DIALLED = 100
/** The number of Node versions that a finding names. */
const MOST_NODES = 8

export interface Finding {
  /** The subject of the check. */
  what: string
  /** `note`: an intended state, or a possible reason for a fault; `trouble`: a fault. */
  verdict: 'fine' | 'note' | 'trouble'
  /** The result of the check, and the remedy for a fault. */
  text: string
}

const REACHED: Record<Reach, Omit<Finding, 'what'>> = {
  accepted: { verdict: 'fine', text: 'something listens there' },
  refused: {
    verdict: 'trouble',
    text: 'nothing listens there: is the peer running, is the port its own, does it listen on more than 127.0.0.1?'
  },
  silent: {
    verdict: 'trouble',
    text: 'nothing comes back: the address is wrong, the machine is off, or a firewall drops the packets'
  },
  'no-route': {
    verdict: 'trouble',
    text: 'this machine has no way there: are both on one network, and does it speak the same IP version?'
  },
  'no-such-host': {
    verdict: 'trouble',
    text: 'the name of the host stands for no address: check it, and the DNS of this machine'
  },
  failed: { verdict: 'trouble', text: 'the connection failed' }
}

export function reached(what: string, outcome: Reach): Finding {
  return { what, ...REACHED[outcome] }
}

export function addressesHere(): Finding {
  const all = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  const outside = all.filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
  return outside.length > 0
    ? { what: 'addresses', verdict: 'fine', text: outside.map(({ address }) => address).join(', ') }
    : { what: 'addresses', verdict: 'note', text: 'only loopback: no other machine can be reached' }
}

/** Returns the finding about an address that libp2p has dialled. */
export function tried({ address, outcome, kind }: ReturnType<Network['tried']>[number]): Finding {
  const isFine = kind === 'connected' || kind === 'self'
  return { what: address, verdict: isFine ? 'fine' : kind === 'refused' ? 'trouble' : 'note', text: outcome }
}

/** @param self - the PeerId of this client */
export function noView(cluster: string, wait: number, refused: RefusedReason | undefined, self: string): Finding {
  return { what: 'cluster', verdict: 'trouble', text: whyNoView(cluster, wait, refused, self) }
}

function whyNoView(cluster: string, wait: number, refused: RefusedReason | undefined, self: string): string {
  switch (refused) {
    case 'key':
      return `a peer answers, but not with this key and the name ${cluster}: compare --key and --cluster with those of its peers`
    case 'unlisted':
      return `a peer answers, but its allow list lacks ${self}: add that PeerId to the list (id --data-dir makes one that stays)`
    case undefined:
      return `no peer of cluster ${cluster} was found within ${wait / 1_000} s: start a peer with \`p2p-worker join\`, or give --bootstrap the address that one printed`
  }
}

/** @param seenAt - this machine's clock when the view came, in ms since the epoch */
export function viewFindings(view: View, peer: string | undefined, seenAt: number): Finding[] {
  const live = view.members.filter(isLive)
  const findings: Finding[] = [
    view.leader === undefined
      ? { what: 'cluster', verdict: 'trouble', text: 'it has no leader: start a peer whose role is not worker' }
      : {
          what: 'cluster',
          verdict: 'fine',
          text: `attached to ${peer ?? 'a peer'}; ${live.length} live, ${view.leader.id} leads (epoch ${view.leader.epoch})`
        }
  ]
  const apart = view.now === undefined ? 0 : seenAt - view.now
  if (Math.abs(apart) > CLOCKS_APART) {
    const text = `this machine's is ${Math.abs(Math.round(apart / 1_000))} s ${apart > 0 ? 'ahead of' : 'behind'} the peer's: nothing depends on it but the times that are shown`
    findings.push({ what: 'clock', verdict: 'note', text })
  }
  for (const { id, version: theirs } of live) {
    if (theirs !== version)
      findings.push({ what: id, verdict: 'note', text: `has version ${theirs}, this is ${version}` })
  }
  const nodes = [...new Set(live.map(({ node }) => node).filter(node => node !== ''))].sort()
  if (new Set(nodes.map(nodeMajor)).size > 1) {
    const shown = nodes.slice(0, MOST_NODES).join(', ')
    const text = `the members run Node ${shown}: results may differ in their last digits; run one major version on all`
    findings.push({ what: 'Node', verdict: 'note', text })
  }
  return findings
}

/** Returns a note for each member that this machine cannot dial. */
export async function dialling(members: readonly Member[], signal: AbortSignal): Promise<Finding[]> {
  const waiting = members.filter(isLive).slice(0, MOST_DIALLED)
  const findings: Finding[] = []
  const work = async (): Promise<void> => {
    for (let member = waiting.shift(); member !== undefined; member = waiting.shift()) {
      const problem = await problemOf(member, signal)
      if (problem !== undefined) findings.push({ what: member.id, verdict: 'note', text: problem })
    }
  }
  await Promise.all(Array.from({ length: DIALS_AT_A_TIME }, work))
  return findings
}

async function problemOf({ addresses, host }: Member, signal: AbortSignal): Promise<string | undefined> {
  const known = addresses.flatMap(text => tryMultiaddr(text) ?? [])
  const isHere = host !== '' && host === hostId()
  const usable = isHere ? known : known.filter(address => !isLoopback(address))
  if (usable.length === 0) {
    return 'announces no address that another machine could dial: start it with --listen /ip4/0.0.0.0/tcp/PORT'
  }
  for (const address of usable) if ((await reach(address, signal)) === 'accepted') return undefined
  return 'cannot be dialled from here at any of its addresses: it has to dial the others itself, or its port has to be opened'
}
