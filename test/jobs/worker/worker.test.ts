import { expect, it, vi } from 'vitest'
import { silent } from '../../../src/common/logger.ts'
import type { Election } from '../../../src/election/types.ts'
import type { WorkMessage } from '../../../src/jobs/protocol/work-messages.ts'
import { Worker } from '../../../src/jobs/worker/worker.ts'
import { memoryChannel } from '../../../src/network/channel/memory-channel.ts'
import type { Channel } from '../../../src/network/types.ts'
import { FakeElection, IDS } from '../fake-cluster.ts'
import { FakeRunner } from '../fake-runner.ts'

/** Makes a worker. `call` opens a channel as a leader, and records the messages that the worker sends on that channel. */
function startWorker() {
  const election = new FakeElection(IDS[0]!)
  const worker = new Worker({
    election: election as unknown as Election,
    runner: new FakeRunner(1),
    codeStore: { has: () => false, put: async () => {} },
    logger: silent
  })
  const call = (leader: string, epoch: number): { channel: Channel<WorkMessage>; heard: WorkMessage[] } => {
    const heard: WorkMessage[] = []
    const [channel] = memoryChannel<WorkMessage>(leader, { onMessage: message => void heard.push(message) }, worker)
    void channel.send({ epoch, type: 'welcome' })
    return { channel, heard }
  }
  return { election, worker, call }
}

it('after an unaccepted rival leader has called and gone, a worker closes the channel of its real leader, so that the real leader calls again', async () => {
  const { election, call } = startWorker()
  election.set({ id: IDS[1]!, epoch: 4, rank: { priority: 0, id: IDS[1]! } })
  const leader = call(IDS[1]!, 4)
  await expect.poll(() => leader.heard.map(({ type }) => type)).toEqual(['hello'])
  const rival = call(IDS[2]!, 5)
  await expect.poll(() => rival.heard.map(({ type }) => type)).toEqual(['hello'])
  expect(leader.channel.closed.aborted).toBe(false)
  rival.channel.abort(new Error('the rival is gone'))
  expect(leader.channel.closed.aborted).toBe(true)
})

it('a worker does not close the channel of a former leader when the channel of the present leader breaks', async () => {
  const { election, call } = startWorker()
  election.set({ id: IDS[1]!, epoch: 4, rank: { priority: 0, id: IDS[1]! } })
  const before = call(IDS[1]!, 4)
  await expect.poll(() => before.heard.length).toBe(1)
  const leader = call(IDS[2]!, 5)
  await expect.poll(() => leader.heard.length).toBe(1)
  election.set({ id: IDS[2]!, epoch: 5, rank: { priority: 0, id: IDS[2]! } })
  leader.channel.abort(new Error('it is gone'))
  expect(before.channel.closed.aborted).toBe(false)
})

it('a worker leaves a leader that the election does not confirm within 6 s, and ignores the next call of that leader', async () => {
  vi.useFakeTimers()
  try {
    const { election, call } = startWorker()
    election.set({ id: IDS[1]!, epoch: 4, rank: { priority: 0, id: IDS[1]! } })
    const leader = call(IDS[1]!, 4)
    await vi.advanceTimersByTimeAsync(1)
    const rival = call(IDS[2]!, 2 ** 40)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(rival.heard).toMatchObject([{ type: 'hello' }])
    expect(leader.channel.closed.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(2_000)
    // The worker also closes the channel of its leader, so that the leader calls again.
    expect([rival.channel.closed.aborted, leader.channel.closed.aborted]).toEqual([true, true])
    const again = call(IDS[2]!, 2 ** 41)
    await vi.advanceTimersByTimeAsync(1)
    expect(again.heard).toEqual([])
    election.set({ id: IDS[2]!, epoch: 5, rank: { priority: 0, id: IDS[2]! } })
    const elected = call(IDS[2]!, 5)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(elected.heard).toMatchObject([{ type: 'hello' }])
    expect(elected.channel.closed.aborted).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

it('a worker remembers the last 100 callers that the election did not confirm', async () => {
  vi.useFakeTimers()
  try {
    const { election, call } = startWorker()
    election.set({ id: IDS[1]!, epoch: 4, rank: { priority: 0, id: IDS[1]! } })
    for (let i = 0; i <= 100; i++) {
      call(`rival ${i}`, 5 + i)
      await vi.advanceTimersByTimeAsync(6_000)
    }
    const [first, second] = [call('rival 0', 1_000), call('rival 1', 1_001)]
    await vi.advanceTimersByTimeAsync(1)
    expect(second.heard).toEqual([])
    expect(first.heard).toMatchObject([{ type: 'hello' }])
  } finally {
    vi.useRealTimers()
  }
})
