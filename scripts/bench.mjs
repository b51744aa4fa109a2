// npm run bench -- NAME: runs bench/NAME.ts against the built package. The file is bundled first, since Node 20 runs no TypeScript.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const names = readdirSync(join(root, 'bench'))
  .filter(file => file.endsWith('.bench.ts'))
  .map(file => file.slice(0, -'.bench.ts'.length))
const [name, ...args] = process.argv.slice(2)
if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`)
  process.exit(2)
}
// Inside the checkout, so that imports of packages resolve; `test/cluster/processes.ts` finds the root from two levels down.
const folder = join(root, 'node_modules', '.p2p-worker-bench')
mkdirSync(folder, { recursive: true })
const file = join(folder, `${name}-${process.pid}.mjs`)
await build({
  entryPoints: [join(root, 'bench', `${name}.bench.ts`)],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning'
})
// Where node_modules is a link to another checkout's, it is this checkout that is measured all the same.
const child = spawn(process.execPath, ['--preserve-symlinks-main', file, ...args], { stdio: 'inherit' })
child.once('exit', (code, signal) => {
  rmSync(file, { force: true })
  process.exitCode = signal === null ? (code ?? 1) : 1
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
