// npm run test:full: runs all tests, simulated worlds, fuzzed frames and code blocks of the documents on this version of Node. It also runs the
// tests of NODE (test/tiers.ts) on the other supported versions, and for each guarantee a patch that a test must notice. Run this
// script before a change counts as done. The run takes about 60 minutes on two processors.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The supported major versions of Node, except the version of this process, on which all tests run anyway. */
const OTHER_NODES = ['20', '22', '24', '26'].filter(version => version !== process.versions.node.split('.')[0])

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-full-'))
const failed = []
// No test is skipped: if a tool is missing, the tests that need this tool fail.
process.env.P2P_WORKER_REQUIRE_TOOLS = '1'

/** The time that steps have to clean up after a signal to this process, in ms. */
const GRACE_MS = 15_000
/** The running steps. Each leads a process group, so that its child processes end with it. */
const running = new Set()
let isOver = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isOver = true
    for (const { pid } of running) void endGroup(pid)
  })
}

/** Sends a signal to a process group, and returns whether the group still exists. The signal 0 only checks whether the group exists. */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Sends SIGTERM to the processes of a step, and kills the processes that still run after the grace period. */
async function endGroup(pid) {
  const began = performance.now()
  signalGroup(pid, 'SIGTERM')
  while (signalGroup(pid, 0) && performance.now() - began < GRACE_MS) await delay(100)
  signalGroup(pid, 'SIGKILL')
}

/**
 * Runs a step.
 * @param {string} name @param {string[]} command @param {{ env?: NodeJS.ProcessEnv, log?: string }} options with `log`, the step runs at the same time as
 * other steps, and prints its output only at its end
 * @returns {Promise<boolean>} whether it has passed
 */
async function step(name, [file, ...args], { env = {}, log } = {}) {
  if (isOver) return false
  const began = performance.now()
  console.log(`\n== ${name}${log === undefined ? '' : ', beside what follows'}`)
  const output = log === undefined ? 'inherit' : openSync(log, 'w')
  const child = spawn(file, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...env },
    detached: true
  })
  running.add(child)
  const hasPassed = await new Promise(resolve => {
    child.once('error', error => {
      console.error(error)
      resolve(false)
    })
    child.once('close', code => resolve(code === 0))
  })
  running.delete(child)
  if (log !== undefined) {
    closeSync(output)
    process.stdout.write(`\n== ${name}\n${readFileSync(log, 'utf8')}`)
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`== ${name}: ${hasPassed ? 'passed' : 'FAILED'} after ${minutes} min`)
  if (!hasPassed) failed.push(name)
  return hasPassed
}

/** Installs a version of Node from npm. Each platform has its own package, which contains the binary and needs no install script. */
async function install(version) {
  const prefix = join(folder, version)
  const name = `node-${process.platform}-${process.arch}`
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix]
  if (!(await step(`get Node ${version}`, ['npm', ...args, `${name}@${version}`]))) return undefined
  const bin = join(prefix, 'node_modules', name, 'bin')
  if (existsSync(join(bin, 'node'))) return bin
  failed.push(`Node ${version}: its package has no binary`)
  return undefined
}

const node = process.execPath
try {
  await step('build', [node, join(root, 'scripts', 'build.mjs'), '--if-stale'])
  const hasPassed = await step(`all tests, Node ${process.versions.node}`, [node, vitest, 'run', '--mode', 'full'])
  const mutations = join(root, 'scripts', 'mutations.mjs')
  await step('a broken version of the product for each guarantee', [node, mutations, ...(hasPassed ? ['--trust'] : [])])
  // This step mostly waits, so it runs at the same time as the other steps.
  const engine = step(
    'docker-compose.yml and the documents’ blocks for an engine',
    [node, vitest, 'run', '--config', 'test/compose/vitest.config.ts'],
    { log: join(folder, 'engine.log') }
  )
  try {
    for (const version of OTHER_NODES) {
      const bin = await install(version)
      if (bin === undefined) continue
      const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
      await step(`what Node can change, Node ${version}`, [join(bin, 'node'), vitest, 'run', '--mode', 'node'], { env })
    }
  } finally {
    await engine
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (isOver) failed.push('it was ended before all had run')
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed:\n${failed.map(name => `  ${name}`).join('\n')}`)
process.exitCode = failed.length === 0 ? 0 : 1
