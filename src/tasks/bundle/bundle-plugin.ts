import { isBuiltin } from 'node:module'
import type { PartialMessage, Plugin } from 'esbuild'
import { packageOf, REQUIRE_SYMBOL } from '../execute/external-packages.ts'
import { NATIVE } from './import-advice.ts'

// Replaces this package in a bundle. A task needs only `defineTask`, but a module that also imports `join` or `connect` must load.
const STUB = `
const unavailable = name => () => { throw new Error(name + '() of p2p-worker cannot be called by a task, which runs in a thread of some peer') };
module.exports = { defineTask: definition => definition, join: unavailable('join'), connect: unavailable('connect') };
`

/** Matches the paths in esbuild's messages that name the plugin's own modules and not files. */
export const VIRTUAL = /^p2p-worker-(stub|external):/

/** Resolves the imports that need special treatment: imports of this package, of external packages and of native modules. */
export function taskPlugin(external: readonly string[]): Plugin {
  return {
    name: 'p2p-worker',
    setup(build) {
      build.onResolve({ filter: /^p2p-worker(\/|$)/ }, ({ path }) => ({ path, namespace: 'p2p-worker-stub' }))
      build.onLoad({ filter: /.*/, namespace: 'p2p-worker-stub' }, () => ({ contents: STUB, loader: 'js' }))

      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind !== 'entry-point' && external.includes(packageOf(path))
          ? { path, namespace: 'p2p-worker-external' }
          : undefined
      )
      build.onLoad({ filter: /.*/, namespace: 'p2p-worker-external' }, ({ path }) => ({
        contents: `module.exports = globalThis[Symbol.for(${JSON.stringify(REQUIRE_SYMBOL)})](${JSON.stringify(path)})`,
        loader: 'js'
      }))

      // Refused here, because Node's own error would not name the importing file. A `require` may be inside a `try`, so Node handles a `require`.
      build.onResolve({ filter: /^(node|https?):/ }, ({ path, kind }) => {
        if (kind !== 'import-statement' || isBuiltin(path)) return undefined
        const why = path.startsWith('node:')
          ? `is no module of Node ${process.version}`
          : 'would be loaded from a network'
        return { errors: [{ text: `"${path}" ${why}, so it cannot be imported` }] }
      })

      build.onResolve({ filter: /\.node$/ }, async ({ path, pluginData, ...rest }) => {
        if (pluginData === RESOLVING) return undefined
        // The import `./tree.node` may also name the file tree.node.ts.
        const found = await build.resolve(path, { ...rest, pluginData: RESOLVING })
        return found.path.endsWith('.node') ? { errors: [nativeModule(path)] } : undefined
      })
      build.onLoad({ filter: /\.node$/ }, ({ path }) => ({ errors: [nativeModule(path)] }))
    }
  }
}

// Marks the plugin's own call of `build.resolve`, so that the plugin does not call itself without end.
const RESOLVING = Symbol('resolving')

function nativeModule(path: string): PartialMessage {
  return { text: `"${path}" is a native module, which cannot be bundled`, detail: NATIVE }
}
