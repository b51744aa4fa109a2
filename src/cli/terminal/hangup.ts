/** Handles SIGHUP: the terminal was closed, or the process has to reread its files. */
import { isTerminalGone, takeEarlyHangup } from './early-hangup.ts'
import type { Interruption } from './interruption.ts'
import { say } from './output.ts'

/** The handler of SIGHUP. It is installed at the start, so that the signal cannot end a process half-way. */
export interface Hangup {
  /**
   * Makes each SIGHUP from now on call `reload`. Undefined: there is nothing to reload, and SIGHUP prints a message.
   */
  follow(reload: (() => Promise<void>) | undefined): void
  /** Stops handling SIGHUP. If the terminal is closed, the process ends here by that signal. Call it last. */
  stop(): void
}

/** Windows sends SIGHUP only when the console is closed, and ends the process soon after. */
const ALWAYS_ENDS = process.platform === 'win32'
const NOTHING_TO_READ =
  'SIGHUP: there is neither a file of keys nor an allow list to read again: everything stays as it was (--key-file, --allow)'

/**
 * A process that was started from a terminal leaves when that terminal is closed, even if it has files to reread:
 * closing a terminal ends its programs. A service has no terminal and stays, even without files to reread, because its
 * `reload` does not mean to end it.
 */
export function onHangup(interruption: Interruption): Hangup {
  let follows = false
  let closed = false
  let reload: (() => Promise<void>) | undefined
  let running: Promise<void> = Promise.resolve()
  const handle = (): void => {
    if (interruption.signal.aborted) return
    if (ALWAYS_ENDS || isTerminalGone()) {
      closed = true
      interruption.interrupt()
    } else if (!follows) came = true
    else if (reload === undefined) say(NOTHING_TO_READ)
    else running = running.then(reload)
  }
  let came = takeEarlyHangup()
  process.on('SIGHUP', handle)
  return {
    follow(next) {
      follows = true
      reload = next
      if (came) handle()
    },
    stop() {
      process.off('SIGHUP', handle)
      // On a normal exit, Node restores the settings of the terminal, and aborts when the terminal is gone.
      if (closed) process.kill(process.pid, 'SIGHUP')
    }
  }
}
