import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NoClusterError } from '../../../src/common/errors.ts'
import type { LeaderSource } from '../../../src/jobs/client/leader-source.ts'
import { OverviewClient } from '../../../src/jobs/client/overview-client.ts'
import type { JobParts } from '../../../src/jobs/client/submission.ts'
import { Submitter } from '../../../src/jobs/client/submitter.ts'
import type { SubmitMessage } from '../../../src/jobs/protocol/submit-messages.ts'
import type { Channel } from '../../../src/network/types.ts'
import { IDS } from '../fake-cluster.ts'

const leader = { id: IDS[0]!, epoch: 1 }
const leaderSource: LeaderSource = { leader: () => leader, subscribe: () => () => {} }
const parts: JobParts = {
  bundle: { code: new Uint8Array([1]), sha256: 'ab'.repeat(32), name: 'squares', folder: '/tasks' },
  input: new Uint8Array([2])
}

/** Makes an `open` function that takes four seconds and then fails. */
function unreachable() {
  const calls = { count: 0 }
  const open = async (): Promise<never> => {
    calls.count += 1
    vi.advanceTimersByTime(4_000)
    throw new Error(`call ${calls.count} found nobody`)
  }
  return { calls, open }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a leader that is known and cannot be reached', () => {
  it('a submission to an unreachable leader fails after ten seconds, and the error has the id of the leader and the last cause', async () => {
    const { calls, open } = unreachable()
    const submitter = new Submitter({ leaderSource, open, onJobState: () => {}, onWaiting: () => {} })
    const error = await submitter.submit(parts).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(NoClusterError)
    expect((error as Error).message).toContain(leader.id)
    expect((error as Error).cause).toEqual(new Error('call 3 found nobody'))
    expect(calls.count).toBe(3)
  })

  it('a submission does not fail if sending the submit message takes longer than ten seconds', async () => {
    const { open } = unreachable()
    let attempts = 0
    const sent: SubmitMessage[] = []
    const channel = {
      remote: leader.id,
      closed: new AbortController().signal,
      send: async (message: SubmitMessage) => {
        sent.push(message)
        vi.advanceTimersByTime(60_000)
        // The first channel breaks before the leader has read the message. Then two attempts to open a channel fail.
        if (sent.length === 1) throw new Error('the connection broke')
        submitter.onMessage({ job: message.job, epoch: 1, type: 'accepted', folded: 0 }, channel)
      }
    } as unknown as Channel<SubmitMessage>
    const submitter = new Submitter({
      leaderSource,
      open: async () => {
        attempts += 1
        return attempts === 1 || attempts === 4 ? channel : open()
      },
      onJobState: () => {},
      onWaiting: () => {}
    })
    const job = await submitter.submit(parts)
    expect(sent).toHaveLength(2)
    submitter.stop()
    expect(job.progress.state).toBe('cancelled')
  })

  it('an overview request to an unreachable leader fails after ten seconds, and the error has the id of the leader and the last cause', async () => {
    const { calls, open } = unreachable()
    const error = await new OverviewClient({ leaderSource, open }).ask().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(NoClusterError)
    expect((error as Error).message).toContain(leader.id)
    expect((error as Error).cause).toEqual(new Error('call 3 found nobody'))
    expect(calls.count).toBe(3)
  })
})
