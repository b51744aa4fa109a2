#!/usr/bin/env node
/** The entry point of the command line: runs a command and exits with its exit code. */
import './terminal/early-hangup.ts'
import { keepCompiledCode } from './compile-cache.ts'
import { exitCodes } from './exit-codes.ts'

function onBrokenPipe(error: NodeJS.ErrnoException): void {
  // The reader closed the pipe (`p2p-worker status | head -1`), which is no error.
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done)
  // The terminal is closed, so no output can be shown. SIGHUP ends the commands that depend on the terminal.
  if (error.code !== 'EIO') throw error
}

process.stdout.on('error', onBrokenPipe)
process.stderr.on('error', onBrokenPipe)
keepCompiledCode()
// Loading the command line takes most of the start-up time, so the listener for SIGHUP is installed first.
const { runCommandLine } = await import('./command-line.ts')
runCommandLine(process.argv).then(code => process.exit(code))
