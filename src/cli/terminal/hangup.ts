/** SIGHUP: the terminal was closed, or the process has to read its files again. */
import { isTerminalGone, takeEarlyHangup } from './early-hangup.ts'
import type { Interruption } from './interruption.ts'
import { say } from './output.ts'

/** Takes SIGHUP from the start on, so that none ends a process half-way. */
export interface Hangup {
  /** From now on `reload` reads again what can be; undefined: nothing can, and SIGHUP says so. */
  follow(reload: (() => Promise<void>) | undefined): void
  /** To be called when all is done: where the terminal is gone, the process ends here, by that signal. */
  stop(): void
}

/** Windows sends it for nothing but a console that is closed, and ends the process soon after. */
const ALWAYS_ENDS = process.platform === 'win32'
const NOTHING_TO_READ =
  'SIGHUP: there is neither a file of keys nor an allow list to read again: everything stays as it was (--key-file, --allow)'

/**
 * A process that was started from a terminal leaves when that is gone, whatever there is to read again: who closes it means to end what
 * runs in it. A service has none, and stays, also where there is nothing to read: its `reload` is not meant to end it.
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
      // Node's own exit wants to give the terminal its settings back, and aborts when there is none.
      if (closed) process.kill(process.pid, 'SIGHUP')
    }
  }
}
