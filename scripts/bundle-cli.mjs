// Bundles the command line, with all the libraries that it uses, into dist/cli/: libp2p alone is hundreds of files, and to find, read and link
// them was most of what a command took to start. What a command does not need stays in files of its own ("chunks"), loaded when it is imported
// by `import()`. Our own code keeps its names, so that stacks stay readable; libraries are minified.
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { build, transform } from 'esbuild'

/**
 * Left out, besides optional peer dependencies, which are not installed unless somebody wants what needs them: esbuild and piscina have files of their own (a
 * binary, the code of a thread) that they look for beside their modules.
 */
const EXTERNAL = ['esbuild', 'piscina']

/** Ink imports React's developer tools for whoever develops it; they are nobody's dependency. */
const withoutDevtools = {
  name: 'without-devtools',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react-devtools-core$|^\.\/devtools\.js$/ }, ({ path }) => ({ path, namespace: 'nothing' }))
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export default undefined' }))
  }
}

/**
 * A module that looks for a file relative to itself finds it where tsc would have put that module: it has a URL of its own. All of the bundle is in one
 * folder, so that it does not matter in which of its files the module ends up.
 */
function whereTheyWere(src, outdir) {
  const dist = dirname(outdir)
  return {
    name: 'where-they-were',
    setup({ onLoad }) {
      onLoad({ filter: /\.(tsx?|m?js)$/, namespace: 'file' }, async ({ path }) => {
        const isOwn = path.startsWith(src + sep)
        const text = isOwn ? await readFile(path, 'utf8') : await minified(path)
        if (!text.includes('import.meta.url')) return isOwn ? undefined : { contents: text, loader: 'js' }
        const built = isOwn ? relative(outdir, join(dist, relative(src, path))).replace(/\.tsx?$/, '.js') : '.'
        const url = `/* @__PURE__ */ new URL(${JSON.stringify(built.replaceAll(sep, '/'))}, __bundle_url).href`
        return { contents: `const __module_url = ${url};${text}`, loader: /[^.]+$/.exec(path)[0].replace('mjs', 'js') }
      })
    }
  }
}

/** A library's module without its comments and the names that only it uses. */
async function minified(path) {
  const { code } = await transform(await readFile(path, 'utf8'), {
    loader: 'js',
    minify: true,
    legalComments: 'none',
    charset: 'utf8'
  })
  return code
}

/** CommonJS modules ask for Node's own by `require`, which an ES module does not have. */
const BANNER = `import { createRequire as __create_require } from 'node:module';
const __bundle_url = import.meta.url, require = __create_require(__bundle_url);`

/** @returns esbuild's account of what is in it (its "metafile") */
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
    minifyWhitespace: true,
    minifySyntax: true,
    // Their licences are in THIRD-PARTY.txt.
    legalComments: 'none',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    jsx: 'automatic',
    charset: 'utf8',
    metafile: true,
    external: [...EXTERNAL, ...optional],
    // Else a link to another checkout's node_modules would be part of the names in it.
    preserveSymlinks: true,
    define: {
      'import.meta.url': '__module_url',
      // React's development build is slower, and says so; what Ink has for whoever develops it is left out.
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"'
    },
    banner: { js: BANNER },
    plugins: [whereTheyWere(src, outdir), withoutDevtools],
    logLevel: 'warning'
  })
  return metafile
}
