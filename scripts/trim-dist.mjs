// Leaves of what the compiler has written what users need: the code without comments and indentation, and the types that an entry of the package leads to.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transformSync } from 'esbuild'

/** @param entries - the declarations of what users import, below `dist` */
export function trimDist(dist, entries) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter(name => /\.c?js$/.test(name))) {
    const { code } = transformSync(readFileSync(join(dist, file), 'utf8'), {
      minifyWhitespace: true,
      legalComments: 'none',
      charset: 'utf8',
      target: 'node20'
    })
    writeFileSync(join(dist, file), code)
  }
  const reached = new Set(entries)
  for (const file of reached) {
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, path] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
      reached.add(join(dirname(file), path).replace(/(?:\.d)?\.(c?)[jt]sx?$/, '.d.$1ts'))
  }
  for (const file of files.filter(name => /\.d\.c?ts$/.test(name) && !reached.has(name))) rmSync(join(dist, file))
}
