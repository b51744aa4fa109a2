import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/simulate.mjs', import.meta.url))

function simulate(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', timeout: 60_000 })
}

test.each(['membership', 'election', 'quorum', 'journal', 'voters', 'jobs', 'cluster'])(
  'npm run simulate runs seeds of the %s core',
  core => {
    const { status, stdout } = simulate('--seeds', '3', '--from', '5', '--core', core)
    expect(stdout).toContain(`${core}: 3 seeds from 5, 0 failed\n`)
    expect(status).toBe(0)
  }
)

test('npm run simulate prints the whole trace of a seed', () => {
  const { status, stdout } = simulate('--seeds', '1', '--from', '3', '--trace')
  expect(stdout).toMatch(/^ +\d+\.\d {2}p\d {2}hears of p\d @0$/m)
  expect(stdout).toMatch(/world {2}has no more faults\n/)
  expect(stdout).toMatch(/world {2}has been of one mind since \d+ ms after the faults\n$/)
  expect(status).toBe(0)
})

test.each([['--seeds', 'many'], ['--core', 'apple'], ['--apple']])(
  'npm run simulate prints its usage when the arguments are wrong: %s %s',
  (...args) => {
    const { status, stderr } = simulate(...args)
    expect(stderr).toContain('usage: npm run simulate')
    expect(status).toBe(2)
  }
)
