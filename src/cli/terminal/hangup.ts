/** Handles SIGHUP, which arrives when the terminal is closed or when the process has to reread its files. */
import { isTerminalGone, takeEarlyHangup } from './early-hangup.ts'
import type { Interruption } from './interruption.ts'
import { say } from './output.ts'

/**
 * The handler of SIGHUP. It is installed at the start of the process, so that SIGHUP cannot end the process half-way.
 */
export interface Hangup {
  /**
   * Makes each later SIGHUP call `reload`. If `reload` is undefined, there is no file to reread, and SIGHUP only prints
   * a message.
   */
  follow(reload: (() => Promise<void>) | undefined): void
  /**
   * Stops the handling of SIGHUP. If the terminal is closed, SIGHUP ends the process here, so this must be the last
   * call.
   */
  stop(): void
}

/** Windows sends SIGHUP only when the console is closed, and ends the process soon after SIGHUP. */
const ALWAYS_ENDS = process.platform === 'win32'
const NOTHING_TO_READ =
  'SIGHUP: there is neither a file of keys nor an allow list to read again: everything stays as it was (--key-file, --allow)'

/**
 * A process that was started from a terminal leaves when this terminal is closed, even if the process has files to
 * reread, because a user who closes a terminal ends its programs. A service has no terminal. It stays at SIGHUP even if
 * it has no files to reread, because a service manager sends SIGHUP to reload a service.
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
      // Node restores the settings of the terminal on a normal exit, and crashes if the terminal is closed. So SIGHUP
      // ends the process.
      if (closed) process.kill(process.pid, 'SIGHUP')
    }
  }
}
