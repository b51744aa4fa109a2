// Bundles `p2p-worker/http` into one file, dist/http/index.js, with the libraries that only this file uses, so that users need not install these
// libraries. The bundle imports all other modules from `p2p-worker` itself.
import { rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build } from 'esbuild'

/** Defines `require` for bundled CommonJS modules, which load Node's modules with it. */
const BANNER = `import { createRequire as __create_require } from 'node:module';const require = __create_require(import.meta.url);`

/**
 * @param external - the packages that users install and that are not bundled
 * @returns esbuild's description of the bundle (its "metafile")
 */
export async function bundleHttp(root, external) {
  const dist = join(root, 'dist')
  const folder = join(dist, 'http')
  const othersStay = {
    name: 'others-stay',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path)
        if (!file.startsWith(dist + sep) || file.startsWith(folder + sep)) return undefined
        return { path: relative(folder, file).replaceAll(sep, '/'), external: true }
      })
    }
  }
  const entry = join(folder, 'index.js')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: entry,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    metafile: true,
    external,
    preserveSymlinks: true,
    minifySyntax: true,
    legalComments: 'none',
    banner: { js: BANNER },
    plugins: [othersStay],
    logLevel: 'warning'
  })
  for (const file of Object.keys(metafile.inputs).map(path => join(root, path)))
    if (dirname(file) === folder && file !== entry) rmSync(file)
  return metafile
}
