// Bundles the command line and its libraries into dist/cli/. libp2p alone has hundreds of files, and most of a command's start time went into
// finding, reading and linking these files. Code that only some commands need stays in separate files ("chunks"), which `import()` loads. Our own functions and
// classes keep their names, so that stacks stay readable.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { build, transform } from 'esbuild'
import { withoutNamesOfArrows } from './keep-names.mjs'

/**
 * Packages that are not bundled, in addition to the optional peer dependencies. esbuild looks for its binary next to its modules, and piscina looks for
 * the code of its threads there.
 */
const EXTERNAL = ['esbuild', 'piscina']

/** Omits React's developer tools. Ink imports these tools only for its own development, and they are not among our dependencies. */
const withoutDevtools = {
  name: 'without-devtools',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react-devtools-core$|^\.\/devtools\.js$/ }, ({ path }) => ({ path, namespace: 'nothing' }))
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default undefined' }))
  }
}

/**
 * Gives each module the URL at which tsc would have put it, so that the module finds files relative to itself. All files of the bundle are in one
 * folder, so it does not matter which file contains the module.
 */
function whereTheyWere(src, outdir) {
  const dist = dirname(outdir)
  return {
    name: 'where-they-were',
    setup({ onLoad }) {
      onLoad({ filter: /\.(tsx?|m?js)$/, namespace: 'file' }, async ({ path }) => {
        const isOwn = path.startsWith(src + sep)
        const text = await withoutWasm(await minified(path, isOwn), outdir)
        if (!text.includes('import.meta.url')) return { contents: text, loader: 'js' }
        const built = isOwn ? relative(outdir, join(dist, relative(src, path))).replace(/\.tsx?$/, '.js') : '.'
        const url = `/* @__PURE__ */ new URL(${JSON.stringify(built.replaceAll(sep, '/'))}, __bundle_url).href`
        return { contents: `const __module_url = ${url};${text}`, loader: 'js' }
      })
    }
  }
}

/** Returns the code of a module without comments and with shortened local names. `keepNames`: classes and functions keep their names for stacks, arrow functions do not. */
async function minified(path, keepNames) {
  const { code } = await transform(await readFile(path, 'utf8'), {
    loader: /[^.]+$/.exec(path)[0].replace('mjs', 'js'),
    minify: true,
    keepNames,
    target: 'node20',
    jsx: 'automatic',
    legalComments: 'none',
    charset: 'utf8'
  })
  return withoutNamesOfArrows(code)
}

/** Puts the WebAssembly in a module (that of Ink's layout) into a file of its own, because base64 of it compresses badly. */
async function withoutWasm(text, outdir) {
  const found = /(["'])data:application\/octet-stream;base64,([\w+/=]{1000,})\1/.exec(text)
  if (found === null) return text
  await mkdir(outdir, { recursive: true })
  await writeFile(join(outdir, 'layout.wasm'), Buffer.from(found[2], 'base64'))
  const read = `require('node:fs').readFileSync(new URL('layout.wasm', __bundle_url), 'base64')`
  return text.replace(found[0], `'data:application/octet-stream;base64,' + ${read}`)
}

/** Defines `require` for bundled CommonJS modules, which load Node's modules with it. */
const BANNER = `import { createRequire as __create_require } from 'node:module';
const __bundle_url = import.meta.url, require = __create_require(__bundle_url);`

/** @returns esbuild's description of the bundle (its "metafile") */
export async function bundleCli(root, { optional = [] } = {}) {
  const src = join(root, 'src')
  const outdir = join(root, 'dist', 'cli')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(src, 'cli', 'main.ts')],
    outdir,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    // The licences of the libraries are in THIRD-PARTY.txt.
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    // The modules of a library that has both, because only unused parts of modules can be left out.
    mainFields: ['module', 'main'],
    target: 'node20',
    jsx: 'automatic',
    charset: 'utf8',
    metafile: true,
    external: [...EXTERNAL, ...optional],
    // Without this option, names in the bundle would depend on the target of a linked node_modules folder.
    preserveSymlinks: true,
    define: {
      'import.meta.url': '__module_url',
      // React's development build is slower and prints a warning. The variable DEV would enable Ink's developer tools.
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"'
    },
    banner: { js: BANNER },
    plugins: [whereTheyWere(src, outdir), withoutDevtools],
    logLevel: 'warning'
  })
  return metafile
}
