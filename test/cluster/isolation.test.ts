import { readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/api/client.ts'
import { ProcessCluster } from './processes.ts'

const ISOLATED = ['--isolation', 'process', '--profile', 'local']

async function clusterOf(count: number, args: string[] = []): Promise<ProcessCluster> {
  const cluster = await ProcessCluster.start(count, [...ISOLATED, ...args])
  onTestFinished(() => cluster.stop())
  await cluster.settled()
  return cluster
}

const isRunning = (pid: number): boolean => readdirSync('/proc').includes(String(pid))

describe('peers that run tasks in processes of their own', () => {
  it('peers with isolation compute the exact result when their leader is killed', async () => {
    const cluster = await clusterOf(4)
    const client = await connect({
      cluster: 'test',
      key: cluster.env.P2P_WORKER_KEY!,
      bootstrap: cluster.peers.map(peer => peer.addresses[0]!),
      mdns: false
    })
    onTestFinished(() => client.close())
    const job = await client.submit<{ n: number; ms: number }, number>('test/cluster/tasks/sleep-sum.ts', {
      n: 60,
      ms: 60
    })
    await new Promise<void>(resolve => {
      job.addEventListener('progress', ({ detail }) => detail.done >= 10 && resolve())
    })
    await cluster.byRank()[0]!.end('SIGKILL')
    expect(await job.result()).toBe((60 * 59) / 2)
  })

  it.runIf(process.platform === 'linux')(
    'peers with isolation leave no process behind when they are killed, even if a task loops in one',
    async () => {
      const cluster = await clusterOf(1)
      const command = cluster.spawn(['run', 'test/cluster/tasks/spinning.ts'])
      await command.until('the chunk runs', ({ stderr }) => /pid \d+/.test(stderr))
      const pid = Number(/pid (\d+)/.exec(command.stderr)![1])
      expect(isRunning(pid)).toBe(true)
      await cluster.peers[0]!.end('SIGKILL')
      await expect.poll(() => isRunning(pid)).toBe(false)
      command.child.kill('SIGKILL')
      await command.ended
    }
  )

  it('peers with isolation warn users who run commands that isolated tasks cannot start any', async () => {
    const cluster = await clusterOf(1)
    const { code, stderr } = await cluster.run(['map', '--exec', 'echo {}'], { input: 'a\n' })
    expect(code).toBe(1)
    expect(stderr).toContain('--isolation process')
  })
})
