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
  it('stands for the only job that begins like that, also as a narrow table shows it', async () => {
    expect(await wholeJobId(client(one, other), jobId('1c0f2d8e…'), signal)).toBe(one)
    expect(await wholeJobId(client(one), '1c0f', signal)).toBe(one)
  })

  it('stands for none when several begin like that', async () => {
    await expect(wholeJobId(client(one, other), '1c0f2', signal)).rejects.toThrow(
      `several jobs begin with 1c0f2, ${one} and ${other}: give more of it`
    )
  })

  it('is no beginning where it is an id, and never one of an id that somebody chose', async () => {
    expect(await wholeJobId(client('1c0f', one), '1c0f', signal)).toBe('1c0f')
    expect(await wholeJobId(client('feed-1', 'feed-12'), 'feed', signal)).toBe('feed')
    expect(await wholeJobId(client('nightly-2'), 'nightly', signal)).toBe('nightly')
    expect(await wholeJobId(client(one), '1c0', signal)).toBe('1c0')
  })

  it('costs no question where the id is whole', async () => {
    const deaf = { status: () => Promise.reject(new Error('asked')) }
    expect(await wholeJobId(deaf, one, signal)).toBe(one)
  })
})
