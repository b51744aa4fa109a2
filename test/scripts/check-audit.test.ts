import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/check-audit.mjs', import.meta.url))

/** Runs check-audit.mjs on this output of `npm audit --json`. */
function judged(output: unknown): { code: number | null; said: string } {
  const input = typeof output === 'string' ? output : JSON.stringify(output)
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '-'], { input, encoding: 'utf8' })
  return { code: status, said: stdout + stderr }
}

const none = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 }
const vulnerability = (name: string, severity: string) => ({ name, severity, range: '<2.0.0', fixAvailable: true })

test('a report without vulnerabilities passes the check', () => {
  expect(judged({ vulnerabilities: {}, metadata: { vulnerabilities: none } })).toMatchObject({ code: 0 })
})

test.each(['high', 'critical'])('a %s vulnerability fails the check, and the output names the package', severity => {
  const vulnerabilities = { bad: vulnerability('bad', severity) }
  const { code, said } = judged({
    vulnerabilities,
    metadata: { vulnerabilities: { ...none, [severity]: 1, total: 1 } }
  })
  expect(code).toBe(1)
  expect(said).toContain(`${severity}: bad <2.0.0`)
})

test('a report with a moderate vulnerability passes the check, and the output counts the vulnerability', () => {
  const vulnerabilities = { fair: vulnerability('fair', 'moderate') }
  const { code, said } = judged({ vulnerabilities, metadata: { vulnerabilities: { ...none, moderate: 1, total: 1 } } })
  expect(code).toBe(0)
  expect(said).toContain('1 moderate')
})

const unanswered: Array<[string, object]> = [
  ['without audit reports', { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } }],
  ['with status 503', { message: '503 Service Unavailable', statusCode: 503, error: { summary: '', detail: '' } }],
  ['that refuses connections', { message: 'connect ECONNREFUSED', error: { summary: '', detail: '' } }],
  ['with an unknown name', { error: { code: 'ENOTFOUND', summary: 'getaddrinfo ENOTFOUND', detail: '' } }],
  ['that times out', { error: { code: 'ETIMEDOUT' } }]
]

test.each(unanswered)('a registry %s does not fail the check, and the output contains a note', (_, output) => {
  const { code, said } = judged(output)
  expect(code).toBe(0)
  expect(said).toMatch(/^note: .*nothing was checked/)
})

const broken: Array<[string, unknown]> = [
  ['no lockfile', { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.' } }],
  ['an empty text', ''],
  ['no JSON', 'npm error'],
  ['unrelated JSON', { name: 'p2p-worker' }],
  ['the JSON null', 'null']
]

test.each(broken)('audit output with %s fails the check', (_, output) => {
  expect(judged(output).code).toBe(1)
})
