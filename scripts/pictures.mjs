// npm run pictures [-- --to FOLDER] [--quick]: makes the pictures of the dashboard and of `top` that the documents show, from the built package. What makes them is
// bundled first, since Node 20 runs no TypeScript.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
// Inside the checkout, so that imports of packages resolve; `test/cluster/processes.ts` finds the root from two levels down.
const folder = join(root, 'node_modules', '.p2p-worker-pictures')
mkdirSync(folder, { recursive: true })
const file = join(folder, `pictures-${process.pid}.mjs`)
await build({
  entryPoints: [join(root, 'test', 'browser', 'make-pictures.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning'
})
// Where node_modules is a link to another checkout's, it is this checkout that is looked at all the same.
const child = spawn(process.execPath, ['--preserve-symlinks-main', file, ...process.argv.slice(2)], {
  stdio: 'inherit'
})
child.once('exit', (code, signal) => {
  rmSync(file, { force: true })
  process.exitCode = signal === null ? (code ?? 1) : 1
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
