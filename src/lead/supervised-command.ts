import { type ChildProcess, fork } from 'node:child_process'
import { builtFile } from '../common/built-file.ts'
import { environmentWithoutSecrets } from '../common/clean-environment.ts'
import { P2pWorkerError } from '../common/errors.ts'
import { timeToStop } from './duty.ts'
import type { LeadContext } from './leader-work.ts'
import { signalGroup, willKill } from './signal-group.ts'
import { now, type Order, type Report, type Supervised } from './supervision.ts'

export interface CommandInit {
  command: string
  args: string[]
  context: LeadContext
}

/** How a command ended. */
export interface CommandEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** It was stopped: it did not end of its own accord. */
  stopped: boolean
}

/** Without a quorum nobody can say how long a leadership lasts: a peer that is silent for so long, in ms, counts as gone. */
const HEARTBEAT = 2_000
/** How often the supervisor is told, without a quorum, in ms. */
const TELL_EVERY = 100
/** Under a quorum it is told of each renewal, as soon as this, in ms. */
const LOOK_EVERY = 10

/**
 * Runs a command for as long as this peer leads: it is stopped (SIGTERM, then SIGKILL) when the context's signal is aborted, and
 * killed when this process is gone or can no longer say that it leads. `P2P_WORKER_EPOCH` is the leadership's epoch.
 *
 * @throws CommandError when it cannot be started
 */
export async function superviseCommand({ context, command, args }: CommandInit): Promise<CommandEnd> {
  const { signal, epoch, grace } = context
  const supervised: Supervised = { command, args, grace }
  const child = fork(builtFile('lead/supervisor.js'), [JSON.stringify(supervised)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    // In a session of its own: what a terminal sends to its jobs (Ctrl-Z, Ctrl-\\) stops or ends this peer, and the supervisor sees to the command.
    detached: true,
    env: { ...environmentWithoutSecrets(), P2P_WORKER_EPOCH: String(epoch) }
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

/** A command could not be started: `code` is the system's, such as ENOENT. */
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
    // Without a report of the command's end: nobody else is left who would end it.
    child.once('exit', (code, signal) => {
      forget()
      if (group !== undefined) signalGroup(group, 'SIGKILL')
      reject(new P2pWorkerError(`the supervisor of the command ended unasked (${signal ?? `exit code ${code}`})`))
    })
  })
}
