import type { Peer } from '../api.ts'
import type { Member } from '../membership/member.ts'
import { checkMultiaddrs } from './addresses.ts'
import { exitCodes } from './exit-codes.ts'
import type { JoinFlags } from './flags.ts'
import { count, shortId } from './format.ts'
import { atMost, type Interruption, onInterruption } from './interruption.ts'
import { keyForJoin } from './key.ts'
import { createLogger } from './logger.ts'
import { paint, print, printable, say } from './output.ts'

/** A graceful leave (hand off, announce, stop) takes at most this long, in ms. */
const LEAVE_MS = 5_000

/** What a peer tells while it runs. */
interface Reporter {
  ready(peer: Peer): void
  member(member: Member): void
  leader(id: string | null, epoch: number): void
  job(jobId: string, state: string): void
}

const jsonReporter: Reporter = (() => {
  const emit = (event: string, fields: object): void =>
    void print(JSON.stringify({ event, time: new Date().toISOString(), ...fields }))
  return {
    ready: peer => emit('ready', { peerId: peer.id, cluster: peer.cluster, addresses: peer.addresses(), http: null }),
    member: ({ id, state, incarnation }) => emit('member', { peerId: id, state, incarnation }),
    leader: (peerId, epoch) => emit('leader', { peerId, epoch }),
    job: (jobId, state) => emit('job', { jobId, state })
  }
})()

const STATE_COLOURS = { alive: 'green', suspect: 'yellow', dead: 'red', left: 'gray' } as const

function humanReporter(slots: number | undefined): Reporter {
  let self = ''
  const stamp = (): string => paint('dim', new Date().toLocaleTimeString('en-GB'))
  return {
    ready(peer) {
      self = peer.id
      const room = slots === undefined ? '' : `, ${count(slots, 'slot')}`
      say(`${stamp()} peer ${paint('bold', peer.id)} (${shortId(peer.id)}) of cluster ${peer.cluster}${room}`)
      for (const address of peer.addresses()) say(`         ${address}`)
    },
    member: ({ id, state }) => say(`${stamp()} member ${shortId(id)} is ${paint(STATE_COLOURS[state], state)}`),
    leader(id, epoch) {
      if (id === null) return say(`${stamp()} there is no leader`)
      say(`${stamp()} ${paint('bold', id === self ? 'this peer leads' : `${shortId(id)} leads`)} (epoch ${epoch})`)
    },
    job: (jobId, state) => say(`${stamp()} job ${printable(jobId)} ${state}`)
  }
}

/** Tells what the cluster already looks like, then each change. */
function follow(peer: Peer, reporter: Reporter): void {
  const told = new Map<string, string>()
  const member = (changed: Member): void => {
    // A member is another peer; and what `join` prints of it changes less often than the rest that members carry.
    const view = `${changed.state} ${changed.incarnation}`
    if (changed.id === peer.id || told.get(changed.id) === view) return
    told.set(changed.id, view)
    reporter.member(changed)
  }
  let epoch = 0
  const leader = (): void => {
    epoch = peer.leader?.epoch ?? epoch
    reporter.leader(peer.leader?.id ?? null, epoch)
  }
  peer.addEventListener('member', ({ detail }) => member(detail))
  peer.addEventListener('leader', leader)
  peer.addEventListener('job', ({ detail }) => reporter.job(detail.jobId, detail.state))
  reporter.ready(peer)
  for (const known of peer.members()) member(known)
  if (peer.leader !== undefined) leader()
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

/** A process that was started by another one (`demo`) leaves when that one is gone: its pipe ends, even after SIGKILL. */
function leaveWithParent(interruption: Interruption): void {
  if (process.env.P2P_WORKER_PARENT_PIPE !== '1') return
  process.stdin.on('end', () => interruption.interrupt())
  process.stdin.on('error', () => interruption.interrupt())
  process.stdin.resume()
}

export async function join(flags: JoinFlags): Promise<number> {
  const interruption = onInterruption(flags.json ? undefined : 'leaving (once more ends it at once)')
  leaveWithParent(interruption)
  await checkMultiaddrs('--listen', flags.listen)
  await checkMultiaddrs('--bootstrap', flags.bootstrap)
  const { generateClusterKey } = await import('../network/cluster-key.ts')
  const { options: key, made } = await keyForJoin(flags, flags.cluster, generateClusterKey)
  if ('insecure' in key) shout()
  const logger = await createLogger({ level: flags.logLevel, json: flags.json === true })
  const { join: joinCluster } = await import('../peer.ts')
  try {
    const peer = await joinCluster({
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
      external: flags.external ?? [],
      ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
      ...(flags.voters === undefined ? {} : { voters: flags.voters }),
      ...(flags.leaseTime === undefined ? {} : { leaseTime: flags.leaseTime }),
      preempt: flags.preempt,
      logger,
      signal: interruption.signal
    })
    follow(peer, flags.json ? jsonReporter : humanReporter(flags.slots))
    if (made !== undefined) tellKey(peer, made)
    if (!interruption.signal.aborted) {
      await new Promise(resolve => interruption.signal.addEventListener('abort', resolve, { once: true }))
    }
    await atMost(LEAVE_MS, peer.leave())
  } catch (error) {
    if (!interruption.signal.aborted) throw error
  }
  return exitCodes.done
}
