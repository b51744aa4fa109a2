import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ProcessCluster } from './processes.ts'

test('a peer with isolation shows tasks neither its key nor where it is saved', async () => {
  const cluster = await ProcessCluster.start(1, ['--isolation', 'process', '--profile', 'local'])
  onTestFinished(() => cluster.stop())
  await cluster.settled()
  const key = cluster.env.P2P_WORKER_KEY!
  mkdirSync(join(cluster.home, 'keys'))
  writeFileSync(join(cluster.home, 'keys', 'test.key'), `${key}\n`, { mode: 0o600 })
  const input = JSON.stringify({ home: cluster.home })
  const { code, stdout } = await cluster.run(['run', 'test/cluster/tasks/nosy.ts', '--input', input])
  expect(code).toBe(0)
  // It has looked, and found no more than its own two lists of variables.
  expect(stdout).toContain('TMPDIR')
  expect(stdout).not.toContain(key)
  expect(stdout).not.toContain('test.key')
  expect(await readFile(join(cluster.home, 'keys', 'test.key'), 'utf8')).toContain(key)
})
