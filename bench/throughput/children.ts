/** Ends the processes of compared systems. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The time that a process has to end before it is killed, in ms. */
const GRACE_MS = 5_000

export function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

/** Ends a process and waits for its exit. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (hasEnded(child)) return
  const exit = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  await exit
  clearTimeout(timer)
}

/** Waits until the process ends. Resolves to an error that describes this unexpected end. */
export async function untimelyEnd(what: string, child: ChildProcess): Promise<Error> {
  const [code, signal] = hasEnded(child) ? [child.exitCode, child.signalCode] : await once(child, 'exit')
  return new Error(`${what} has ended: ${signal ?? `exit code ${code}`}`)
}
