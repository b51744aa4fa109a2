import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ProcessCluster } from './processes.ts'

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('a chunk that ends its process takes down two peers; then the job fails with the reason, and the cluster continues', async () => {
  const cluster = await ProcessCluster.create()
  onTestFinished(() => cluster.stop())
  // The leader computes chunks as well, so the first of the two peers may be the leader.
  const leader = cluster.join(['--election-priority', '1'])
  await leader.ready()
  for (let i = 0; i < 3; i++) cluster.join()
  await Promise.all(cluster.peers.map(peer => peer.ready()))
  await cluster.settled(leader)

  const file = join(cluster.home, 'ran')
  const input = JSON.stringify({ file, n: 40 })
  const { code, stdout, stderr } = await cluster.run(['run', 'test/cluster/tasks/deadly.ts', '--input', input])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('chunk 3')
  expect(stderr).toContain('ProcessEndedError: its process was ended by SIGKILL')

  const pids = (await readFile(file, 'utf8')).trim().split('\n').map(Number)
  expect(pids).toHaveLength(3)
  expect(pids.filter(isRunning)).toEqual([])
  const dead = cluster.peers.filter(peer => !cluster.live.includes(peer))
  expect(dead.map(({ child }) => child.pid)).toEqual(expect.arrayContaining(pids.slice(0, 2)))
  expect(dead).toHaveLength(2)
  const [one, other] = cluster.live
  await Promise.all([one!.sees(other!.id, 'alive'), other!.sees(one!.id, 'alive')])
  const next = await cluster.run(['run', 'test/cluster/tasks/squares.ts', '--input', '{"n":10}'])
  expect(next.stdout.trim()).toBe('385')
})
