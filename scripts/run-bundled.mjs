// Bundles and runs a TypeScript program that uses the built package. The bundle is needed because Node 20 cannot run TypeScript.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs the program at this path (from the root of the checkout) with the arguments of this process. This process forwards signals to the program and
 * ends with its exit code.
 *
 * @param hasMaps - whether stacks refer to the TypeScript sources. Benchmarks turn this option off, because source maps cost time.
 */
export async function runBundled(path, args = process.argv.slice(2), { hasMaps = true } = {}) {
  // The folder is inside the checkout, so that imports of packages resolve, and two levels deep, as `test/cluster/processes.ts` expects.
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
  // If node_modules is a link to another checkout, the program must still resolve paths from this checkout.
  const options = ['--preserve-symlinks-main', ...(hasMaps ? ['--enable-source-maps'] : [])]
  const child = spawn(process.execPath, [...options, file, ...args], { stdio: 'inherit' })
  child.once('exit', (code, signal) => {
    rmSync(file, { force: true })
    process.exitCode = signal === null ? (code ?? 1) : 1
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
}

/** Removes the files that earlier runs left behind when they were killed. */
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
