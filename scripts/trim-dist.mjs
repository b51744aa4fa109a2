// Trims the output of the compiler: removes comments and indentation from the code, shortens local names, and removes type declarations that no entry of
// the package imports.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { withoutNamesOfArrows } from './keep-names.mjs'

/** @param entries - the declaration files of the package's entries, relative to `dist` */
export async function trimDist(dist, entries) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const scripts = files.filter(name => name.endsWith('.js'))
  // Errors and stacks show names, but not those of the generated code in wire/.
  for (const keepNames of [true, false]) {
    const { outputFiles } = await build({
      write: false,
      entryPoints: scripts.filter(name => name.startsWith('wire') !== keepNames).map(name => join(dist, name)),
      outdir: dist,
      outbase: dist,
      format: 'esm',
      tsconfigRaw: {},
      allowOverwrite: true,
      minify: true,
      keepNames,
      legalComments: 'none',
      charset: 'utf8',
      target: 'node20',
      logLevel: 'warning'
    })
    for (const { path, text } of outputFiles) writeFileSync(path, withoutNamesOfArrows(text))
  }
  const reached = new Set(entries)
  for (const file of reached) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, path] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      reached.add(join(dirname(file), path).replace(/(?:\.d)?\.(c?)[jt]sx?$/, '.d.$1ts'))
  }
  for (const file of files.filter(name => /\.d\.c?ts$/.test(name) && !reached.has(name))) rmSync(join(dist, file))
}
