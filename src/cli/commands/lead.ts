import { constants } from 'node:os'
import { killGroups } from '../../lead/signal-group.ts'
import { CommandError, superviseCommand } from '../../lead/supervised-command.ts'
import { atMost } from '../../lib/abort.ts'
import { describeError } from '../describe-error.ts'
import { exitCodeOf, exitCodes } from '../exit-codes.ts'
import type { LeadFlags } from '../options/flags.ts'
import { sayHttp } from '../peers/http.ts'
import { startPeer } from '../peers/start-peer.ts'
import { onHangup } from '../terminal/hangup.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { paint, say } from '../terminal/output.ts'

/** How long a graceful leave may take after the command has ended, in ms. `join` has the same limit. */
const LEAVE_MS = 9_500

/** Joins the cluster, and runs a command whenever this peer leads. The loop ends when the command ends by itself. */
export async function lead([command, ...args]: [string, ...string[]], flags: LeadFlags): Promise<number> {
  const interruption = onInterruption('stopping the command, and leaving (a second interrupt ends it at once)')
  const hangup = onHangup(interruption)
  try {
    const { peer, leave, reload, http } = await startPeer(flags, interruption.signal, false)
    hangup.follow(reload)
    try {
      say(`peer ${peer.id} has joined cluster ${peer.cluster}: ${command} runs whenever it leads`)
      if (http !== undefined) sayHttp(http)
      const options = {
        signal: interruption.signal,
        kill: killGroups,
        ...(flags.grace === undefined ? {} : { grace: flags.grace })
      }
      for (;;) {
        const { code, signal, stopped } = await peer.lead(context => {
          say(`${paint('bold', 'this peer leads')} (epoch ${context.epoch}): ${command} begins`)
          context.signal.addEventListener('abort', () => say(`${command} is stopped`), { once: true })
          return superviseCommand({ command, args, context })
        }, options)
        if (!stopped) return code ?? 128 + constants.signals[signal!]
        // The supervisor stopped the command because this peer was paused for too long. The command starts again when
        // this peer leads again.
        interruption.signal.throwIfAborted()
      }
    } finally {
      await atMost(leave(), LEAVE_MS)
    }
  } catch (error) {
    if (interruption.signal.aborted) return exitCodes.interrupted
    say(`${paint('bad', 'error:')} ${describeError(error)}`)
    if (error instanceof CommandError) return commandExitCode(error)
    return exitCodeOf(error) === exitCodes.usage ? exitCodes.usage : exitCodes.leadFailed
  } finally {
    hangup.stop()
  }
}

/** Returns the exit code for a command that could not start, as shells, `env` and `timeout` define the code. */
function commandExitCode({ code }: CommandError): number {
  return code === 'ENOENT' ? exitCodes.commandNotFound : exitCodes.commandNotRun
}
