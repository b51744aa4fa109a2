// npm run check:audit: fails on known high or critical vulnerabilities of the production dependencies. The check does not fail if the registry does not
// answer or has no audit reports, because then nothing is known about the dependencies. With `-`, the script reads the output of `npm audit --json`
// from stdin.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(fileURLToPath(import.meta.url), '../..')
/** The time limit for the registry, in ms, so that the check does not wait for ever for a registry that hangs. */
const LIMIT = 60_000
const FAILING = ['high', 'critical']
/** The error codes of the registry and the network. npm gives no code if the report itself is unavailable. */
const NO_ANSWER = /^(E[45]\d\d|ENOAUDIT|ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|E(RR_SOCKET_)?TIMEDOUT|ERR_SOCKET_TIMEOUT)$/

function ask() {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=1', `--fetch-timeout=${LIMIT / 3}`]
  const { stdout, signal } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', timeout: LIMIT })
  return signal === null ? stdout : JSON.stringify({ error: { code: 'ETIMEDOUT' } })
}

/** @returns whether the check passes, and the text to print */
function judge(text) {
  let report
  try {
    report = JSON.parse(text)
  } catch {
    return { ok: false, lines: ['npm audit printed no JSON'] }
  }
  const counts = report?.metadata?.vulnerabilities
  if (counts !== undefined) {
    const found = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => FAILING.includes(severity))
    const total = FAILING.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0)
    const lines = found.map(
      ({ name, severity, range, fixAvailable }) =>
        `${severity}: ${name} ${range}${fixAvailable ? '; a newer version has it fixed' : ''}`
    )
    const others = Object.entries(counts).filter(([severity]) => severity !== 'total' && !FAILING.includes(severity))
    const rest = others.map(([severity, count]) => `${count} ${severity}`).join(', ')
    lines.push(
      `${total} known vulnerabilities, high or critical, of production dependencies; besides ${rest || 'none'}`
    )
    return { ok: total === 0, lines }
  }
  const error = report?.error
  if (error !== undefined && (error.code === undefined || NO_ANSWER.test(error.code))) {
    const why = report.statusCode ?? error.code ?? 'it could not be reached'
    return { ok: true, lines: [`note: the registry gives no audit report (${why}); nothing was checked`] }
  }
  return { ok: false, lines: [`npm audit failed: ${error?.summary || error?.code || 'it printed no report'}`] }
}

const { ok, lines } = judge(process.argv[2] === '-' ? readFileSync(0, 'utf8') : ask())
for (const line of lines) console[ok ? 'log' : 'error'](line)
process.exitCode = ok ? 0 : 1
