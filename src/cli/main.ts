#!/usr/bin/env node
/** The entry of the command line: runs a command and ends with its exit code. */
import './terminal/early-hangup.ts'
import { keepCompiledCode } from './compile-cache.ts'
import { exitCodes } from './exit-codes.ts'

function onBrokenPipe(error: NodeJS.ErrnoException): void {
  // The reader has enough (`p2p-worker status | head -1`): no error.
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done)
  // The terminal is gone, and nobody reads any more. What is to end with it does so by SIGHUP.
  if (error.code !== 'EIO') throw error
}

process.stdout.on('error', onBrokenPipe)
process.stderr.on('error', onBrokenPipe)
keepCompiledCode()
// Loaded after the listener for SIGHUP is there: this is most of what a start takes.
const { runCommandLine } = await import('./command-line.ts')
runCommandLine(process.argv).then(code => process.exit(code))
