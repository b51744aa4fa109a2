/** The task of `map --exec`. The client sends this task to the peers like any other task. */
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { CommandClient } from './command-client.ts'
import { serveCommands } from './command-server.ts'
import type { CommandEnd } from './run-command.ts'

/** A process that runs this module with this argument serves commands. */
const SERVE = 'serve-commands'
if (isMainThread && process.argv[2] === SERVE) serveCommands()

const commands = new CommandClient(fileURLToPath(import.meta.url), SERVE)

/** The command for one input line, and the options of the command. */
export interface ExecItem {
  line: string
  command: string
  /** The number of times that the same peer retries a failed command. */
  retries: number
  /** The time limit of one attempt, in ms; undefined: no limit. */
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
