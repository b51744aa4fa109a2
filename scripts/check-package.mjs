// Checks what would be published: the files in the package, scripts and hashes of what comes with it, then publint and are-the-types-wrong. Run `npm run build` first.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { supplyProblems } from './check-supply.mjs'

const root = join(fileURLToPath(import.meta.url), '../..')

const MAY_SHIP = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  // README leads there. What developers of p2p-worker read, pictures and the reference of the API stay in the repository.
  /^docs\/(?!benchmarks|decisions|protocol)[\w-]+\.md$/,
  // /api/openapi.yaml answers with it.
  /^docs\/openapi\.yaml$/,
  /^dist\/[\w./-]+\.(c?js|d\.ts)$/,
  // The dashboard, as it is and compressed.
  /^dist\/http\/dashboard\/(index\.html|app-[\da-f]+\.(js|css))(\.br|\.gz)?$/,
  // Of those whose code is bundled into the command line, the HTTP API and the dashboard.
  /^dist\/(cli|http|http\/dashboard)\/THIRD-PARTY\.txt$/,
  // Made from what --help says (scripts/man.mjs).
  /^man\/p2p-worker\.1$/,
  /^examples\/([\w-]+\.(ts|mjs)|README\.md)$/,
  // What `map --exec` has peers run in shards.
  /^examples\/test-suite\/[\w-]+(\.test)?\.mjs$/,
  // What the examples learn from, and where it comes from.
  /^examples\/data\/[\w-]+\.(csv|md)$/,
  // docs/deploy.md leads there.
  /^deploy\/[\w-]+\.(service|yaml)$/,
  // docs/operations.md leads there.
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

// --ignore-scripts: `prepare` would build again, and print into the JSON.
const [{ files }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
)
const paths = files.map(file => file.path)
const problems = [
  ...paths
    .filter(path => !MAY_SHIP.some(pattern => pattern.test(path)))
    .map(path => `must not be in the package: ${path}`),
  ...MUST_SHIP.filter(path => !paths.includes(path)).map(path => `is missing in the package: ${path}`),
  // Every module that was built comes from a source that is there; dist/cli/ and the dashboard are bundles.
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
  // The package is ESM. `require()` of it works on every supported Node (check-installed.mjs tries), though not in the model
  // of types that this tool has of older ones.
  run('attw', join(folder, readdirSync(folder)[0]), '--profile', 'esm-only')
} catch (error) {
  process.exitCode = error.status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
