/**
 * A peer that is just being started must not be ended by a SIGHUP that is meant to have it read its files again. The first thing that a process
 * loads, and it loads nothing: until a command listens itself, this does.
 */
import { isatty } from 'node:tty'

const STANDARD_STREAMS = [0, 1, 2]
/** The commands that take it over; all others end by SIGHUP, as any program does. */
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

/** Whether this process was started from a terminal that is gone: the kernel has let go of it before SIGHUP comes. */
export function isTerminalGone(): boolean {
  return terminals.length > 0 && !terminals.some(fd => isatty(fd))
}

/** Whether SIGHUP has come so far; from now on, the caller listens. */
export function takeEarlyHangup(): boolean {
  process.off('SIGHUP', onHangup)
  return came
}
