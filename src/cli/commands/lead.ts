import type { LeadContext } from '../../lead/leader-work.ts'
import { killGroups } from '../../lead/signal-group.ts'
import { superviseCommand } from '../../lead/supervised-command.ts'
import { atMost } from '../../lib/abort.ts'
import { exitCodes } from '../exit-codes.ts'
import type { LeadFlags } from '../options/flags.ts'
import { sayHttp } from '../peers/http.ts'
import { startPeer } from '../peers/start-peer.ts'
import { onHangup } from '../terminal/hangup.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { paint, say } from '../terminal/output.ts'
import { codeOf, failedToSupervise } from '../terminal/supervised-exit.ts'

/** How long a graceful leave may take after the command has ended, in ms. `join` has the same limit. */
const LEAVE_MS = 9_500

/** Joins the cluster, and runs a command whenever this peer leads. The loop ends when the command ends by itself. */
export async function lead([command, ...args]: [string, ...string[]], flags: LeadFlags): Promise<number> {
  const what = flags.name === undefined ? '' : ` ${flags.name}`
  const interruption = onInterruption('stopping the command, and leaving (a second interrupt ends it at once)')
  const hangup = onHangup(interruption)
  try {
    const { peer, leave, reload, http } = await startPeer(flags, interruption.signal, false)
    hangup.follow(reload)
    try {
      say(`peer ${peer.id} has joined cluster ${peer.cluster}: ${command} runs whenever it leads${what}`)
      if (http !== undefined) sayHttp(http)
      const options = {
        signal: interruption.signal,
        kill: killGroups,
        ...(flags.grace === undefined ? {} : { grace: flags.grace }),
        ...(flags.name === undefined ? {} : { name: flags.name }),
        ...(flags.ttl === undefined ? {} : { ttl: flags.ttl })
      }
      for (;;) {
        const end = await peer.lead(context => {
          const number = flags.name === undefined ? 'epoch' : 'token'
          say(`${paint('bold', `this peer leads${what}`)} (${number} ${context.epoch}): ${command} begins`)
          context.signal.addEventListener('abort', () => say(`${command} is stopped`), { once: true })
          return superviseCommand({ command, args, context, env: variablesOf(context, flags.name) })
        }, options)
        if (!end.stopped) return codeOf(end)
        // The supervisor stopped the command because this peer was paused for too long. The command starts again when
        // this peer leads again.
        interruption.signal.throwIfAborted()
      }
    } finally {
      await atMost(leave(), LEAVE_MS)
    }
  } catch (error) {
    return interruption.signal.aborted ? exitCodes.interrupted : failedToSupervise(error)
  } finally {
    hangup.stop()
  }
}

/** Returns what the command learns of its leadership. */
function variablesOf({ epoch, storeNumber }: LeadContext, name: string | undefined): NodeJS.ProcessEnv {
  if (name !== undefined) return { P2P_WORKER_FENCE: String(epoch) }
  return {
    P2P_WORKER_EPOCH: String(epoch),
    ...(storeNumber !== undefined && { P2P_WORKER_STORE_NUMBER: storeNumber })
  }
}
