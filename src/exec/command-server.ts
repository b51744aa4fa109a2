/**
 * A small process that runs commands for a thread. The peer does not start commands itself, because a large process takes
 * longer to start another process: the system copies the page tables. When the thread ends, this process ends. When this
 * process ends, the commands end.
 */
import { type CommandEnd, runCommand } from './run-command.ts'

export type CommandRequest =
  | { type: 'run'; id: number; command: string; env: NodeJS.ProcessEnv; timeout: number | undefined }
  | { type: 'cancel'; id: number }

export type CommandReply =
  | { type: 'ended'; id: number; end: CommandEnd }
  /** The command has no result, because the peer cancelled the command. */
  | { type: 'failed'; id: number; message: string }

/** Runs the commands that the parent of this process sends. */
export function serveCommands(): void {
  const running = new Map<number, { abort: AbortController; ended: Promise<void> }>()
  const reply = (message: CommandReply): void => {
    if (process.connected) process.send!(message)
  }
  const run = async (
    { id, command, env, timeout }: CommandRequest & { type: 'run' },
    signal: AbortSignal
  ): Promise<void> => {
    try {
      reply({ type: 'ended', id, end: await runCommand(command, { timeout, env, signal }) })
    } catch (error) {
      reply({ type: 'failed', id, message: (error as Error).message })
    }
    running.delete(id)
  }
  process.on('message', (message: CommandRequest) => {
    if (message.type === 'cancel') running.get(message.id)?.abort.abort(new Error('it was cancelled'))
    else {
      const abort = new AbortController()
      running.set(message.id, { abort, ended: run(message, abort.signal) })
    }
  })
  process.once('disconnect', async () => {
    const all = [...running.values()]
    for (const { abort } of all) abort.abort(new Error('its peer has ended it'))
    await Promise.all(all.map(({ ended }) => ended))
    process.exit()
  })
  // This process ignores signals to the peer's process group. The peer handles the signals, and sends a message for each command that must end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}
