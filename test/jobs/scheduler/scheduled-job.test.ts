import { expect, it } from 'vitest'
import { ScheduledJob } from '../../../src/jobs/scheduler/scheduled-job.ts'

const TERMS = { retries: 0, speculate: true, requires: {}, priority: 0 }

// Found by `P2P_WORKER_SEED=1687338633 npx vitest run test/fuzz/clients.test.ts -t submit`. Each stream that began at a high item used a megabyte.
it('a stream that resumes at a high item uses no memory for the earlier items', () => {
  const { chunks } = new ScheduledJob(
    'stream',
    { ...TERMS, ahead: { chunks: 100, bytes: 1_000 } },
    { next: 2 ** 40, perPeer: {} }
  )
  expect(chunks.record.bytes).toBeLessThan(4_096)
  chunks.add([1, 1, 1])
  expect(chunks.record.since(0)).toMatchObject({ first: 2 ** 40, end: 2 ** 40 + 3, runs: [2 ** 40, 3, 0] })
})

it('chunks folded by earlier leaders count as done', () => {
  const { chunks } = new ScheduledJob('job', { ...TERMS, task: 'sha' }, { next: 300, perPeer: {} })
  chunks.add([1, 1])
  expect(chunks.record.since(0).runs).toEqual([0, 300, 1, 300, 2, 0])
})
