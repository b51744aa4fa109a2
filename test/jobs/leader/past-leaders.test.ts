import { afterEach, describe, expect, it } from 'vitest'
import type { JournalMessage } from '../../../src/journal/messages.ts'
import { FakeCluster, type FakePeer } from '../fake-cluster.ts'
import { expected, FakeRunner } from '../fake-runner.ts'
import { parts, until } from '../squares.ts'

let cluster: FakeCluster

afterEach(() => cluster.stop())

/** Whether a peer was given a checkpoint of `next` chunks to store. */
const holds = (peer: FakePeer, from: FakePeer, next: number): boolean =>
  cluster.hub.sent.some(({ from: id, to, protocol, message }) => {
    if (id !== from.id || to !== peer.id || protocol !== 'journal') return false
    const said = message as JournalMessage
    return said.type === 'update' && said.checkpoint.next === next
  })

describe('a leader without news of the previous one', () => {
  it('a leader without news of the previous one reattaches the chunks that workers got from it: the journal names the leaders of the job', async () => {
    cluster = new FakeCluster()
    const gates = [10, 20].map(at => {
      let open = (): void => {}
      const opened = new Promise<void>(resolve => {
        open = resolve
      })
      return { at, open: () => open(), opened }
    })
    const run = async (chunk: number): Promise<number> => {
      for (const { at, opened } of gates) if (chunk >= at) await opened
      return chunk * chunk
    }
    const runner = new FakeRunner(1, { run })
    cluster.add(runner)
    const [third, second, first] = [1, 2, 3].map(() => cluster.add(new FakeRunner(1), { role: 'leader' })) as [
      FakePeer,
      FakePeer,
      FakePeer
    ]
    third.election.history = () => []
    cluster.elect(first)
    const job = await third.jobs.submit<number>(parts(40))
    await until(() => holds(third, first, 10))
    cluster.kill(first)
    cluster.elect(second)
    gates[0]!.open()
    await until(() => holds(third, second, 20) && runner.running === 1)
    cluster.kill(second)
    cluster.elect(third)
    gates[1]!.open()
    expect(await job.result()).toBe(expected(40))
    expect(runner.started).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })
})
