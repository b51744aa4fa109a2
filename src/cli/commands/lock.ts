import type { Lock } from '../../api/lock-types.ts'
import { LockLostError } from '../../common/errors.ts'
import { graceUnder, tenureOf, workWhileHeld } from '../../lead/held-work.ts'
import { killGroups } from '../../lead/signal-group.ts'
import { type CommandEnd, superviseCommand } from '../../lead/supervised-command.ts'
import { atMost } from '../../lib/abort.ts'
import { exitCodes } from '../exit-codes.ts'
import type { LockFlags } from '../options/lock-commands.ts'
import { closeClient, connectDuring } from '../peers/client.ts'
import { onHangup } from '../terminal/hangup.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { say } from '../terminal/output.ts'
import { codeOf, failedToSupervise } from '../terminal/supervised-exit.ts'

/** How long the release of the lock may take when the command has ended, in ms. Later the lock ends by its ttl. */
const RELEASE_MS = 2_000

/** Runs a command while this process holds a lock. Resolves with the exit code. */
export async function lock(name: string, [command, ...args]: [string, ...string[]], flags: LockFlags): Promise<number> {
  const interruption = onInterruption('stopping the command (a second interrupt ends it at once)')
  const hangup = onHangup(interruption)
  const { signal } = interruption
  try {
    const { limit, ttl, lockWait } = flags
    const grace = graceUnder(ttl, flags.grace)
    const client = await connectDuring(async () => {}, flags, signal)
    try {
      const wait = lockWait === undefined ? {} : { wait: lockWait }
      const held = await client.lock(name, { limit, ttl, ...wait, signal, onWaiting: tellWaiting(name) })
      try {
        const end = await runUnder(held, command, args, grace, signal)
        signal.throwIfAborted()
        return codeOf(end)
      } finally {
        await atMost(held.release(), RELEASE_MS)
      }
    } finally {
      await closeClient(client)
    }
  } catch (error) {
    return interruption.signal.aborted ? exitCodes.interrupted : failedToSupervise(error)
  } finally {
    hangup.stop()
  }
}

/** @throws LockLostError when the command had to be stopped */
async function runUnder(
  held: Lock,
  command: string,
  args: string[],
  grace: number,
  signal: AbortSignal
): Promise<CommandEnd> {
  const lost = (): Error => (held.signal.aborted ? held.signal.reason : new LockLostError(lostText(held.name)))
  const tenure = tenureOf(held.signal, () => held.remaining(), lost)
  const env = { P2P_WORKER_FENCE: String(held.token) }
  const end = (): void => void (killGroups() || process.kill(process.pid, 'SIGKILL'))
  const ended = await workWhileHeld(tenure, context => superviseCommand({ command, args, context, env }), {
    grace,
    signal,
    end
  })
  if (ended === undefined || ended.value.stopped) throw lost()
  return ended.value
}

function lostText(name: string): string {
  return `the lock ${JSON.stringify(name)} was about to end without a renewal, so the command was stopped: can this machine reach the leader?`
}

/** Says that others hold the lock, once. */
function tellWaiting(name: string): (ahead: number) => void {
  let isTold = false
  return ahead => {
    if (!isTold)
      say(`waiting for the lock ${name}${ahead === 0 ? '' : `, behind ${ahead} ${ahead === 1 ? 'other' : 'others'}`}`)
    isTold = true
  }
}
