import type { Option } from 'commander'
import { InvalidOptionError } from '../../common/errors.ts'
import { type ClientFlags, externalOption, option } from './flags.ts'
import { nonEmpty, tags, timeLimit, wholeNumber } from './options.ts'
import { MOST_PRIORITY, MOST_RETRIES } from './run-options.ts'

/** The flags of `map` in addition to the flags of every client. */
export interface MapFlags extends ClientFlags {
  exec?: string
  unordered?: boolean
  keepGoing?: boolean
  retries: number
  timeout?: number
  priority: number
  requires?: Record<string, string>
  external?: string[]
}

/** The options of `map` in addition to the options of every client. */
export const mapOptions: readonly Option[] = [
  option('--exec <command>', 'in place of a task: a command for `sh -c`, where {} stands for the line', nonEmpty),
  option('--unordered', 'print results as they come, not in the order of the lines'),
  option('--keep-going', 'with --exec: go on when a command fails, and exit with 1 at the end'),
  option('--retries <n>', 'how often a line that failed is tried again', wholeNumber(0, MOST_RETRIES)).default(0),
  option('--timeout <time>', 'a line that takes longer fails, such as 500ms, 10s or 2m (default: no limit)', timeLimit),
  option(
    '--priority <n>',
    'lines of a stream with a higher priority go first',
    wholeNumber(-MOST_PRIORITY, MOST_PRIORITY)
  ).default(0),
  option('--requires <key=value>', 'a tag that a peer must have to get lines; may be repeated', tags),
  externalOption('an npm package that is not bundled: the peers have it (join --external); may be repeated')
]

/**
 * @throws InvalidOptionError if neither or both of the task and `--exec` are given, or if the options contradict each
 * other
 */
export function checkMapFlags(task: string | undefined, { exec, keepGoing }: MapFlags): void {
  if ((task === undefined) === (exec === undefined))
    throw new InvalidOptionError("give either a task, or --exec 'COMMAND {}'")
  if (keepGoing === true && exec === undefined)
    throw new InvalidOptionError('--keep-going is for --exec: a task that does not want to fail catches its errors')
}
