import { afterEach, describe, expect, it, vi } from 'vitest'
import { NoClusterError } from '../../../src/common/errors.ts'
import type { LeaderSource } from '../../../src/jobs/client/leader-source.ts'
import { Submitter } from '../../../src/jobs/client/submitter.ts'
import type { SubmitMessage } from '../../../src/jobs/protocol/submit-messages.ts'
import type { Channel } from '../../../src/network/types.ts'
import { IDS } from '../fake-cluster.ts'
import { parts } from '../squares.ts'

const leader = { id: IDS[0]!, epoch: 1 }
const leaderSource: LeaderSource = { leader: () => leader, subscribe: () => () => {} }

const unhandled: unknown[] = []
const onUnhandled = (error: unknown): void => void unhandled.push(error)

afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
  vi.useRealTimers()
})

describe('a detached job whose signal aborts while its leader cannot be reached', () => {
  it('when the cancel of a detached job cannot reach the leader, result() rejects with NoClusterError and no rejection stays unhandled', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    process.on('unhandledRejection', onUnhandled)
    const closed = new AbortController()
    let calls = 0
    const channel = {
      remote: leader.id,
      closed: closed.signal,
      send: async ({ job, type }: SubmitMessage) => {
        if (type === 'submit') submitter.onMessage({ job, epoch: 1, type: 'accepted', folded: 0 }, channel)
        else throw new Error('the connection broke')
      }
    } as unknown as Channel<SubmitMessage>
    const submitter = new Submitter({
      leaderSource,
      open: async () => {
        calls += 1
        if (calls === 1) return channel
        vi.advanceTimersByTime(6_000)
        throw new Error('nobody there')
      },
      onJobState: () => {},
      onWaiting: () => {}
    })
    const gone = new AbortController()
    const job = await submitter.submit(parts(3), { detach: true, signal: gone.signal })
    gone.abort()
    await expect(job.result()).rejects.toBeInstanceOf(NoClusterError)
    await new Promise(resolve => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })
})
