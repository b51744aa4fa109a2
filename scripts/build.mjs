// Compiles src/ to dist/ with the TypeScript compiler: one JavaScript file for each module, so that the entries of threads are real files, and the public
// types (trim-dist.mjs). The build first removes dist/, so that no stale file is published. `p2p-worker/http` becomes one file with its libraries
// (bundle-http.mjs). The command line, src/cli/, is bundled (bundle-cli.mjs), because no module imports the command line, and it must start quickly.
// The dashboard is bundled for browsers (bundle-dashboard.mjs). With --if-stale the script builds only if the sources have changed, so that `npm
// test` after `npm ci` starts at once.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleCli } from './bundle-cli.mjs'
import { bundleDashboard } from './bundle-dashboard.mjs'
import { bundleHttp } from './bundle-http.mjs'
import { writeManPage } from './man.mjs'
import { thirdPartyNotices } from './third-party.mjs'
import { trimDist } from './trim-dist.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const { dependencies, peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The file with the digest of the last build's inputs. The file is in node_modules, because everything in dist/ is published. */
const stamp = join(root, 'node_modules', '.p2p-worker-build')

/** Returns a digest of the sources, and of the settings of the build tools. */
function inputs() {
  const hash = createHash('sha256')
  for (const folder of ['src', 'scripts']) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const files = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, path, name }) => join(parentPath ?? path, name))
    for (const file of files.sort())
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
  }
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

const digest = inputs()
const last = ['dist/index.js', 'dist/http/dashboard/THIRD-PARTY.txt', 'man/p2p-worker.1']
const isFresh =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === digest && last.every(file => existsSync(join(root, file)))
if (process.argv.includes('--if-stale') && isFresh) process.exit()

rmSync(stamp, { force: true })
rmSync(join(root, 'dist'), { recursive: true, force: true })
// The build does not check the types, because its output does not depend on the check. `npm run types` checks the types.
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--noCheck'], { stdio: 'inherit' })
const http = await bundleHttp(root, Object.keys(dependencies))
await trimDist(join(root, 'dist'), ['index.d.ts', 'http/index.d.ts', 'testing/index.d.ts'])
const metafile = await bundleCli(root, { optional: Object.keys(peerDependencies) })
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755)
// Tests read the content of the bundle from this file.
writeFileSync(join(root, 'node_modules', '.p2p-worker-cli.json'), JSON.stringify(metafile))
writeFileSync(
  join(root, 'dist', 'cli', 'THIRD-PARTY.txt'),
  thirdPartyNotices(root, metafile, 'The command line of p2p-worker')
)
writeFileSync(
  join(root, 'dist', 'http', 'THIRD-PARTY.txt'),
  thirdPartyNotices(root, http, 'The HTTP API of p2p-worker')
)
const page = await bundleDashboard(root)
const notices = thirdPartyNotices(root, page, 'The dashboard of p2p-worker')
writeFileSync(join(root, 'dist', 'http', 'dashboard', 'THIRD-PARTY.txt'), notices)
writeManPage()
writeFileSync(stamp, digest)
