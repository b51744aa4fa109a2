// npm run check:deploy: checks docker-compose.yml with the schema of the Compose specification (so that version 2 of Compose accepts the
// file), the manifests in deploy/ with the schemas of Kubernetes, and the systemd unit with systemd, if systemd is installed. The schemas come from
// packages that are installed only for this check.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOOLS = ['dclint@3.1.0', 'kubernetes-models@4.5.1', 'yaml@2.9.1']

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-check-'))
let failures = 0

/** @param {string} what @param {string[]} problems */
function report(what, problems) {
  console.log(`${problems.length === 0 ? 'ok     ' : 'FAILED '} ${what}`)
  for (const problem of problems) console.log(`    ${problem}`)
  if (problems.length > 0) failures++
}

function checkCompose() {
  const linter = join(folder, 'node_modules', '.bin', 'dclint')
  const { status, stdout } = spawnSync(linter, ['--quiet', '--no-color', join(root, 'docker-compose.yml')], {
    encoding: 'utf8'
  })
  report('docker-compose.yml is of the Compose specification', status === 0 ? [] : stdout.trim().split('\n'))
}

/** @param {NodeRequire} require @param {string} file */
function checkKubernetes(require, file) {
  const { parseAllDocuments } = require('yaml')
  const documents = parseAllDocuments(readFileSync(join(root, file), 'utf8'))
  const problems = []
  for (const document of documents) {
    problems.push(...document.errors.map(({ message }) => message))
    const object = document.toJS()
    try {
      const models = require(`kubernetes-models/${object.apiVersion}`)
      new models[object.kind](object).validate()
    } catch (error) {
      problems.push(`${object?.kind}: ${error.message}`)
    }
  }
  report(`${file}: ${documents.length} objects are of Kubernetes' schemas`, problems)
}

function checkUnit() {
  const unit = join(root, 'deploy', 'p2p-worker.service')
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  if (error !== undefined) console.log('not run deploy/p2p-worker.service: there is no systemd-analyze here')
  // systemd-analyze exits 0 even if it prints warnings about unknown settings, so any output on stderr counts as a problem.
  else report('deploy/p2p-worker.service', status === 0 && stderr === '' ? [] : stderr.trim().split('\n'))
}

try {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--prefix', folder, ...TOOLS]
  execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] })
  checkCompose()
  const require = createRequire(join(folder, 'package.json'))
  for (const file of ['deploy/kubernetes.yaml', 'deploy/kubernetes-lease.yaml']) checkKubernetes(require, file)
  checkUnit()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures > 0 ? 1 : 0
