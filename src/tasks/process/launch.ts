import { type ChildProcess, spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { builtFile } from '../../common/built-file.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import type { WorkerSettings } from '../execute/messages.ts'
import { codeRangeBytes } from './code-range.ts'
import { packageFolders } from './package-folders.ts'
import { CAN_IGNORE_SIGUSR1, HAS_SHELL, HAS_SQLITE, PERMISSION_FLAG } from './platform-features.ts'
import type { TaskLimits } from './resource-limits.ts'
import type { TaskFolder } from './task-folders.ts'

export interface LaunchOptions {
  /** The folder that the process may write to, and the folder of its code. */
  folder: TaskFolder
  /** The descriptor of the shared-memory file. */
  memory: number
  settings: WorkerSettings
  /** The heap limit of the process, in MiB; undefined: Node's own limit. */
  maxHeapMb: number | undefined
  limits: TaskLimits
  /** Environment variables that isolated tasks get, in addition to the variables of locale and time zone. */
  environment: readonly string[]
}

/**
 * Sets the resource limits. If the system has a lower hard limit, the hard limit stays in force. `ulimit` counts file sizes in blocks of 512
 * bytes, and memory in KiB. The call stack gets the size (KiB) of the call stack of a thread, if the stack limit of the system allows this size.
 */
const SCRIPT = `
ulimit -c 0
ulimit -n "$1"
ulimit -f "$2"
ulimit -d "$3"
stack=$(ulimit -s)
shift 3
node=$1
shift
if [ "$stack" = unlimited ] || [ "$stack" -ge 8192 ]; then exec "$node" --stack-size=3900 "$@"; fi
exec "$node" "$@"
`
const BLOCK_BYTES = 512
const KIB = 1024
/** Environment variables of locale and time zone. They can change a result, so a process gets the same values as a thread. */
const LOCALE = 'TZ LANG LANGUAGE LC_ALL LC_MESSAGES LC_COLLATE LC_CTYPE LC_NUMERIC LC_TIME NODE_ICU_DATA'.split(' ')

/** Starts a process for isolated tasks. The first report of the process, or its end, shows whether the start succeeded. */
export function launch({ folder, memory, settings, maxHeapMb, limits, environment }: LaunchOptions): ChildProcess {
  const { own } = folder
  const entry = builtFile('tasks/process/entry.js')
  const node = [process.execPath, ...nodeFlags(folder, entry, settings, maxHeapMb), entry]
  const numbers = [
    limits.taskFiles,
    Math.ceil(limits.taskDiskBytes / BLOCK_BYTES),
    Math.ceil((limits.taskMemoryBytes + codeRangeBytes()) / KIB)
  ].map(String)
  const [command, ...args] = HAS_SHELL ? ['/bin/sh', '-c', SCRIPT, 'sh', ...numbers, ...node] : node
  const listed = [...LOCALE, ...environment].flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return spawn(command!, args, {
    cwd: own,
    env: { ...Object.fromEntries(listed), HOME: own, TMPDIR: own, TMP: own, TEMP: own },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', memory],
    // The process has its own process group. So the peer can kill the whole group, and the signals of a terminal reach only the peer.
    detached: true
  })
}

function nodeFlags(
  { own, code }: TaskFolder,
  entry: string,
  settings: WorkerSettings,
  maxHeapMb: number | undefined
): string[] {
  // `entry` is in dist/tasks/process/.
  const dist = dirname(dirname(dirname(entry)))
  const readable = [own, code, ...both(dist), ...both(join(dirname(dist), 'package.json'))]
  const packages = settings.external.flatMap(name => packageFolders(name, settings.cwd)).flatMap(both)
  return [
    PERMISSION_FLAG as string,
    ...[...new Set([...readable, ...packages])].map(path => `--allow-fs-read=${path}`),
    `--allow-fs-write=${own}`,
    '--no-warnings',
    ...(HAS_SQLITE ? ['--no-experimental-sqlite'] : []),
    ...(CAN_IGNORE_SIGUSR1 ? ['--disable-sigusr1'] : []),
    ...(maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`])
  ]
}

/** Returns the path as written and the real path, because Node checks both paths. */
function both(path: string): string[] {
  return [path, realpathSync(path)]
}

/** @throws InvalidOptionError if this machine cannot isolate tasks */
export function checkIsolation(parent: string, cwd: string, external: readonly string[]): void {
  if (PERMISSION_FLAG === undefined) {
    throw new InvalidOptionError(
      `\`isolation: 'process'\` needs Node's permission model, which Node ${process.version} lacks: use Node 20 or later`
    )
  }
  const code = dirname(builtFile('tasks/process/entry.js'))
  const paths = [...both(resolve(parent)), ...both(code), ...(external.length > 0 ? [resolve(cwd)] : [])]
  for (const path of paths) {
    // Node reads the value of the option as a list of patterns, so a path with a comma or an asterisk would not be read as a path.
    if (!/[*,]/.test(path)) continue
    throw new InvalidOptionError(
      `\`isolation: 'process'\` cannot let tasks read ${path}: Node's permission model takes no path with a comma or a star`
    )
  }
}
