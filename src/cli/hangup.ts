/** SIGHUP: a closed terminal says so, and so does whoever wants files to be read again. */
import { isatty } from 'node:tty'
import type { Interruption } from './interruption.ts'
import { say } from './output.ts'

/** Takes SIGHUP from the start on, so that none ends a process half-way. */
export interface Hangup {
  /** From now on `reload` reads again what can be; undefined: nothing can, so SIGHUP ends the process, as without this. */
  follow(reload: (() => Promise<void>) | undefined): void
  /** To be called when all is done: where the terminal is gone, the process ends here, by that signal. */
  stop(): void
}

const STANDARD_STREAMS = [0, 1, 2]

/**
 * A process that was started from a terminal leaves when that is gone, whatever there is to read again: who closes it means to end what
 * runs in it. A service has none, and stays.
 */
export function onHangup(interruption: Interruption): Hangup {
  const terminals = STANDARD_STREAMS.filter(fd => isatty(fd))
  // The kernel has let go of it before the signal comes.
  const isClosed = (): boolean => terminals.length > 0 && !terminals.some(fd => isatty(fd))
  let follows = false
  let came = false
  let closed = false
  let reload: (() => Promise<void>) | undefined
  let running: Promise<void> = Promise.resolve()
  const handle = (): void => {
    if (interruption.signal.aborted) return
    if (isClosed()) {
      closed = true
      interruption.interrupt()
    } else if (!follows) came = true
    else if (reload === undefined) {
      say('SIGHUP: there is neither a file of keys nor an allow list to read again: leaving')
      interruption.interrupt()
    } else running = running.then(reload)
  }
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
