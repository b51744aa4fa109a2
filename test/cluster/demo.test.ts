import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProcessCluster, type RunningCommand } from './processes.ts'

/** Lists processes whose environment has the mark of this test: peers that a demo started inherit the environment of the demo. */
function marked(mark: string): string[] {
  const found = execFileSync('sh', [
    '-c',
    `grep -lz '^P2PW_TEST_MARK=${mark}$' /proc/[0-9]*/environ 2>/dev/null || true`
  ])
  return found.toString().split('\n').filter(Boolean)
}

describe.skipIf(process.platform !== 'linux')('p2p-worker demo', () => {
  let home: ProcessCluster

  beforeAll(async () => {
    home = await ProcessCluster.create()
  })

  afterAll(() => home.stop())

  const demo = (mark: string, args: string[] = []): RunningCommand => {
    const { P2P_WORKER_KEY, P2P_WORKER_CLUSTER, ...env } = home.env
    return home.spawnBare(['demo', ...args], { ...env, P2PW_TEST_MARK: mark })
  }

  it('a demo runs a task of the user, kills the leader, and compares the result with the result of a single thread', async () => {
    const mark = `own-${process.pid}`
    const input = JSON.stringify({ n: 40, ms: 50 })
    const { code, stderr, stdout } = await demo(mark, ['--input', input, 'test/cluster/tasks/sleep-sum.ts']).ended
    expect(code, stderr + stdout).toBe(0)
    expect(stderr + stdout).toMatch(/SIGKILL|kill/i)
    expect(marked(mark)).toEqual([])
  })

  it('a demo fails when the result of the peers differs from the result of a single thread', async () => {
    const { code } = await demo('wrong', ['test/cluster/tasks/unrepeatable.ts', '--input', '[1,2,3]']).ended
    expect(code).toBe(1)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('a demo leaves no process behind after %s', async signal => {
    const mark = `${signal}-${process.pid}`
    const input = JSON.stringify({ n: 80, ms: 50 })
    const command = demo(mark, ['--input', input, 'test/cluster/tasks/sleep-sum.ts'])
    await command.until('a leader', ({ stderr, stdout }) => /lead/i.test(stderr + stdout))
    expect(marked(mark).length).toBeGreaterThan(1)
    command.child.kill(signal)
    await command.ended
    await expect.poll(() => marked(mark), { timeout: 60_000, interval: 50 }).toEqual([])
  })
})
