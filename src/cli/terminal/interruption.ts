import { once } from 'node:events'
import { exitCodes } from '../exit-codes.ts'
import { say } from './output.ts'

/** Handles SIGINT and SIGTERM: the first asks the command to end, the second ends the process at once. */
export interface Interruption {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** The exit code for the signal that arrived; undefined before any. */
  readonly exitCode: number | undefined
  /** Asks the command to end as the first signal does, for another reason. */
  interrupt(): void
  stop(): void
}

/**
 * A second signal within this time counts as the first one, in ms: Ctrl-C reaches a process both from the terminal and
 * from a parent that passes it on, such as npx.
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
