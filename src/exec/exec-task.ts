/** The task behind `map --exec`: it goes to the peers as any other. */
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { CommandClient } from './command-client.ts'
import { serveCommands } from './command-server.ts'
import type { CommandEnd } from './run-command.ts'

/** With this argument the module is the process that runs the commands. */
const SERVE = 'serve-commands'
if (isMainThread && process.argv[2] === SERVE) serveCommands()

const commands = new CommandClient(fileURLToPath(import.meta.url), SERVE)

/** What one line asks for. */
export interface ExecItem {
  line: string
  command: string
  /** How often it is tried again where it fails, on the same peer. */
  retries: number
  /** In ms. */
  timeout: number | undefined
}

export default {
  name: 'exec',
  async run(
    { line, command, retries, timeout }: ExecItem,
    { signal, index }: { signal: AbortSignal; index: number }
  ): Promise<{ line: string; end: CommandEnd }> {
    const env = { P2P_WORKER_INDEX: String(index) }
    for (let left = retries; ; left--) {
      const end = await commands.run(command, { env, timeout, signal })
      if (end.failure === undefined || left <= 0) return { line, end }
    }
  }
}
