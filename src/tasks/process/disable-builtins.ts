/**
 * Disables functions of Node that the permission model leaves open and no task needs. Like the permission model, this is no sandbox: code
 * that reaches the same system call another way is not stopped.
 */
import childProcess, { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import tls from 'node:tls'
import v8 from 'node:v8'

/** The class behind each child process. Its `kill` checks no permission, and code can set any pid on an idle instance. */
const Handle: object = Object.getPrototypeOf((new ChildProcess() as unknown as { _handle: object })._handle)
const AS_ANOTHER_USER = ['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups']

/** The disabled functions: an object, its name in errors, and the names of its functions. */
const DISABLED: readonly (readonly [object, string, readonly string[]])[] = [
  // These reach the peer, or other processes of the same user.
  [process, 'process', ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', ...AS_ANOTHER_USER]],
  [Handle, 'Process', ['kill', 'spawn']],
  [childProcess, 'child_process', ['_forkChild']],
  [os, 'os', ['setPriority']],
  [v8, 'v8', ['setFlagsFromString']],
  // `cp` copies links that lead out of the task's folder; `getCACertificates` reads files that a variable names.
  [fs, 'fs', ['cp', 'cpSync']],
  [fs.promises, 'fs.promises', ['cp']],
  [tls, 'tls', ['getCACertificates']]
]

/** Disables the functions for good. Call this before any user code loads. */
export function disableBuiltins(): void {
  for (const [object, of, names] of DISABLED) {
    for (const name of names) {
      if (!(name in object)) continue
      const value = (): never => {
        const message = `${of}.${name} is not for tasks: this peer isolates them (--isolation process)`
        throw Object.assign(new Error(message), { code: 'ERR_ACCESS_DENIED' })
      }
      Object.defineProperty(object, name, { value, writable: false, configurable: false, enumerable: true })
    }
  }
  // `process.report` writes files to any folder.
  Object.defineProperty(process, 'report', { value: undefined, writable: false, configurable: false })
  // Without this, `import { setPriority } from 'node:os'` would still get the original.
  syncBuiltinESMExports()
}
