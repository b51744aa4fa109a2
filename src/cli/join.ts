import type { Peer } from '../api.ts'
import type { Member } from '../membership/member.ts'
import { exitCodes } from './exit-codes.ts'
import type { JoinFlags } from './flags.ts'
import { count, shortId } from './format.ts'
import { onHangup } from './hangup.ts'
import { atMost, type Interruption, onInterruption } from './interruption.ts'
import { paint, print, printable, say } from './output.ts'
import { STATE_TONES } from './palette.ts'
import { startPeer } from './start-peer.ts'

/** A graceful leave (chunks end, hand off, announce, stop) takes at most this long, in ms: whoever stops services and containers waits for 10 s. */
const LEAVE_MS = 9_500

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

function humanReporter(slots: number | undefined): Reporter {
  let self = ''
  const stamp = (): string => paint('dim', new Date().toLocaleTimeString('en-GB'))
  return {
    ready(peer) {
      self = peer.id
      const room = slots === undefined ? '' : `, ${count(slots, 'slot')}`
      say(
        `${stamp()} peer ${paint('bold', peer.id)} (${shortId(peer.id)}) of cluster ${peer.cluster}${room}, process ${process.pid}`
      )
      for (const address of peer.addresses()) say(`         ${address}`)
    },
    member: ({ id, state }) => say(`${stamp()} member ${shortId(id)} is ${paint(STATE_TONES[state], state)}`),
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

/** A process that was started by another one (`demo`) leaves when that one is gone: its pipe ends, even after SIGKILL. */
function leaveWithParent(interruption: Interruption): void {
  if (process.env.P2P_WORKER_PARENT_PIPE !== '1') return
  process.stdin.on('end', () => interruption.interrupt())
  process.stdin.on('error', () => interruption.interrupt())
  process.stdin.resume()
}

export async function join(flags: JoinFlags): Promise<number> {
  const interruption = onInterruption(flags.json ? undefined : 'leaving (once more ends it at once)')
  const hangup = onHangup(interruption)
  leaveWithParent(interruption)
  try {
    const { peer, reload } = await startPeer(flags, interruption.signal)
    hangup.follow(reload)
    follow(peer, flags.json ? jsonReporter : humanReporter(flags.slots))
    if (!interruption.signal.aborted) {
      await new Promise(resolve => interruption.signal.addEventListener('abort', resolve, { once: true }))
    }
    await atMost(LEAVE_MS, peer.leave())
  } catch (error) {
    if (!interruption.signal.aborted) throw error
  } finally {
    hangup.stop()
  }
  return exitCodes.done
}
