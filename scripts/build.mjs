// Compiles src/ to dist/ with the TypeScript compiler: one JavaScript file a module, so that thread entries are real files,
// with types and source maps. Incremental by nature of tsc being fast enough; dist/ is made anew so that nothing stale ships.
// The command line, src/cli/, is bundled instead (bundle-cli.mjs): nobody imports it, and it has to start quickly. So is the dashboard, which runs
// in browsers (bundle-dashboard.mjs).
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCli } from './bundle-cli.mjs'
import { bundleDashboard } from './bundle-dashboard.mjs'
import { writeManPage } from './man.mjs'
import { thirdPartyNotices } from './third-party.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const { peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
const metafile = await bundleCli(root, { optional: Object.keys(peerDependencies) })
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755)
writeFileSync(
  join(root, 'dist', 'cli', 'THIRD-PARTY.txt'),
  thirdPartyNotices(root, metafile, 'The command line of p2p-worker')
)
const page = await bundleDashboard(root)
const notices = thirdPartyNotices(root, page, 'The dashboard of p2p-worker')
writeFileSync(join(root, 'dist', 'http', 'dashboard', 'THIRD-PARTY.txt'), notices)
writeManPage()
