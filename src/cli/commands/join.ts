import { eventJson, followPeer, memberFields, type PeerListener } from '../../api/peer-events.ts'
import type { Peer } from '../../api/types.ts'
import type { HttpServer } from '../../http/server.ts'
import { atMost } from '../../lib/abort.ts'
import { exitCodes } from '../exit-codes.ts'
import type { JoinFlags } from '../options/flags.ts'
import { sayHttp } from '../peers/http.ts'
import { startPeer } from '../peers/start-peer.ts'
import { onHangup } from '../terminal/hangup.ts'
import { aborted, type Interruption, onInterruption } from '../terminal/interruption.ts'
import { print } from '../terminal/output.ts'

/**
 * How long a graceful leave (end the chunks, hand off, announce, stop) may take, in ms. Service and container managers
 * kill a process after 10 s.
 */
const LEAVE_MS = 9_500

/** Reports the events of a running peer. */
interface Reporter extends PeerListener {
  ready(peer: Peer, http: HttpServer | undefined): void
}

/** Prints the events of `join --json`. Without `--json`, the log reports them. */
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

/**
 * Makes a process that `demo` started leave when the `demo` process has ended. The pipe from `demo` closes even after
 * SIGKILL.
 */
function leaveWithParent(interruption: Interruption): void {
  if (process.env.P2P_WORKER_PARENT_PIPE !== '1') return
  process.stdin.on('end', () => interruption.interrupt())
  process.stdin.on('error', () => interruption.interrupt())
  process.stdin.resume()
}

export async function join(flags: JoinFlags): Promise<number> {
  const interruption = onInterruption(flags.json ? undefined : 'interrupted: a second interrupt ends it at once')
  const hangup = onHangup(interruption)
  leaveWithParent(interruption)
  try {
    const { peer, leave, reload, http } = await startPeer(flags, interruption.signal, flags.json !== true)
    hangup.follow(reload)
    if (flags.json) followPeer(peer, jsonReporter, () => jsonReporter.ready(peer, http))
    else if (http !== undefined) sayHttp(http)
    await aborted(interruption.signal)
    await atMost(leave(), LEAVE_MS)
  } catch (error) {
    if (!interruption.signal.aborted) throw error
  } finally {
    hangup.stop()
  }
  return exitCodes.done
}
