// Checks the package before it is published: its files, the scripts and hashes of its dependencies, publint and are-the-types-wrong. Run `npm run build` first.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { supplyProblems } from './check-supply.mjs'

const root = join(fileURLToPath(import.meta.url), '../..')

const MAY_SHIP = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  // The README links to these documents. Documents for developers of p2p-worker, pictures and the API reference are not published.
  /^docs\/(?!architecture|benchmarks|comparison|decisions|dependencies|protocol)[\w-]+\.md$/,
  // The route /api/openapi.yaml serves this file.
  /^docs\/openapi\.yaml$/,
  /^dist\/[\w./-]+\.(c?js|d\.ts)$/,
  // The layout of `top`, which dist/cli/main.js reads when it is needed.
  /^dist\/cli\/layout\.wasm$/,
  // The files of the dashboard.
  /^dist\/http\/dashboard\/(index\.html|app-[\da-f]+\.(js|css))$/,
  // The licences of the packages that are bundled into the command line, the HTTP API and the dashboard.
  /^dist\/(cli|http|http\/dashboard)\/THIRD-PARTY\.txt$/,
  // scripts/man.mjs generates the man page from the text of --help.
  /^man\/p2p-worker\.1$/,
  /^examples\/([\w-]+\.(ts|mjs)|README\.md)$/,
  // The test suite of the example in which `map --exec` runs a test suite in shards.
  /^examples\/test-suite\/[\w-]+(\.test)?\.mjs$/,
  // The data of the examples, and the documents that name the sources of the data.
  /^examples\/data\/[\w-]+\.(csv|md)$/,
  // docs/deploy.md links to these files.
  /^deploy\/[\w-]+\.(service|yaml)$/,
  // docs/operations.md links to these files.
  /^deploy\/(prometheus\/[\w.-]+\.yml|grafana\/[\w-]+\.json)$/
]
const MUST_SHIP = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/http/index.js',
  'dist/http/index.d.ts',
  'dist/http/THIRD-PARTY.txt',
  'dist/testing/index.js',
  'dist/testing/index.d.ts',
  'dist/tasks/thread/thread-entry.cjs',
  'docs/openapi.yaml',
  'dist/cli/main.js',
  'dist/cli/layout.wasm',
  'dist/cli/THIRD-PARTY.txt',
  'dist/http/dashboard/index.html',
  'dist/http/dashboard/THIRD-PARTY.txt',
  'man/p2p-worker.1',
  'examples/README.md',
  'examples/nas-ep.ts',
  'examples/n-queens.ts',
  'examples/word-count.ts',
  'examples/fenced-writer.mjs'
]

// Without --ignore-scripts, the `prepare` script would build again, and its output would be mixed with the JSON.
const [{ files }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
)
const paths = files.map(file => file.path)
const problems = [
  ...paths
    .filter(path => !MAY_SHIP.some(pattern => pattern.test(path)))
    .map(path => `must not be in the package: ${path}`),
  ...MUST_SHIP.filter(path => !paths.includes(path)).map(path => `is missing in the package: ${path}`),
  // Every built module has a source, except in dist/cli/ and the dashboard, which are bundles.
  ...paths
    .filter(path => /^dist\/(?!cli\/|http\/dashboard\/).*\.c?js$/.test(path))
    .filter(path => !existsSync(join(root, path.replace(/^dist/, 'src').replace(/js$/, 'ts'))))
    .map(path => `has no source (is dist/ stale?): ${path}`),
  ...supplyProblems(root)
]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`${paths.length} files would be published`)

const run = (command, ...args) =>
  execFileSync(join(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' })
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-package-'))
try {
  run('publint', '--strict')
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  // The package is ESM. Every supported version of Node can `require()` the package (check-installed.mjs tests that). But attw assumes
  // that older versions of Node cannot.
  run('attw', join(folder, readdirSync(folder)[0]), '--profile', 'esm-only')
} catch (error) {
  process.exitCode = error.status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
