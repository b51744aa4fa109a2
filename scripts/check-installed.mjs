// Installs the packed package into a project, as a user does. Tests the command with a user's task, and tests `import`, `require` and the types.
// Needs the registry (or npm's cache) for the dependencies.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The largest sizes of the packed and of the installed package, in MB. */
const MOST_PACKED = 1.5
const MOST_INSTALLED = 70

const root = join(fileURLToPath(import.meta.url), '../..')
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-installed-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const project = join(folder, 'project')
const home = join(folder, 'home')
mkdirSync(project)
mkdirSync(home)

const FILES = {
  'package.json': '{ "private": true, "type": "module" }\n',
  // The task imports a file in the same folder, and that file imports a CommonJS package from npm.
  'units.ts': `import ms from 'ms'\nexport const seconds = (text: string): number => ms(text as '1s') / 1000\n`,
  'minutes.ts': `import { defineTask } from 'p2p-worker'
import { seconds } from './units.ts'

export default defineTask({
  name: 'minutes',
  *split(input: { n: number }) {
    for (let i = 1; i <= input.n; i++) yield \`\${i}m\`
  },
  run: minutes => seconds(minutes),
  initial: 0,
  reduce: (sum, value) => sum + value
})
`,
  'import.mjs': `import { connect, defineTask, join } from 'p2p-worker'
import { startCluster } from 'p2p-worker/testing'
if ([connect, defineTask, join, startCluster].some(value => typeof value !== 'function')) throw new Error('an export is missing')
`,
  'http.mjs': `import { join } from 'p2p-worker'
import { PeerMetrics, serveHttp } from 'p2p-worker/http'
const metrics = new PeerMetrics()
const peer = await join({ insecure: true, mdns: false, listen: ['/ip4/127.0.0.1/tcp/0'], metrics: metrics.libp2p })
const server = await serveHttp(peer, { port: 0, metrics })
for (const path of ['', 'api/status', 'api/openapi.yaml', 'metrics']) {
  const { status } = await fetch(new URL(path, server.url), { headers: { authorization: 'Bearer ' + server.token } })
  if (status !== 200) throw new Error(path + ' answers ' + status)
}
await server.stop()
await peer.leave()
`,
  'require.cjs': `const { connect, defineTask, join } = require('p2p-worker')
if ([connect, defineTask, join].some(value => typeof value !== 'function')) throw new Error('an export is missing')
`,
  'types.ts': `import { defineTask, type Job, join } from 'p2p-worker'
import minutes from './minutes.ts'
const peer = await join({ insecure: true, mdns: false })
const job: Job<number> = await peer.submit(minutes, { n: 3 })
const result: number = await job.result()
// @ts-expect-error: the input needs n
await peer.submit(minutes, {})
// @ts-expect-error: a task needs run
defineTask({ name: 'nothing' })
console.log(result)
`,
  'tsconfig.json': `{ "compilerOptions": { "target": "ES2022", "module": "NodeNext", "strict": true, "noEmit": true, "esModuleInterop": true,
  "allowImportingTsExtensions": true, "skipLibCheck": false, "lib": ["ES2023", "DOM", "ESNext.Disposable"], "types": ["node"] }, "files": ["types.ts"] }\n`
}
for (const [name, content] of Object.entries(FILES)) writeFileSync(join(project, name), content)

// The environment omits the variables that npm passes to the scripts of this package.
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|command|execpath|node)/.test(name))
)
function run(command, ...args) {
  console.log(`$ ${command} ${args.join(' ')}`)
  try {
    return execFileSync(command, args, {
      cwd: project,
      env: { ...env, HOME: home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit']
    })
  } catch (error) {
    console.error(error.stdout)
    throw error
  }
}

execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
  cwd: root,
  stdio: 'inherit'
})
const tarball = readdirSync(folder).find(name => name.endsWith('.tgz'))
// Install scripts run, as they do for most users: the script of esbuild checks esbuild's binary.
run('npm', 'i', join(folder, tarball), 'ms@2', '@types/ms@2', '@types/node@20', '--no-fund', '--no-audit')

// Compares two sizes with their limits: the size of the download, and the size of all installed packages that p2p-worker brings into the project.
const kilobytes = path => Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0])
const packed = statSync(join(folder, tarball)).size / 1e6
const added = ['ms', '@types', 'undici-types'].map(name => kilobytes(join(project, 'node_modules', name)))
const installed = (kilobytes(join(project, 'node_modules')) - added.reduce((sum, each) => sum + each, 0)) / 1e3
console.log(`${packed.toFixed(2)} MB packed, ${installed.toFixed(1)} MB installed`)
if (packed > MOST_PACKED || installed > MOST_INSTALLED)
  throw new Error(`at most ${MOST_PACKED} MB packed and ${MOST_INSTALLED} MB installed`)

const version = run('npx', 'p2p-worker', '--version').trim()
if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`--version printed ${version}`)
run('node', 'import.mjs')
run('node', 'require.cjs')
run('node', 'http.mjs')
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' })
const printed = run('npx', 'p2p-worker', 'demo', '--input', '{"n":1000}', 'minutes.ts')
if (!printed.includes('30030000'))
  throw new Error(`the sum of 1 to 1000 minutes is 30030000 seconds, the demo printed:\n${printed}`)
console.log('the package works in a user’s project')
