import { afterEach, describe, expect, it } from 'vitest'
import { FakeCluster } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { parts } from './squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

describe('a member without the right to submit', () => {
  it('a member without the right to submit is refused its own job by the leader, which counts that, and computes the jobs of others', async () => {
    cluster = new FakeCluster()
    const worker = cluster.add(new FakeRunner(1))
    const leader = cluster.add(new FakeRunner(1), { role: 'leader' })
    leader.network.admission.set([
      { peer: worker.id, may: ['join'] },
      { peer: leader.id, may: ['join', 'submit'] }
    ])
    cluster.elect(leader)
    const refused = async () => await (await worker.jobs.submit<number>(parts(1))).result()
    await expect(refused()).rejects.toMatchObject({
      name: 'NotAdmittedError',
      message: expect.stringContaining(`the allow list does not let ${worker.id} submit`)
    })
    // Jobs of other clients are refused to this member, too.
    await expect(worker.jobs.attach('somebody-elses')).rejects.toMatchObject({ name: 'NotAdmittedError' })
    expect(leader.network.refusals.counts().role).toBeGreaterThan(0)
    const job = await leader.jobs.submit<number>(parts(2))
    expect(await job.result()).toBe(expected(2))
  })
})
