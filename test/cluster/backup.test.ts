import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster, root } from './processes.ts'

describe('a backup of a running peer', () => {
  let folder: string
  let cluster: ProcessCluster

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    cluster = await ProcessCluster.create()
  })

  afterEach(async () => {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function started(): Promise<PeerProcess> {
    const peer = cluster.join(['--data-dir', join(folder, 'peer')])
    await peer.ready()
    await cluster.settled()
    return peer
  }

  it('a backup that was made while a job ran is restored as the same peer, which ends the job', async () => {
    const peer = await started()
    const [file, until] = [join(folder, 'lines'), join(folder, 'until')]
    const input = JSON.stringify({ n: 20, ms: 300, file, until })
    const task = join(root, 'test/cluster/tasks/sleep-sum.ts')
    const { stdout } = await cluster.run(['run', task, '--detach', '--json', '--input', input])
    const { jobId } = JSON.parse(stdout) as { jobId: string }

    const target = join(folder, 'backup')
    const backup = (to: string) => cluster.spawnBare(['backup', '--data-dir', join(folder, 'peer'), to], {}).ended
    expect(await backup(target)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^.*backup: \d+ entries/) })
    const again = await backup(target)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('no empty folder') })
    const doctor = await cluster.run(['doctor', '--json', '--data-dir', join(folder, 'peer')])
    expect(doctor.code).toBe(0)
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      findings: expect.arrayContaining([
        { what: 'data folder', verdict: 'fine', text: expect.stringContaining('a running peer uses') }
      ])
    })

    await peer.end('SIGKILL')
    await rm(join(folder, 'peer'), { recursive: true })
    await rename(target, join(folder, 'peer'))
    expect(await readdir(folder)).not.toContain('backup')
    const restored = await started()
    expect(restored.id).toBe(peer.id)
    expect(restored.stderr).toContain('the data folder is damaged')
    const result = cluster.run(['result', jobId, '--wait', '60s'])
    expect(await result).toMatchObject({ code: 0, stdout: '190\n' })
  })
})
