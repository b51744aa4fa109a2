// Compiles src/ to dist/ with the TypeScript compiler: one JavaScript file a module, so that thread entries are real files,
// with types and source maps. Incremental by nature of tsc being fast enough; dist/ is made anew so that nothing stale ships.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeManPage } from './man.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
const bin = join(root, 'dist', 'cli', 'main.js')
if (existsSync(bin)) chmodSync(bin, 0o755)
writeManPage()
