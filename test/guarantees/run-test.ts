/** Runs one test of a checkout by its title, and reports how the test ended. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** `broken` means that no test with this title ran to its end, so the run proves nothing. */
export type Verdict = { is: 'passed' | 'failed' | 'broken'; why: string }

interface Report {
  testResults: { message: string; assertionResults: { status: string; failureMessages: string[] }[] }[]
}

/** Matches the output of a run in which the test could not run. Such a run gives no verdict about the patch. */
const NO_VERDICT = /SyntaxError|Transform failed|Cannot find (module|package)|Failed to (load|resolve)/

export interface RunInit {
  root: string
  path: string
  title: string
  testTimeout: number | undefined
  /** The limit of the whole run, in ms. */
  limit: number
  signal: AbortSignal
}

export async function runTest({ root, path, title, testTimeout, limit, signal }: RunInit): Promise<Verdict> {
  if (signal.aborted) return { is: 'broken', why: 'it was ended' }
  const file = join(root, 'verdict.json')
  rmSync(file, { force: true })
  const args = ['run', path, '-t', patternOf(title), '--maxWorkers=1', '--project=!isolated']
  const report = ['--reporter=json', `--outputFile=${file}`]
  const bound = testTimeout === undefined ? [] : [`--testTimeout=${testTimeout}`]
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const command = [vitest, ...args, ...report, ...bound]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let stderr = ''
  child.stderr.on('data', data => {
    stderr += data
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const end = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // The process group has already ended.
    }
  }
  const timer = setTimeout(end, limit)
  signal.addEventListener('abort', end, { once: true })
  await ended
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
  end()
  if (!existsSync(file)) return { is: 'broken', why: `no report: ${stderr.slice(-1_000)}` }
  return verdictOf(JSON.parse(readFileSync(file, 'utf8')) as Report)
}

function verdictOf({ testResults }: Report): Verdict {
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed' || status === 'failed')
  )
  if (ran.length === 0)
    return { is: 'broken', why: `no test ran. ${testResults.map(({ message }) => message).join(' ')}` }
  const failed = ran.find(({ status }) => status === 'failed')
  if (failed === undefined) return { is: 'passed', why: '' }
  const why = failed.failureMessages.join('\n')
  return { is: NO_VERDICT.test(why) ? 'broken' : 'failed', why }
}

/** Returns a pattern for a title. A `%s` in the title, which stands for the cases of a test, matches any text. */
function patternOf(title: string): string {
  return `${title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/%[sdi]/g, '.*')}$`
}
