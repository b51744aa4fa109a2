/** The options that several commands share. Each has an environment variable. */
import { type Command, Option } from 'commander'
import type { JoinOptions, ProfileName } from '../../api/options-types.ts'
import type { ElectionPriority } from '../../api/types.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import type { Limits } from '../../common/limits.ts'
import type { HttpAddress } from '../../http/server.ts'
import type { Role } from '../../membership/core/member.ts'
import { type LogFlags, logFormats, logLevels } from '../peers/logger.ts'
import type { TracesFlag } from '../peers/traces.ts'
import { type AccessFlags, accessOf, type KeyFlags } from './access-flags.ts'
import {
  clusterName,
  duration,
  forCommander,
  list,
  nonEmpty,
  oneOf,
  switchedOn,
  switchOf,
  WITHOUT_VALUE
} from './options.ts'

export interface ConnectionFlags extends KeyFlags, LogFlags, TracesFlag {
  cluster: string
  bootstrap?: string[]
  mdns: boolean
}

export interface ClientFlags extends ConnectionFlags {
  wait: number
  dataDir?: string
  /** Whether the data folder comes from an environment variable, which may be meant for a peer on this machine. */
  sharesDataDir?: boolean
}

export interface InviteFlags extends ClientFlags, JsonFlag {
  offline?: boolean
}

export interface JsonFlag {
  json?: boolean
}

export interface JoinFlags extends ConnectionFlags, JsonFlag {
  listen?: string[]
  slots?: number
  role: Role
  election: Exclude<JoinOptions['election'], object | undefined>
  electionPriority: ElectionPriority
  tag?: Record<string, string>
  profile: ProfileName
  maxPayloadMb: number
  maxHeapMb?: number
  journalMb?: number
  recoverWait?: number
  isolation: 'thread' | 'process'
  taskEnv?: string[]
  limit?: Partial<Limits>
  external?: string[]
  allow?: string
  dataDir?: string
  voters?: string[]
  leaseTime?: number
  preempt: boolean
  http?: HttpAddress
  httpAllowedHost?: string[]
}

export interface LeadFlags extends JoinFlags {
  grace?: number
  name?: string
  ttl?: number
}

/** The flags of the commands that print a job's result. */
export interface OutcomeFlags extends ClientFlags, JsonFlag {
  output?: string
}

/** The flags that `run` accepts with and without a cluster. */
interface TaskFlags {
  input?: { value: unknown }
  inputFile?: string
  retries: number
  chunkTimeout?: number
  external?: string[]
}

/** The flags that hold for each job of `run` and of a schedule. */
export interface JobFlags extends TaskFlags {
  speculate: boolean
  requires?: Record<string, string>
  priority: number
  keep: number
  durable: number
}

export interface RunFlags extends OutcomeFlags, JobFlags {
  detach?: boolean
  at?: Date
  /** The delay of the job, in ms. */
  in?: number
}

export interface LocalRunFlags extends TaskFlags, JsonFlag {
  output?: string
  /** The number of threads. With `true`, each processor gets a thread. */
  local: number | true
}

export interface MembersFlags extends ClientFlags, JsonFlag {
  watch?: boolean
}

export interface DemoFlags {
  peers: number
  input?: { value: unknown }
}

/** Returns the environment variable of a flag: `--no-mdns` is `P2P_WORKER_NO_MDNS`. */
export function variableOf(flags: string): string {
  const long = /--([a-z-]+)/.exec(flags)![1]!
  return `P2P_WORKER_${long.toUpperCase().replaceAll('-', '_')}`
}

/** Creates an option with its environment variable and, if it takes a value, the value's parser. */
export function option<T>(
  flags: string,
  description: string,
  parse?: ((text: string, previous?: T) => T) & { choices?: readonly string[] }
): Option {
  const made = new Option(flags, description).env(variableOf(flags))
  if (parse === undefined) return made
  // The choices are set only for the completion. The method choices() of commander would replace `parse`.
  if (parse.choices !== undefined) made.argChoices = [...parse.choices]
  return made.argParser<T>(forCommander(parse))
}

