// Replaces npm in the blocks of documents, which have no registry and share node_modules with the repository. This program checks a command
// that it cannot run there. For example, it checks that a script or package exists.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [command = '', ...args] = process.argv.slice(2)
const own = JSON.parse(readFileSync('package.json', 'utf8'))

/** @param {string} message */
function fail(message) {
  console.error(`npm ${[command, ...args].join(' ')}: ${message}`)
  process.exit(1)
}
/** @param {string} what */
function checked(what) {
  console.error(`(not run: npm ${[command, ...args].join(' ')}; checked: ${what})`)
}

/** `npm ci` requires that package-lock.json names exactly the dependencies of package.json. */
function checkLock() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages['']
  for (const kind of ['dependencies', 'devDependencies']) {
    if (JSON.stringify(lock[kind]) !== JSON.stringify(own[kind])) fail(`package-lock.json has other ${kind}`)
  }
  checked('package-lock.json has what package.json names')
}

/** @param {string[]} specs */
function checkPackages(specs) {
  for (const spec of specs.filter(word => !word.startsWith('-'))) {
    if (/\.tgz$/.test(spec)) {
      if (!existsSync(spec)) fail(`there is no ${spec}`)
      continue
    }
    const [, name = '', range] = /^(@?[^@]+)(?:@(.*))?$/.exec(spec) ?? []
    if (range !== undefined && (own.devDependencies[name] ?? own.dependencies[name]) !== range) {
      fail(`${spec} is not the version that package.json names, which is tested`)
    }
  }
  checked('the packages are those that are tested, or files that are there')
}

/** @param {string[]} words */
function runScript([name = '', ...words]) {
  const script = own.scripts[name]
  if (script === undefined) fail('package.json has no such script')
  const rest = words.filter((word, i) => word !== '--' || i > 0)
  if (name === 'bench') return checkBench(rest)
  // A long run is shortened to about one second or to two seeds.
  if (name === 'fuzz' || name === 'simulate') {
    const short = rest.map((word, i) => (rest[i - 1] === '--minutes' ? '0.02' : rest[i - 1] === '--seeds' ? '2' : word))
    const { status } = spawnSync(process.execPath, [script.replace('node ', ''), ...short], { stdio: 'inherit' })
    process.exit(status ?? 1)
  }
  checked('package.json has the script')
}

/** @param {string[]} words */
function checkBench([bench = '', ...rows]) {
  const file = join('bench', `${bench}.bench.ts`)
  if (!existsSync(file)) fail(`there is no ${file}`)
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--packages=external', '--log-level=warning']
  const code = execFileSync(join('node_modules', '.bin', 'esbuild'), [file, ...bundle], { encoding: 'utf8' })
  for (const row of rows.filter(word => !/^\d+$/.test(word))) {
    if (!code.includes(row)) fail(`${file} knows nothing of ${row}`)
  }
  checked(`${file} is there, can be built, and knows these words`)
}

switch (command) {
  case 'ci':
    checkLock()
    break
  case 'test':
    if (own.scripts.test === undefined) fail('package.json has no tests')
    checked('package.json has tests')
    break
  case 'i':
  case 'install':
    checkPackages(args)
    break
  case 'run':
    runScript(args)
    break
  case 'pack':
  case 'view':
    if (command === 'view') checked('only the registry knows')
    else execFileSync(process.env.REAL_NPM ?? 'npm', ['pack', '--ignore-scripts', ...args], { stdio: 'inherit' })
    break
  default:
    fail('nobody has said how this is checked (test/docs/blocks/npm.mjs)')
}
