// npm run fuzz -- [--minutes N] [--protocol NAME] [--seed S]: hostile frames of every protocol into the real handlers, until something is
// found or the time is over. The file is bundled first, since Node 20 runs no TypeScript.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-fuzz-'))
const file = join(folder, 'fuzz.mjs')
await build({
  entryPoints: [join(root, 'test', 'fuzz', 'main.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning'
})
const child = spawn(process.execPath, ['--enable-source-maps', file, ...process.argv.slice(2)], { stdio: 'inherit' })
child.once('exit', (code, signal) => {
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = signal === null ? (code ?? 1) : 1
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
