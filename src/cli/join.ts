import type { Peer } from '../api.ts'
import type { HttpServer } from '../http/server.ts'
import { eventJson, followPeer, memberFields, type PeerListener } from '../peer-events.ts'
import { exitCodes } from './exit-codes.ts'
import type { JoinFlags } from './flags.ts'
import { count, shortId } from './format.ts'
import { onHangup } from './hangup.ts'
import { sayHttp } from './http.ts'
import { atMost, type Interruption, onInterruption } from './interruption.ts'
import { paint, print, printable, say } from './output.ts'
import { startPeer } from './start-peer.ts'

/** A graceful leave (chunks end, hand off, announce, stop) takes at most this long, in ms: whoever stops services and containers waits for 10 s. */
const LEAVE_MS = 9_500

/** What a peer tells while it runs. */
interface Reporter extends PeerListener {
  ready(peer: Peer, http: HttpServer | undefined): void
}

const jsonReporter: Reporter = (() => {
  const emit = (event: string, fields: object): void => void print(eventJson(event, fields))
  return {
    ready: (peer, http) =>
      emit('ready', {
        peerId: peer.id,
        cluster: peer.cluster,
        addresses: peer.addresses(),
        http: http?.url ?? null,
        httpTokenFile: http?.tokenFile ?? null
      }),
    member: member => emit('member', memberFields(member)),
    leader: (peerId, epoch) => emit('leader', { peerId, epoch }),
    job: (jobId, state) => emit('job', { jobId, state })
  }
})()

const STATE_COLOURS = { alive: 'green', suspect: 'yellow', dead: 'red', left: 'gray' } as const

function humanReporter(slots: number | undefined): Reporter {
  let self = ''
  const stamp = (): string => paint('dim', new Date().toLocaleTimeString('en-GB'))
  return {
    ready(peer, http) {
      self = peer.id
      const room = slots === undefined ? '' : `, ${count(slots, 'slot')}`
      say(
        `${stamp()} peer ${paint('bold', peer.id)} (${shortId(peer.id)}) of cluster ${peer.cluster}${room}, process ${process.pid}`
      )
      for (const address of peer.addresses()) say(`         ${address}`)
      if (http !== undefined) sayHttp(http)
    },
    member: ({ id, state }) => say(`${stamp()} member ${shortId(id)} is ${paint(STATE_COLOURS[state], state)}`),
    leader(id, epoch) {
      if (id === null) return say(`${stamp()} there is no leader`)
      say(`${stamp()} ${paint('bold', id === self ? 'this peer leads' : `${shortId(id)} leads`)} (epoch ${epoch})`)
    },
    job: (jobId, state) => say(`${stamp()} job ${printable(jobId)} ${state}`)
  }
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
    const { peer, reload, http } = await startPeer(flags, interruption.signal)
    hangup.follow(reload)
    const reporter = flags.json ? jsonReporter : humanReporter(flags.slots)
    followPeer(peer, reporter, () => reporter.ready(peer, http))
    if (!interruption.signal.aborted) {
      await new Promise(resolve => interruption.signal.addEventListener('abort', resolve, { once: true }))
    }
    await atMost(LEAVE_MS, peer.leave())
    await http?.stop()
  } catch (error) {
    if (!interruption.signal.aborted) throw error
  } finally {
    hangup.stop()
  }
  return exitCodes.done
}
