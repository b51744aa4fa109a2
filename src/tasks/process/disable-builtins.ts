/**
 * Disables functions of Node that the permission model allows and no task needs. Like the permission model, this is no sandbox: code can still
 * reach the same system calls by other functions.
 */
import childProcess, { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import tls from 'node:tls'
import v8 from 'node:v8'

/** The internal class of a child process. The `kill` of this class checks no permission, and code can set any pid on an unused instance. */
const Handle: object = Object.getPrototypeOf((new ChildProcess() as unknown as { _handle: object })._handle)
const AS_ANOTHER_USER = ['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups']

/** The disabled functions. Each entry has an object, the name of the object in errors, and the names of the disabled functions of the object. */
const DISABLED: readonly (readonly [object, string, readonly string[]])[] = [
  // These functions can affect the peer or other processes of the same user.
  [process, 'process', ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', ...AS_ANOTHER_USER]],
  [Handle, 'Process', ['kill', 'spawn']],
  [childProcess, 'child_process', ['_forkChild']],
  [os, 'os', ['setPriority']],
  [v8, 'v8', ['setFlagsFromString']],
  // `cp` copies links that lead out of the task's folder. `getCACertificates` reads files that an environment variable names.
  [fs, 'fs', ['cp', 'cpSync']],
  [fs.promises, 'fs.promises', ['cp']],
  [tls, 'tls', ['getCACertificates']]
]

/** Disables the functions permanently. Call this function before any user code loads. */
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
  // Without this call, `import { setPriority } from 'node:os'` would still get the original function.
  syncBuiltinESMExports()
}
