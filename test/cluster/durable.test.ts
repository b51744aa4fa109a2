import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

const TASK = 'test/cluster/tasks/sleep-sum.ts'

describe('a job that must be on two disks', () => {
  let cluster: ProcessCluster
  let first: PeerProcess

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
    first = await start(1)
    const other = cluster.join([])
    await other.ready()
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  const start = async (n: number): Promise<PeerProcess> => {
    const peer = cluster.join(['--data-dir', join(cluster.home, `data ${n}`)])
    await peer.ready()
    return peer
  }
  const run = (input: object, ...args: string[]): ReturnType<ProcessCluster['run']> =>
    cluster.run(['run', TASK, '--input', JSON.stringify(input), '--durable', '2', ...args])

  it('the command that submits it exits 1 with advice while there is one disk, and says where the job is held once there are two', async () => {
    const refused = await run({ n: 1, ms: 0 }, '--detach')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/must be on 2 disks, and only 1 peer with a data folder.*--data-dir/)
    const { error } = JSON.parse((await run({ n: 1, ms: 0 }, '--json')).stdout)
    expect(error).toMatchObject({ name: 'NotDurableError', disks: 1, durable: 2 })
    const later = await run({ n: 1, ms: 0 }, '--in', '1h')
    expect(later).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/must be on 2 disks/) })

    await start(2)
    await cluster.settled()
    const accepted = await run({ n: 1, ms: 0 }, '--detach')
    expect(accepted).toMatchObject({ code: 0, stderr: 'held by 3 peers, 2 of them on disk\n' })
    const { durability } = JSON.parse((await run({ n: 1, ms: 0 }, '--detach', '--json')).stdout)
    expect(durability).toEqual({ memory: 3, disk: 2 })
    const waiting = await run({ n: 1, ms: 0 }, '--in', '720h')
    expect(waiting).toMatchObject({ code: 0, stderr: 'held by 3 peers, 2 of them on disk\n' })
  })

  it('a job goes on when a disk is lost, `result` says that it waits, and its outcome is there when the disk is back', async () => {
    const until = join(cluster.home, 'until')
    const { jobId } = JSON.parse((await run({ n: 400, ms: 250, until }, '--detach', '--json')).stdout)
    const jobs = async (): Promise<unknown> => JSON.parse((await cluster.run(['jobs', '--json'])).stdout)
    expect(await jobs()).toContainEqual(
      expect.objectContaining({ jobId, state: 'running', durable: 2, durability: { memory: 3, disk: 2 } })
    )
    await first.end('SIGKILL')
    await writeFile(until, '')
    const result = cluster.spawn(['result', jobId])
    await vi.waitFor(
      async () =>
        expect(await jobs()).toContainEqual(
          expect.objectContaining({ jobId, durable: 2, durability: { memory: 2, disk: 1 } })
        ),
      { timeout: 60_000 }
    )
    await vi.waitFor(() => expect(result.stderr).toContain('waits for 2 disks, and 1 has it: start more peers'), {
      timeout: 20_000
    })
    expect(result.stdout).toBe('')
    first = await start(1)
    expect(await result.ended).toMatchObject({ code: 0, stdout: '79800\n' })
  })
})
