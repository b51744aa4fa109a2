/** Implements `top`: shows the cluster on a full screen. Only this command loads Ink. */
import { InvalidOptionError } from '../../common/errors.ts'
import type { ClientFlags } from '../options/flags.ts'
import { look } from '../peers/client.ts'
import { isInteractive } from '../terminal/output.ts'

export async function top(flags: ClientFlags): Promise<number> {
  const { stdin, stdout, stderr } = process
  if (!isInteractive(stdout) || !stdin.isTTY) {
    throw new InvalidOptionError(
      '`top` needs a terminal, for what it shows and for its keys (and not TERM=dumb or CI): elsewhere, `p2p-worker status --json` tells the same once, and `p2p-worker members --watch` tells of changes'
    )
  }
  // A log line on the same terminal would break the screen, so the log is switched off there. A log in a file stays on.
  const quiet: ClientFlags = stderr.isTTY ? { ...flags, logLevel: 'silent' } : flags
  // The modules load while the client connects, to save time.
  const modules = Promise.all([import('../top/session.ts'), import('../top/view.tsx')])
  return await look(quiet, async (client, interruption) => {
    const [{ Session }, { startView }] = await modules
    const session = new Session({ client, cluster: flags.cluster, startView, stdin, stdout, stderr })
    await session.run(interruption)
  })
}
