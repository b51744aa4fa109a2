// Bundles the dashboard, src/http/dashboard/, into dist/http/dashboard/: a script, a style sheet and a page.
// The names of the script and the style sheet contain a hash of their content, so browsers may cache these files for ever.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** @returns esbuild's description of the bundle (its "metafile") */
export async function bundleDashboard(root) {
  const src = join(root, 'src/http/dashboard')
  const outdir = join(root, 'dist/http/dashboard')
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { app: join(src, 'main.tsx'), 'app-style': join(src, 'page.css') },
    outdir,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: ['chrome105', 'firefox104', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    metafile: true,
    // The licences of the libraries are in THIRD-PARTY.txt.
    legalComments: 'none',
    // Without this option, names in the bundle would depend on the target of a linked node_modules folder.
    preserveSymlinks: true,
    logLevel: 'warning'
  })
  rmSync(outdir, { recursive: true, force: true })
  mkdirSync(outdir, { recursive: true })
  let page = readFileSync(join(src, 'page.html'), 'utf8')
  for (const { path, contents } of outputFiles) {
    const end = path.endsWith('.css') ? 'css' : 'js'
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 10)
    writeFileSync(join(outdir, `app-${hash}.${end}`), contents)
    page = page.replace(`/dashboard/app.${end}"`, `/dashboard/app-${hash}.${end}"`)
  }
  writeFileSync(join(outdir, 'index.html'), page)
  return metafile
}
