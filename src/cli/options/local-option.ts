/** Checks `--local` against the other options of `run`. */
import type { Command } from 'commander'
import { InvalidOptionError } from '../../common/errors.ts'
import type { LocalRunFlags } from './flags.ts'

/** The options that apply only to a cluster. */
const FOR_CLUSTERS = new Set([
  'cluster',
  'token',
  'key',
  'keyFile',
  'insecure',
  'bootstrap',
  'mdns',
  'wait',
  'dataDir',
  'requires',
  'priority',
  'detach',
  'at',
  'in',
  'keep',
  'durable',
  'traces'
])

/**
 * Returns the flags of a run without a cluster. Returns undefined if the run uses a cluster. A local run ignores the
 * cluster options of the environment.
 *
 * @throws InvalidOptionError when the command line has an option that needs a cluster
 */
export function localFlagsOf(command: Command): LocalRunFlags | undefined {
  const flags = command.opts<Partial<LocalRunFlags>>()
  const { local } = flags
  if (local === undefined) return undefined
  const names = command.options
    .filter(option => FOR_CLUSTERS.has(option.attributeName()))
    .filter(option => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long)
  if (names.length > 0) {
    const asked = command.getOptionValueSource('local') === 'env' ? 'P2P_WORKER_LOCAL' : '--local'
    const need = names.length === 1 ? 'needs' : 'need'
    throw new InvalidOptionError(
      `${names.join(' and ')} ${need} a cluster, and ${asked} runs the task without one: leave one or the other out`
    )
  }
  return { ...flags, local, retries: flags.retries ?? 0 }
}
