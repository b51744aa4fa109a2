import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ISOLATION_ROWS } from '../../src/tasks/process/isolation-table.ts'
import { ProcessCluster } from './processes.ts'

async function isolatedPeer(): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.start(1, ['--isolation', 'process', '--profile', 'local'])
  onTestFinished(() => cluster.stop())
  await cluster.settled()
  return cluster
}

test('a peer with isolation reports at its start which restrictions its version of Node does not enforce', async () => {
  const cluster = await isolatedPeer()
  expect(cluster.peers[0]!.stderr).toContain(`isolation: not enforced by Node ${process.version} on linux, tasks may: `)
  // The report must list every row that is not enforced. Before Node 25, the network is among these rows.
  const open = ISOLATION_ROWS.filter(({ enforced }) => !enforced)
  expect(open.length).toBeGreaterThan(2)
  for (const { what } of open) expect(cluster.peers[0]!.stderr).toContain(what)
  const hasNetwork = Number(process.versions.node.split('.')[0]) < 25
  expect(open.some(({ what }) => what.includes('network'))).toBe(hasNetwork)
})

test('a peer with isolation hides its key and its key file from tasks', async () => {
  const cluster = await isolatedPeer()
  const key = cluster.env.P2P_WORKER_KEY!
  mkdirSync(join(cluster.home, 'keys'))
  writeFileSync(join(cluster.home, 'keys', 'test.key'), `${key}\n`, { mode: 0o600 })
  const input = JSON.stringify({ home: cluster.home })
  const { code, stdout } = await cluster.run(['run', 'test/cluster/tasks/nosy.ts', '--input', input])
  expect(code).toBe(0)
  // The output shows that the task has searched, and that it found only its own environment variables.
  expect(stdout).toContain('TMPDIR')
  expect(stdout).not.toContain(key)
  expect(stdout).not.toContain('test.key')
  expect(await readFile(join(cluster.home, 'keys', 'test.key'), 'utf8')).toContain(key)
})
