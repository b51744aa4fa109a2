/**
 * Handles SIGHUP until the command takes over. A SIGHUP that asks a peer to reread its files must not end a peer that
 * is still starting. This module has no dependencies and loads first.
 */
import { isatty } from 'node:tty'

const STANDARD_STREAMS = [0, 1, 2]
/** The commands that handle SIGHUP. SIGHUP ends all other commands, like any program. */
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
 * Whether this process was started from a terminal that is now closed. The kernel detaches the terminal before it sends
 * SIGHUP.
 */
export function isTerminalGone(): boolean {
  return terminals.length > 0 && !terminals.some(fd => isatty(fd))
}

/** Returns whether SIGHUP has arrived, and removes the handler. The caller handles SIGHUP from now on. */
export function takeEarlyHangup(): boolean {
  process.off('SIGHUP', onHangup)
  return came
}
