/** Runs a command by `sh`, with all that it starts in a process group of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command that does not end on SIGTERM for so long, in ms, is killed. */
const GRACE_MS = 500
/** Nothing is read any more so long after that, in ms: what left the process group (`setsid`) lives on, and may hold the pipes for ever. */
const REST_MS = 250
/** What a command may print, in bytes. */
const MOST_OUTPUT = 256 * 2 ** 20

export interface CommandEnd {
  /** The exit code; undefined where it did not exit, or not even start. */
  code: number | undefined
  /** Why it failed; undefined: it did not. */
  failure: string | undefined
  stdout: Uint8Array
  stderr: Uint8Array
}

export interface CommandOptions {
  /** In ms; undefined: as long as it likes. */
  timeout: number | undefined
  /** Ends it. */
  signal: AbortSignal
  /** Added to this process's. */
  env?: NodeJS.ProcessEnv
  mostOutput?: number
}

/** Resolves with how it ended, also where it could not begin; rejects with the signal's reason. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandEnd> {
  const { timeout, signal, env, mostOutput = MOST_OUTPUT } = options
  signal.throwIfAborted()
  // No system takes one, and Node's error would be about an argument that the user has never given.
  if (command.includes('\0')) return notStarted('a command cannot hold a NUL character')
  let child: ReturnType<typeof start>
  try {
    child = start(command, { ...process.env, ...env })
    // Some errors are thrown, and others are told later.
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
    // Rejects on `error`; after `close` all output has arrived.
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    // Those that it left behind.
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
  // Linux: 128 KiB for one argument, which the whole command is.
  if (code === 'E2BIG')
    return 'the command is longer than the system takes: put the data into a file, and its name into the line'
  return `it could not be started: ${message}`
}

/** That there is nobody any more is no error. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // Gone.
  }
}
