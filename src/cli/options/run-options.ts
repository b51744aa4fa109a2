import type { Option } from 'commander'
import { limits } from '../../api/option-limits.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import { DEFAULT_KEEP_MS, LONGEST_KEEP_MS, MOST_DURABLE } from '../../jobs/protocol/keep.ts'
import { externalOption, jsonOption, option, type RunFlags } from './flags.ts'
import {
  durationUpTo,
  futureTime,
  json,
  nonEmpty,
  optionalNumber,
  tags,
  timeFromNow,
  timeLimit,
  wholeNumber
} from './options.ts'

export const MOST_RETRIES = 1_000
export const MOST_PRIORITY = 100

/** The fields of the JSON object that describes a job's outcome. */
export const OUTCOME_FIELDS = 'jobId, state, result, error, stats'

export const outputOption = option(
  '--output <file>',
  'write the result to this file: bytes as they are, else JSON',
  nonEmpty
)

/** The options of `run` in addition to the options of every client. */
export const runOptions: readonly Option[] = [
  option('--input <json>', "the task's input", json),
  option('--input-file <file>', 'a file whose content is the input: JSON parsed, else bytes; - is stdin', nonEmpty),
  outputOption,
  option(
    '--local [n]',
    'run the task on this machine alone, without a cluster, in n threads (default: one a processor)',
    optionalNumber(1, limits.slots)
  ),
  option(
    '--keep <time>',
    'how long the cluster keeps the result for `result`, such as 90m or 24h, at most 168h',
    durationUpTo(LONGEST_KEEP_MS)
  ).default(DEFAULT_KEEP_MS, '10m'),
  option(
    '--durable <n>',
    'refuse the job unless the disks of n peers (join --data-dir) hold it, and its outcome later',
    wholeNumber(0, MOST_DURABLE)
  ).default(0),
  option('--retries <n>', 'how often a chunk that threw is tried again', wholeNumber(0, MOST_RETRIES)).default(0),
  option(
    '--chunk-timeout <time>',
    'a chunk that runs for longer is ended and fails, such as 500ms, 10s or 2m (default: no limit)',
    timeLimit
  ),
  option(
    '--priority <n>',
    'ready chunks of a job with a higher priority go first',
    wholeNumber(-MOST_PRIORITY, MOST_PRIORITY)
  ).default(0),
  option('--requires <key=value>', 'a tag that a peer must have to get chunks of the job; may be repeated', tags),
  option('--no-speculate', 'do not start slow chunks a second time on idle peers'),
  externalOption('an npm package that is not bundled: the peers have it (join --external); may be repeated'),
  option('--detach', "print the job's id once the cluster has the job, and leave the job to the cluster"),
  option(
    '--at <time>',
    "run the job once at this time, such as 2030-11-28T03:00 (this machine's time) or 2030-11-28T03:00Z; implies --detach",
    futureTime
  ),
  option('--in <time>', 'run the job once after this time, such as 90m or 24h; implies --detach', delayed),
  jsonOption(`print one JSON object: ${OUTCOME_FIELDS}; with --detach only jobId, state and durability`)
]

/** The options of `run` that also hold for each job of a schedule. */
export const jobOptions: readonly Option[] = runOptions.filter(
  ({ long }) => !['--output', '--local', '--detach', '--at', '--in', '--json'].includes(long!)
)

function delayed(text: string): number {
  const ms = timeFromNow(text)
  if (ms < 1_000) throw new InvalidOptionError('It must be a duration of at least 1s, such as 10s, 90m or 24h.')
  return ms
}

/**
 * @throws InvalidOptionError when `--output` is given with an option that does not wait for a result, or both `--at` and `--in` are given
 */
export function checkDetached({ detach, at, in: after, output }: Partial<RunFlags>): void {
  if (at !== undefined && after !== undefined)
    throw new InvalidOptionError('--at and --in contradict each other: give one of them')
  const without = detach ? '--detach' : at ? '--at' : after ? '--in' : undefined
  if (without === undefined || output === undefined) return
  throw new InvalidOptionError(
    `${without} and --output contradict each other: \`p2p-worker result JOB --output FILE\` writes the result of a detached job`
  )
}
