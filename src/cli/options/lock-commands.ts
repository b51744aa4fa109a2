/** The commands about locks. */
import { Argument } from 'commander'
import { InvalidOptionError } from '../../common/errors.ts'
import { defineCommand } from './define-command.ts'
import { type ClientFlags, clientOptions, flagsOf, type JsonFlag, jsonOption, option } from './flags.ts'
import { duration, forCommander, wholeNumber } from './options.ts'

export interface LockFlags extends ClientFlags {
  limit: number
  ttl: number
  grace?: number
  /** How long to wait for the lock, in ms. Default: without end. */
  lockWait?: number
}

/** The ttls that a lock may have, in ms. src/locks/core/types.ts has the same bounds, and is too large to load for the help. */
const TTL = { least: 1_000, most: 30_000 }

/** Parses the ttl of a lock or of a named leadership. */
export function ttl(text: string): number {
  const ms = Math.round(duration(text))
  if (ms >= TTL.least && ms <= TTL.most) return ms
  throw new InvalidOptionError('It must be a duration from 1s to 30s.')
}

const name = new Argument('<name>', 'the name of the lock, 1 to 200 characters').argParser(
  forCommander((text: string) => {
    if (text.length >= 1 && text.length <= 200) return text
    throw new InvalidOptionError(`It must have 1 to 200 characters, not ${text.length}.`)
  })
)

export const lockCommand = defineCommand<string>({
  name: 'lock',
  summary: 'run a command while nobody else runs one under this name',
  description:
    'Waits for a lock, runs a command, and releases the lock when the command ends. Those who wait get the lock in the order in which they came. With --limit N, at most N commands run under the name at the same time. Its environment has the fencing token in P2P_WORKER_FENCE: a number that is larger for each later holder. When this machine is cut off from the cluster, the command is stopped before anybody else can have the lock. With --voters two never hold one lock; without, each side of a cut network may grant it. The exit code is that of the command, and 125 when `lock` itself fails: the lock was not granted in time, or it was lost.',
  arguments: [name, new Argument('<command...>', 'the command and its arguments, after --')],
  options: [
    option('--limit <n>', 'how many may hold the lock; the same for all', wholeNumber(1, 1_000)).default(1),
    option('--ttl <time>', 'how long the lock lasts after this machine has died, 1s to 30s', ttl).default(
      10_000,
      '10s'
    ),
    option('--grace <time>', 'between SIGTERM and SIGKILL (default: as much of 10s as the ttl has room for)', duration),
    option(
      '--wait <time>',
      'give up when the lock is not granted within this time, 0s: try once (default: no limit)',
      duration
    ),
    ...clientOptions.filter(({ long }) => long !== '--wait')
  ],
  examples: ['p2p-worker lock nightly-backup -- ./backup.sh', 'p2p-worker lock --limit 3 --wait 1m api -- ./fetch.sh'],
  async run(command, name) {
    const { wait: lockWait, ...flags } = flagsOf<LockFlags & { wait?: number }>(command)
    const words = command.processedArgs[1] as [string, ...string[]]
    // The search for the cluster takes its usual time, unless there is more for both.
    const waits = { wait: Math.max(10_000, lockWait ?? 0), ...(lockWait === undefined ? {} : { lockWait }) }
    return (await import('../commands/lock.ts')).lock(name, words, { ...flags, ...waits })
  }
})

export const locksCommand = defineCommand({
  name: 'locks',
  summary: 'show who holds and who waits for locks',
  description:
    'Shows the locks and the named leaderships that somebody holds or waits for: who, since when, and the fencing token. Those who wait are in the order in which they will get it.',
  options: [jsonOption('print one JSON array: kind, name, limit, token, holders, waiters'), ...clientOptions],
  examples: ['p2p-worker locks', 'p2p-worker locks --json | jq \'.[] | select(.name == "api")\''],
  run: async command => (await import('../commands/locks.ts')).locks(flagsOf<ClientFlags & JsonFlag>(command))
})
