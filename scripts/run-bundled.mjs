// Runs a program in TypeScript that works on the built package: bundles it first, since Node 20 runs no TypeScript.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs the program of this path, from the root, with the arguments of this process, which then ends as it did; signals reach it. */
export async function runBundled(path, args = process.argv.slice(2)) {
  // Inside the checkout, so that imports of packages resolve; `test/cluster/processes.ts` finds the root from two levels down.
  const folder = join(root, 'node_modules', '.p2p-worker-programs')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${basename(path, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, path)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning'
  })
  // Where node_modules is a link to another checkout's, it is this checkout that is meant all the same.
  const child = spawn(process.execPath, ['--preserve-symlinks-main', '--enable-source-maps', file, ...args], {
    stdio: 'inherit'
  })
  child.once('exit', (code, signal) => {
    rmSync(file, { force: true })
    process.exitCode = signal === null ? (code ?? 1) : 1
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
}
