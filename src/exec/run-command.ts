/** Runs a command with `sh`. The command and the processes that it starts have their own process group. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The time from SIGTERM to SIGKILL, in ms. */
const GRACE_MS = 500
/**
 * The time for which output is read after SIGKILL, in ms: a process that has left the group (`setsid`) continues to run,
 * and may keep the pipes open for ever.
 */
const REST_MS = 250
/** The largest output of a command, in bytes. */
const MOST_OUTPUT = 256 * 2 ** 20

export interface CommandEnd {
  /** The exit code; undefined if the command did not start or was ended by a signal. */
  code: number | undefined
  /** Why the command failed; undefined if the command succeeded. */
  failure: string | undefined
  stdout: Uint8Array
  stderr: Uint8Array
}

export interface CommandOptions {
  /** The time limit, in ms; undefined: no limit. */
  timeout: number | undefined
  /** An abort of this signal ends the command. */
  signal: AbortSignal
  /** Environment variables of the command in addition to the environment of this process. */
  env?: NodeJS.ProcessEnv
  mostOutput?: number
}

/** Resolves with a {@link CommandEnd}, even if the command did not start. After an abort, it rejects with the signal's reason. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const { timeout, signal, env, mostOutput = MOST_OUTPUT } = options
  signal.throwIfAborted()
  // No system accepts a NUL character in a command. Node's own error would name an argument that the user never gave.
  if (command.includes('\0')) return notStarted('a command cannot hold a NUL character')
  let child: ReturnType<typeof start>
  try {
    child = start(command, { ...process.env, ...env })
    // `spawn` throws some errors, and reports others as events.
    if (child.pid === undefined) throw (await once(child, 'error'))[0]
  } catch (error) {
    return notStarted(whyNotStarted(error as NodeJS.ErrnoException))
  }
  let stopped: string | undefined
  let killTimer: NodeJS.Timeout | undefined
  const stop = (why: string): void => {
    if (stopped !== undefined) return
    stopped = why
    signalGroup(child, 'SIGTERM')
    killTimer = setTimeout(() => {
      signalGroup(child, 'SIGKILL')
      killTimer = setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, REST_MS)
    }, GRACE_MS)
  }
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let bytes = 0
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (data: Buffer) => {
      bytes += data.byteLength
      if (bytes > mostOutput) stop(`it printed more than ${mostOutput} bytes`)
      else output[name].push(data)
    })
  const timer =
    timeout === undefined ? undefined : setTimeout(() => stop(`it ran for more than ${timeout} ms`), timeout)
  const onAbort = (): void => stop('it was cancelled')
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    // `once` rejects if the process emits `error`. After `close`, all output has arrived.
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    // Kills the processes that the command left behind.
    if (stopped !== undefined) signalGroup(child, 'SIGKILL')
    signal.throwIfAborted()
    const failure =
      stopped ?? (killedBy !== null ? `it was ended by ${killedBy}` : code !== 0 ? `exit code ${code}` : undefined)
    const [stdout, stderr] = [Buffer.concat(output.stdout), Buffer.concat(output.stderr)]
    return { code: stopped === undefined ? (code ?? undefined) : undefined, failure, stdout, stderr }
  } finally {
    clearTimeout(timer)
    clearTimeout(killTimer)
    signal.removeEventListener('abort', onAbort)
  }
}

function start(command: string, env: NodeJS.ProcessEnv) {
  return spawn('/bin/sh', ['-c', command], { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

function notStarted(failure: string): CommandEnd {
  return { code: undefined, failure, stdout: new Uint8Array(), stderr: new Uint8Array() }
}

function whyNotStarted({ code, message }: NodeJS.ErrnoException): string {
  // Linux limits a single argument to 128 KiB, and the whole command is a single argument of `sh`.
  if (code === 'E2BIG')
    return 'the command is longer than the system takes: put the data into a file, and its name into the line'
  return `it could not be started: ${message}`
}

/** Sends a signal to the command's process group. An empty group is no error. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The process group has already ended.
  }
}
