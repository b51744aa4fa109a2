import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageOf, REQUIRE_SYMBOL } from '../execute/external-packages.ts'
import type { WorkerSettings } from '../execute/messages.ts'

/** Lets bundles load the external packages that this peer offers. The packages are resolved from the folder where the peer was started. */
export function installExternal({ external, cwd, lenient }: WorkerSettings): void {
  const requireFrom = createRequire(join(cwd, 'task.mjs'))
  const load = (specifier: string): unknown => {
    const name = packageOf(specifier)
    if (!external.includes(name)) {
      throw new Error(
        `the task needs the npm package "${name}", which this peer does not offer: start it with "join --external ${name}"`
      )
    }
    try {
      return requireFrom(specifier)
    } catch (cause) {
      if (lenient) return standIn()
      if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause
      throw new Error(`the external package "${specifier}" was not found from ${cwd}: install it there`, { cause })
    }
  }
  Object.defineProperty(globalThis, Symbol.for(REQUIRE_SYMBOL), { value: load })
}

/** A stub for a package that this machine lacks. Code can call the stub, construct it and read its properties. */
function standIn(): unknown {
  const proxy: unknown = new Proxy(function external() {}, {
    get: (target, key) => {
      // The stub has no `then`, because `await` on the stub would never end. `for (… of …)` ends, because `done` of the stub is truthy.
      if (key === 'then') return undefined
      if (key === 'prototype') return target.prototype
      if (key === Symbol.toPrimitive) return () => 'external'
      return proxy
    },
    apply: () => proxy,
    construct: () => proxy as object
  })
  return proxy
}
