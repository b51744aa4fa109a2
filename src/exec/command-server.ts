/**
 * A small process that runs commands for a thread. Starting a process costs the more the larger the one is that does it (its page tables are copied), so a
 * peer does not do so itself. What it has started ends with it, and it ends with its thread, however that ends.
 */
import { type CommandEnd, runCommand } from './run-command.ts'

export type CommandRequest =
  | { type: 'run'; id: number; command: string; env: NodeJS.ProcessEnv; timeout: number | undefined }
  | { type: 'cancel'; id: number }

export type CommandReply =
  | { type: 'ended'; id: number; end: CommandEnd }
  /** It was cancelled. */
  | { type: 'failed'; id: number; message: string }

/** Serves the parent of this process. */
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
  // A signal for the peer's process group is the peer's to handle: what is to end here, it says.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
}
