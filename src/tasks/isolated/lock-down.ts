/**
 * What Node's permission model leaves open, and no task needs. It is a fence as that one is: who finds another way to what lies behind
 * these functions is not kept from it.
 */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import v8 from 'node:v8'

/** By the object that has them. Each would reach the peer, or other processes of the same user. */
const CLOSED: readonly (readonly [object, string, readonly string[]])[] = [
  [process, 'process', ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen']],
  [os, 'os', ['setPriority']],
  [v8, 'v8', ['setFlagsFromString']]
]

/** Before any of the user's code is loaded; cannot be taken back. */
export function lockDown(): void {
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
  // Else `import { setPriority } from 'node:os'` would still give what was there before.
  syncBuiltinESMExports()
}
