/**
 * A SIGHUP that asks a peer to reread its files must not end a peer that is still starting. This module has no
 * dependencies and loads first; it handles SIGHUP until the command does.
 */
import { isatty } from 'node:tty'

const STANDARD_STREAMS = [0, 1, 2]
/** The commands that handle SIGHUP. All others end at it, as any program does. */
const COMMANDS: readonly unknown[] = ['join', 'lead']

const terminals = STANDARD_STREAMS.filter(fd => isatty(fd))
let came = false

const onHangup = (): void => {
  came = true
  if (!isTerminalGone()) return
  process.off('SIGHUP', onHangup)
  process.kill(process.pid, 'SIGHUP')
}

if (COMMANDS.includes(process.argv[2])) process.on('SIGHUP', onHangup)

/**
 * Whether this process was started from a terminal that is closed now. The kernel detaches the terminal before it sends
 * SIGHUP.
 */
export function isTerminalGone(): boolean {
  return terminals.length > 0 && !terminals.some(fd => isatty(fd))
}

/** Returns whether SIGHUP has arrived so far, and stops handling it: the caller takes over. */
export function takeEarlyHangup(): boolean {
  process.off('SIGHUP', onHangup)
  return came
}
