import { type ChildProcess, fork } from 'node:child_process'
import { builtFile } from '../common/built-file.ts'
import { P2pWorkerError } from '../common/errors.ts'
import { environmentWithoutSecrets } from '../common/secrets.ts'
import { timeToStop } from './duty.ts'
import { signalGroup, willKill } from './signal-group.ts'
import type { StintContext } from './stint.ts'
import { now, type Order, type Report, type Supervised } from './supervision.ts'

export interface CommandInit {
  command: string
  args: string[]
  context: StintContext
  /** The variables that the command gets beside those of this process. */
  env?: NodeJS.ProcessEnv
}

/** How a command ended. */
export interface CommandEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** Whether the supervisor stopped the command; false if the command ended by itself. */
  stopped: boolean
}

/** Without a quorum, the end of a leadership is unknown: a supervisor that hears nothing for this time (ms) assumes that the peer is gone. */
const HEARTBEAT = 2_000
/** Without a quorum, the interval (ms) at which the peer reports its leadership to the supervisor. */
const TELL_EVERY = 100
/** Under a quorum, the interval (ms) at which the peer checks whether it must report a renewed lease to the supervisor. */
const LOOK_EVERY = 10

/**
 * Runs a command while this peer leads. When the signal of the context aborts, the command is stopped (SIGTERM, then
 * SIGKILL). When this process has ended or can no longer confirm its leadership, the command is killed.
 *
 * @throws CommandError when the command cannot be started
 */
export async function superviseCommand({ context, command, args, env }: CommandInit): Promise<CommandEnd> {
  const { signal, grace } = context
  const supervised: Supervised = { command, args, grace }
  const child = fork(builtFile('lead/supervisor.js'), [JSON.stringify(supervised)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    // The supervisor has its own session, so the signals of a terminal (Ctrl-Z, Ctrl-\\) reach only this peer. If a signal
    // stops or ends this peer, the supervisor ends the command.
    detached: true,
    env: { ...environmentWithoutSecrets(), ...env }
  })
  const tell = (order: Order): void => void (child.connected && child.send(order, () => {}))
  const isCertain = Number.isFinite(context.remaining())
  let toldUntil = 0
  const tellHowLong = (): void => {
    const at = now()
    if (!isCertain) {
      tell({ type: 'lasts', remaining: HEARTBEAT, askBefore: Math.min(grace, HEARTBEAT / 2), at })
      return
    }
    const remaining = context.remaining()
    if (at + remaining <= toldUntil + 1) return
    toldUntil = at + remaining
    tell({ type: 'lasts', remaining, askBefore: timeToStop({ grace, hasLease: true }), at })
  }
  const stop = (): void => tell({ type: 'stop' })
  const telling = setInterval(tellHowLong, isCertain ? LOOK_EVERY : TELL_EVERY)
  signal.addEventListener('abort', stop, { once: true })
  try {
    tellHowLong()
    if (signal.aborted) stop()
    return await endOf(child)
  } finally {
    clearInterval(telling)
    signal.removeEventListener('abort', stop)
  }
}

/** The error of a command that could not be started; `code` is the error code of the system, such as ENOENT. */
export class CommandError extends P2pWorkerError {
  override name = 'CommandError'
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

function endOf(child: ChildProcess): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    let group: number | undefined
    let forget = (): void => {}
    child.once('error', reject)
    child.on('message', (report: Report) => {
      if (report.type === 'started') {
        group = report.pid
        forget = willKill(group)
        return
      }
      forget()
      if (report.type === 'exited') resolve(report)
      else reject(new CommandError(report.message, report.code))
    })
    // The supervisor exited but did not report the end of the command, so this process has to end the command.
    const onLost = (code: number | null, signal: NodeJS.Signals | null): void => {
      forget()
      if (group !== undefined) signalGroup(group, 'SIGKILL')
      reject(new P2pWorkerError(`the supervisor of the command ended unasked (${signal ?? `exit code ${code}`})`))
    }
    // After a pause of this process, the exit may be noticed before the last report is read.
    child.once('exit', (code, signal) => {
      if (child.connected) child.once('disconnect', () => onLost(code, signal))
      else onLost(code, signal)
    })
  })
}
