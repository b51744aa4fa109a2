/**
 * What Node's permission model leaves open, and no task needs. It is a fence as that one is: who finds another way to what lies behind
 * these functions is not kept from it.
 */
import childProcess, { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import tls from 'node:tls'
import v8 from 'node:v8'

/** The class behind each child process. Its `kill` asks for no permission, and one that never had a process may have any number for one. */
const Handle: object = Object.getPrototypeOf((new ChildProcess() as unknown as { _handle: object })._handle)
const AS_ANOTHER_USER = ['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups']

/** By the object that has them. */
const CLOSED: readonly (readonly [object, string, readonly string[]])[] = [
  // These would reach the peer, or other processes of the same user.
  [process, 'process', ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', ...AS_ANOTHER_USER]],
  [Handle, 'Process', ['kill', 'spawn']],
  [childProcess, 'child_process', ['_forkChild']],
  [os, 'os', ['setPriority']],
  [v8, 'v8', ['setFlagsFromString']],
  // These copy links as they are, and so make some that lead out of the task's folder; and read what a variable names.
  [fs, 'fs', ['cp', 'cpSync']],
  [fs.promises, 'fs.promises', ['cp']],
  [tls, 'tls', ['getCACertificates']]
]

/** Before any of the user's code is loaded; cannot be taken back. */
export function disableBuiltins(): void {
  for (const [object, of, names] of CLOSED) {
    for (const name of names) {
      if (!(name in object)) continue
      const value = (): never => {
        throw Object.assign(
          new Error(`${of}.${name} is not for tasks: this peer isolates them (--isolation process)`),
          {
            code: 'ERR_ACCESS_DENIED'
          }
        )
      }
      Object.defineProperty(object, name, { value, writable: false, configurable: false, enumerable: true })
    }
  }
  // It writes its files wherever it is told, when the process ends.
  Object.defineProperty(process, 'report', { value: undefined, writable: false, configurable: false })
  // Else `import { setPriority } from 'node:os'` would still give what was there before.
  syncBuiltinESMExports()
}
