/** Schedules while leaders change. */
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { JobCancelledError } from '../../src/common/errors.ts'
import type { Peer } from '../../src/index.ts'
import { startCluster } from '../../src/testing/cluster.ts'

const DUE = fileURLToPath(new URL('./tasks/due.ts', import.meta.url))
const SOON = { timeout: 20_000, interval: 20 }

/** Collects the ids of the jobs of a schedule that complete at the peers, in their order. */
function completed(name: string, peers: readonly Peer[]): string[] {
  const ids: string[] = []
  for (const peer of peers)
    peer.addEventListener('job', ({ detail: { jobId, state } }) => {
      if (state === 'completed' && jobId.startsWith(`${name}@`) && !ids.includes(jobId)) ids.push(jobId)
    })
  return ids
}

async function until(ids: string[], count: number): Promise<void> {
  await vi.waitFor(() => expect(ids.length).toBeGreaterThanOrEqual(count), SOON)
}

test('schedules and jobs that start later go on under the next leader, without a due time that is missing or has two jobs', async () => {
  await using own = await startCluster({ peers: 3 })
  const ids = completed('moving', own.peers)
  const at = new Date(Date.now() + 6_000)
  const job = await own.client.submit<{ ms?: number }, string>(DUE, {}, { at })
  await own.client.schedules.add('moving', '* * * * * *', DUE, {}, { missed: 'all', overlap: 'queue' })
  for (let moves = 0; moves < 2; moves++) {
    await until(ids, ids.length + 1)
    const leader = own.peers.find(({ id }) => id === own.client.leader?.id)!
    await own.stop(leader)
    await own.untilLeader()
  }
  await until(ids, ids.length + 2)
  const times = ids.map(id => Date.parse(id.split('@')[1]!)).sort((a, b) => a - b)
  expect(times).toEqual(times.map((_, i) => times[0]! + i * 1_000))
  expect(await job.result()).toBe(at.toISOString())
  expect((await own.client.schedules.list())[0]?.skipped).toBe(0)
})

test('the next leader knows that a job was cancelled before its time', async () => {
  await using own = await startCluster({ peers: 3 })
  const options = { at: new Date(Date.now() + 3_600_000), id: 'cancelled' }
  await (await own.client.submit(DUE, {}, options)).cancel()
  await own.stop(own.peers.find(({ id }) => id === own.client.leader?.id)!)
  await own.untilLeader()
  await expect((await own.client.job('cancelled')).result()).rejects.toThrow(JobCancelledError)
  await expect((await own.client.submit(DUE, {}, options)).result()).rejects.toThrow(JobCancelledError)
  expect(await own.client.schedules.list()).toEqual([])
})
