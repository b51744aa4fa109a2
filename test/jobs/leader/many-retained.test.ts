import { afterEach, describe, expect, it } from 'vitest'
import { MAX_CHUNKS_A_MESSAGE } from '../../../src/jobs/protocol/wire-parts.ts'
import { FakeCluster } from '../fake-cluster.ts'
import { expected, FakeRunner } from '../fake-runner.ts'
import { gated, parts, until } from '../squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

describe('a worker that retains more chunks than one message can name', () => {
  it('a job completes after the channel of a worker breaks, although the worker retains more chunks than one message can name', async () => {
    cluster = new FakeCluster()
    const most = MAX_CHUNKS_A_MESSAGE + 1_000
    const { task, open } = gated(most)
    const runner = new FakeRunner(1, task)
    const worker = cluster.add(runner)
    const driving = new FakeRunner(1)
    const { openDriver } = driving
    // No checkpoint ever covers the retained partials of the worker.
    driving.openDriver = async options => ({ ...(await openDriver(options)), checkpoint: async () => undefined })
    const leader = cluster.add(driving, { role: 'leader' })
    cluster.elect(leader)
    const job = await leader.jobs.submit<number>(parts(most + 1))
    await until(() => job.progress.done === most && runner.running === 1)
    cluster.hub.disconnect(worker.id, leader.id)
    open()
    expect(await job.result()).toBe(expected(most + 1))
  })
})
