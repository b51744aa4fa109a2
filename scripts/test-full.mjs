// npm run test:full: every test, every world, every frame and every block of the documents, on this Node; what another Node can change on the
// other versions; one patch for each guarantee, which its test must notice. Before a change counts as done; some 60 minutes on two processors.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Without this process's own, which runs everything. */
const OTHER_NODES = ['20', '22', '24', '26'].filter(version => version !== process.versions.node.split('.')[0])

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-full-'))
const failed = []
// Nothing is skipped here: a tool that is missing fails the tests that need it.
process.env.P2P_WORKER_REQUIRE_TOOLS = '1'

/** @param {string} name @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env */
function step(name, command, args, env = {}) {
  const began = performance.now()
  console.log(`\n== ${name}`)
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} after ${minutes} min`)
  if (status !== 0) failed.push(name)
  return status === 0
}

/** The binary of npm's `node` package comes in a package for each platform, and needs no install script. */
function install(version) {
  const prefix = join(folder, version)
  const name = `node-${process.platform}-${process.arch}`
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix]
  if (!step(`get Node ${version}`, 'npm', [...args, `${name}@${version}`])) return undefined
  const bin = join(prefix, 'node_modules', name, 'bin')
  return existsSync(join(bin, 'node')) ? bin : undefined
}

try {
  step('build', process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'])
  const hasPassed = step(`all tests, Node ${process.versions.node}`, process.execPath, [
    vitest,
    'run',
    '--mode',
    'full'
  ])
  step('docker-compose.yml and the documents’ blocks for an engine', process.execPath, [
    vitest,
    'run',
    '--config',
    'test/compose/vitest.config.ts'
  ])
  const mutations = [join(root, 'scripts', 'mutations.mjs'), ...(hasPassed ? ['--trust'] : [])]
  step('a broken version of the product for each guarantee', process.execPath, mutations)
  for (const version of OTHER_NODES) {
    const bin = install(version)
    if (bin === undefined) continue
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
    step(`what Node can change, Node ${version}`, join(bin, 'node'), [vitest, 'run', '--mode', 'node'], env)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed:\n${failed.map(name => `  ${name}`).join('\n')}`)
process.exitCode = failed.length === 0 ? 0 : 1
