import { describe, expect, it } from 'vitest'
import type { ClusterStatus } from '../../../src/api/types.ts'
import { wholeJobId } from '../../../src/cli/jobs/find-job.ts'
import { jobId } from '../../../src/cli/options/options.ts'

const one = '1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57'
const other = '1c0f2aaa-6c39-4f9e-9f0a-0d5f4d0c8a57'
const { signal } = new AbortController()
const client = (...ids: string[]) => ({
  status: () => Promise.resolve({ jobs: ids.map(id => ({ jobId: id })) } as unknown as ClusterStatus)
})

describe('the beginning of an id', () => {
  it('the beginning of an id selects the only job with this beginning, even when it ends with the ellipsis of a narrow table', async () => {
    expect(await wholeJobId(client(one, other), jobId('1c0f2d8e…'), signal)).toBe(one)
    expect(await wholeJobId(client(one), '1c0f', signal)).toBe(one)
  })

  it('the beginning of an id is refused when several ids have it', async () => {
    await expect(wholeJobId(client(one, other), '1c0f2', signal)).rejects.toThrow(
      `several jobs begin with 1c0f2, ${one} and ${other}: give more of it`
    )
  })

  it('text that equals a whole id selects this id, and the beginning of an id never selects an id that a user chose', async () => {
    expect(await wholeJobId(client('1c0f', one), '1c0f', signal)).toBe('1c0f')
    expect(await wholeJobId(client('feed-1', 'feed-12'), 'feed', signal)).toBe('feed')
    expect(await wholeJobId(client('nightly-2'), 'nightly', signal)).toBe('nightly')
    expect(await wholeJobId(client(one), '1c0', signal)).toBe('1c0')
  })

  it('a complete id needs no request to the leader', async () => {
    const deaf = { status: () => Promise.reject(new Error('asked')) }
    expect(await wholeJobId(deaf, one, signal)).toBe(one)
  })
})
