import { once } from 'node:events'
import { exitCodes } from '../exit-codes.ts'
import { say } from './output.ts'

/**
 * Handles SIGINT and SIGTERM. The first signal asks the command to end, and the second signal ends the process at once.
 */
export interface Interruption {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** The exit code for the signal that arrived; undefined before a signal arrives. */
  readonly exitCode: number | undefined
  /** Asks the command to end, like the first signal, but for another reason. */
  interrupt(): void
  stop(): void
}

/**
 * The time within which a second signal counts as the first signal, in ms. Ctrl-C may reach a process two times: from
 * the terminal, and from a parent process that passes the signal on, such as npx.
 */
const SAME_SIGNAL_MS = 300

/** @param hint - a message to print at the first signal */
export function onInterruption(hint?: string): Interruption {
  const controller = new AbortController()
  let exitCode: number | undefined
  let firstAt = 0
  const handle = (code: number): void => {
    if (exitCode !== undefined) {
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(code)
      return
    }
    exitCode = code
    firstAt = performance.now()
    if (hint !== undefined) say(hint)
    controller.abort(new Error('interrupted'))
  }
  const interrupted = (): void => handle(exitCodes.interrupted)
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', interrupted)
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    interrupt: () => controller.abort(new Error('interrupted')),
    stop() {
      process.off('SIGINT', interrupted)
      process.off('SIGTERM', interrupted)
    }
  }
}

/** Resolves when the signal aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
