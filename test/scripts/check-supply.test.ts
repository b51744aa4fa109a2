import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = new URL('../../scripts/check-supply.mjs', import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = `import { supplyProblems } from ${JSON.stringify(script.href)}
console.log(JSON.stringify(supplyProblems(process.argv[1])))`

function problemsOf(folder: string): string[] {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program, folder], { encoding: 'utf8' })
  return JSON.parse(stdout)
}

interface Locked {
  integrity?: string
  hasInstallScript?: boolean
  dev?: boolean
}

/** Returns the problems of a package that has these scripts, and a lockfile with these packages in addition to the listed package. */
function problems(scripts: Record<string, string>, packages: Record<string, Locked>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-supply-'))
  try {
    const listed = { 'node_modules/esbuild': { integrity: 'sha512-a', hasInstallScript: true } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...listed, ...packages } }))
    return problemsOf(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('this package and its lockfile have no supply problem', () => {
  expect(problemsOf(root)).toEqual([])
})

test.each(['preinstall', 'install', 'postinstall'])('a script "%s" of the package itself is a problem', name => {
  expect(problems({ [name]: 'node evil.js', prepare: 'npm run build' }, {})).toEqual([
    `package.json must have no script "${name}"`
  ])
})

test('a locked package without a hash or with a SHA-1 hash is a problem', () => {
  const found = problems({}, { 'node_modules/a': {}, 'node_modules/b': { integrity: 'sha1-a' } })
  expect(found).toEqual([
    'package-lock.json has no hash of node_modules/a',
    'package-lock.json has no hash of node_modules/b'
  ])
})

test('an unlisted dependency with an install script is a problem, unless only developers install it', () => {
  const running = { integrity: 'sha512-a', hasInstallScript: true }
  const found = problems({}, { 'node_modules/a': running, 'node_modules/b': { ...running, dev: true } })
  expect(found).toHaveLength(1)
  expect(found[0]).toContain('node_modules/a runs a script')
})