export const jsonOption = (what: string): Option => option('--json', what)

export const externalOption = (description: string): Option => option('--external <package>', description, list)

/** The headings of the options that several commands share. */
export const groups = {
  connection: 'Which cluster, and how it is found:',
  leadership: 'Who leads:',
  tasks: 'What tasks may do and use:',
  diagnostics: 'Diagnostics:'
} as const

/**
 * Puts options under a heading of the help. Options without a heading are listed under the heading of the command
 * itself.
 */
export function inGroup(heading: string, options: readonly Option[]): Option[] {
  return options.map(each => each.helpGroup(heading))
}

export const connectionOptions: readonly Option[] = inGroup(groups.connection, [
  option('--cluster <name>', "the cluster's name", clusterName).default('default'),
  option('--token <token>', 'what `p2p-worker invite` printed: name, key and addresses of a cluster in one', nonEmpty),
  option('--key <key>', "the cluster's key; default: the one saved on this machine", nonEmpty),
  option('--key-file <file>', 'a file that holds the key, or several, one a line: the first is dialled with', nonEmpty),
  option('--insecure', 'no key: anyone who reaches the port is in, and may run code'),
  option('--bootstrap <multiaddr>', 'the address of a peer, such as /dns4/seed/tcp/4001; may be repeated', list),
  option('--no-mdns', 'do not look for peers on the local network')
])

/** @param level - the text of the help about the default log level */
export function logOptions(level = '(default: "warn")'): Option[] {
  return inGroup(groups.diagnostics, [
    option('--log-level <level>', `what is logged on stderr: ${logLevels.join(', ')} ${level}`, oneOf(logLevels)),
    option(
      '--log-format <format>',
      'the form of the log: pretty, for people; json, one object a line (default: json with --json, else pretty)',
      oneOf(logFormats)
    )
  ])
}

export const clientOptions: readonly Option[] = [
  ...connectionOptions,
  ...inGroup(groups.connection, [
    option('--wait <time>', 'how long to look for the cluster and its leader', duration).default(10_000, '10s'),
    option(
      '--data-dir <folder>',
      "a folder that keeps this client's PeerId, for clusters with an allow list; a peer's own folder in the variable does not count",
      nonEmpty
    )
  ]),
  ...logOptions()
]

/**
 * Removes variables from the environment that are empty or switch a flag off. Otherwise commander would read any value
 * of a flag as "on", and an empty string as a value.
 */
export function tidyEnvironment(commands: readonly Command[], env: NodeJS.ProcessEnv): void {
  for (const { envVar, required, optional } of commands.flatMap(command => command.options)) {
    if (envVar === undefined) continue
    const text = env[envVar]
    if (text === undefined) continue
    const isOff = required ? text === '' : optional ? switchOf(text) === false : !switchedOn(envVar, text)
    if (isOff) delete env[envVar]
    // The text 1 is a value here, like any other number except 0.
    else if (optional && switchOf(text) === true && text !== '1') env[envVar] = WITHOUT_VALUE
  }
}

/**
 * Returns the flags of a command, with the key that applies.
 *
 * @param argument - a token that was given as a positional argument and has the same meaning as `--token`
 */
export function flagsOf<T extends ConnectionFlags>(command: Command, argument?: string): T {
  const { key, keyFile, insecure, token, ...flags } = command.opts<Omit<T, 'token'> & AccessFlags>()
  const isGiven = argument !== undefined
  const source = (name: string): string | undefined =>
    isGiven && name === 'token' ? 'cli' : command.getOptionValueSource(name)
  if (isGiven && command.getOptionValueSource('token') === 'cli') {
    throw new InvalidOptionError('there are two tokens, one of them behind --token: give one')
  }
  const access = accessOf(
    { ...flags, ...defined({ key, keyFile, insecure, token: argument ?? token }) } as AccessFlags,
    source
  )
  return { ...access, sharesDataDir: source('dataDir') === 'env' } as unknown as T
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
