import { afterEach, describe, expect, it } from 'vitest'
import type { WorkMessage } from '../../src/jobs/work-messages.ts'
import type { Channel } from '../../src/network/types.ts'
import { FakeCluster } from './fake-cluster.ts'
import { expected, FakeRunner } from './fake-runner.ts'
import { gated, parts, until } from './squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

describe('a job that is submitted under the id of one that is over and forgotten', () => {
  it('takes no partial of that one for its own, however late that arrives', async () => {
    cluster = new FakeCluster()
    const runner = new FakeRunner(1, { run: () => 12_345 })
    const worker = cluster.add(runner)
    const leader = cluster.add(new FakeRunner(1), { role: 'leader' })
    cluster.elect(leader)
    // Opens the channels.
    const first = await leader.jobs.submit<number>(parts(0), { id: 'nightly', keep: 0 })
    await first.result()

    // What the worker says of chunks is long on its way.
    const delayed: (() => Promise<void>)[] = []
    let isSlow = true
    for (const channel of cluster.hub.channels as Set<Channel<unknown> & { owner: string; spec: { name: string } }>) {
      if (channel.owner !== worker.id || channel.spec.name !== 'work') continue
      const send = channel.send.bind(channel)
      channel.send = message => {
        if (!isSlow || (message as WorkMessage).type !== 'outcomes') return send(message)
        delayed.push(() => send(message))
        return Promise.resolve()
      }
    }
    const second = await leader.jobs.submit<number>(parts(1), { id: 'nightly', keep: 0 })
    await until(() => delayed.length === 1)
    await second.cancel()

    const { task, open } = gated()
    runner.task = task
    isSlow = false
    const third = await leader.jobs.submit<number>(parts(2), { id: 'nightly', keep: 0 })
    await until(() => runner.running === 1)
    for (const send of delayed) await send()
    open()
    expect(await third.result()).toBe(expected(2))
  })

  it('does not fail with a split of that one that ends late', async () => {
    cluster = new FakeCluster()
    const splits: ((error: Error) => void)[] = []
    const split = (): Promise<void> =>
      splits.length === 0 ? new Promise((_, reject) => splits.push(reject)) : Promise.resolve()
    const runner = new FakeRunner(1, { split })
    const peer = cluster.add(runner)
    cluster.elect(peer)
    const first = await peer.jobs.submit<number>(parts(1), { id: 'nightly', keep: 0 })
    await until(() => splits.length === 1)
    await first.cancel()
    const { task, open } = gated()
    runner.task = task
    const second = await peer.jobs.submit<number>(parts(2), { id: 'nightly', keep: 0 })
    splits[0]!(new Error('the first job is over'))
    await new Promise(resolve => setImmediate(resolve))
    open()
    expect(await second.result()).toBe(expected(2))
  })
})
