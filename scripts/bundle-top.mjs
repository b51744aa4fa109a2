// Puts Ink and React into the one module of `top` that draws with them, so that nobody has to install them: dist/cli/top/view.js.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** What Ink loads to be debugged, and what CommonJS in an ES module needs to load modules of Node. */
const DEVTOOLS = /^react-devtools-core$/
const REQUIRE = `import { createRequire as createRequireOfTop } from 'node:module'; const require = createRequireOfTop(import.meta.url);`

export async function bundleTop(root) {
  const folder = join(root, 'dist', 'cli', 'top')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'src', 'cli', 'top', 'view.tsx')],
    outfile: join(folder, 'view.js'),
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    jsx: 'automatic',
    minify: true,
    keepNames: true,
    sourcemap: false,
    // React's quick half, and none of Ink's that is for whoever develops it.
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    plugins: [
      {
        name: 'without-devtools',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: DEVTOOLS }, ({ path }) => ({ path, namespace: 'nothing' }))
          onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default undefined' }))
        }
      }
    ],
    banner: { js: REQUIRE },
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning'
  })
  // What the compiler made of the parts, and its maps: they would want to import Ink.
  for (const file of readdirSync(folder)) {
    const isPart = Object.keys(metafile.inputs).some(
      path => path.endsWith('.tsx') && file.startsWith(`${path.slice(path.lastIndexOf('/') + 1, -'.tsx'.length)}.`)
    )
    if (isPart && file !== 'view.js') rmSync(join(folder, file))
  }
}
