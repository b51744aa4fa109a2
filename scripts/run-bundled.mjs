// Runs a program in TypeScript that works on the built package: bundles it first, since Node 20 runs no TypeScript.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs the program of this path (from the checkout's root) with the arguments of this process, which then ends as it did; signals reach it.
 *
 * @param hasMaps - stacks show the sources; not where time is measured
 */
export async function runBundled(path, args = process.argv.slice(2), { hasMaps = true } = {}) {
  // Inside the checkout, so that imports of packages resolve; `test/cluster/processes.ts` finds the root from two levels down.
  const folder = join(root, 'node_modules', '.p2p-worker-programs')
  mkdirSync(folder, { recursive: true })
  removeLeftovers(folder)
  const file = join(folder, `${basename(path, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [join(root, path)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: hasMaps ? 'inline' : false,
    logLevel: 'warning'
  })
  // Where node_modules is a link to another checkout's, it is this checkout that is meant all the same.
  const options = ['--preserve-symlinks-main', ...(hasMaps ? ['--enable-source-maps'] : [])]
  const child = spawn(process.execPath, [...options, file, ...args], { stdio: 'inherit' })
  child.once('exit', (code, signal) => {
    rmSync(file, { force: true })
    process.exitCode = signal === null ? (code ?? 1) : 1
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
}

/** What a run that was killed could not remove. */
function removeLeftovers(folder) {
  for (const name of readdirSync(folder)) {
    const pid = Number(/-(\d+)\.mjs$/.exec(name)?.[1])
    if (!isRunning(pid)) rmSync(join(folder, name), { force: true })
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
