import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { needsText } from './tools.ts'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const needsFile = fileURLToPath(new URL('needs.ts', import.meta.url))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Report {
  code: number | null
  stderr: string
  tests: Record<string, string>
}

/** Runs tests that need curl and tmux, and a test that needs no tool. The PATH contains only `programs`. */
function run(env: NodeJS.ProcessEnv, ...programs: string[]): Report {
  for (const name of programs) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o755)
  }
  writeFileSync(
    join(folder, 'some.test.ts'),
    `import { needs } from '${needsFile}'
     needs('curl').it('an answer', () => {})
     needs('curl', 'tmux').describe('a screen', () => needs().it('shows it', () => {}))
     needs().it('a sum', () => {})`
  )
  const report = join(folder, 'report.json')
  const args = ['run', '--root', folder, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status, stderr } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: folder,
    env: { PATH: folder, HOME: folder, NO_COLOR: '1', ...env },
    encoding: 'utf8'
  })
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { fullName: string; status: string }[] }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return { code: status, stderr, tests: Object.fromEntries(results.map(({ fullName, status }) => [fullName, status])) }
}

test('a test runs if its tools are installed', () => {
  expect(run({}, 'curl', 'tmux')).toMatchObject({
    code: 0,
    tests: { 'an answer': 'passed', 'a screen shows it': 'passed', 'a sum': 'passed' }
  })
})

test('a test whose tool is missing is skipped, and its title and a line on stderr name the tool and the Debian package', () => {
  const { code, stderr, tests } = run({}, 'tmux')
  expect([code, tests]).toEqual([
    0,
    {
      'an answer (needs curl; Debian: curl)': 'skipped',
      'a screen (needs curl; Debian: curl) shows it': 'skipped',
      'a sum': 'passed'
    }
  ])
  expect(stderr.match(/^not run: .*$/gm)).toEqual([
    'not run: an answer (needs curl; Debian: curl)',
    'not run: a screen (needs curl; Debian: curl)'
  ])
})

test('with P2P_WORKER_REQUIRE_TOOLS=1, a test whose tool is missing fails', () => {
  const { code, tests } = run({ P2P_WORKER_REQUIRE_TOOLS: '1' }, 'tmux')
  expect([code, tests]).toEqual([1, { 'an answer': 'failed', 'a screen': 'failed', 'a sum': 'passed' }])
})

test('the line on stderr names all missing tools, and the Debian package of each tool that has a package', () => {
  const tools = [{ name: 'tmux', debian: 'tmux' }, { name: 'a right' }, { name: 'zsh', debian: 'zsh' }]
  expect(needsText(tools)).toBe('needs tmux, a right, zsh; Debian: tmux zsh')
  expect(needsText([{ name: 'a right' }])).toBe('needs a right')
})
