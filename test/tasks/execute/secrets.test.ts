import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encode } from '../../../src/tasks/values/payload.ts'
import { executorOf, moduleOf, runValues } from '../helpers.ts'
import { valuesOf } from '../outcomes.ts'

/** A task that returns its own environment and the environment of its child process. */
const TELLING = moduleOf(`
  import { execFileSync } from 'node:child_process'
  export default { run: () => JSON.stringify(process.env) + execFileSync('env', { encoding: 'utf8' }) }
`)

beforeEach(() => {
  vi.stubEnv('P2P_WORKER_KEY', 'sesame')
  vi.stubEnv('P2P_WORKER_TOKEN', 'sesame')
  vi.stubEnv('OTHER', 'something else')
})

afterEach(() => vi.unstubAllEnvs())

test('a task in a thread gets the environment of its peer without the key and the token', async () => {
  const { partials } = await runValues(await executorOf([TELLING]), TELLING, [1])
  expect(partials.get(0)).toContain('something else')
  expect(partials.get(0)).not.toContain('sesame')
})

/** A task that returns the environment with which its process was started. */
const TELLING_OF_PROCESS = moduleOf(`
  import { readFileSync } from 'node:fs'
  export default { run: () => JSON.stringify(process.env) + readFileSync('/proc/self/environ', 'utf8') }
`)

test.skipIf(process.platform !== 'linux')('a task in its own process gets neither the key nor the token', async () => {
  const executor = await executorOf([TELLING_OF_PROCESS])
  const seen: unknown[] = []
  await executor.runQuarantined(
    { sha256: TELLING_OF_PROCESS.sha256, chunk: { index: 0, bytes: encode(1, 'chunk') }, chunkTimeout: undefined },
    { onOutcomes: ({ partials }) => seen.push(valuesOf(partials).get(0)) }
  )
  expect(seen).toEqual([expect.stringContaining('something else')])
  expect(seen[0]).not.toContain('sesame')
})
