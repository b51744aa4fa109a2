import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { LeaderSays, WorkMessage } from '../../../src/jobs/protocol/work-messages.ts'
import type { RunMode } from '../../../src/jobs/scheduler/index.ts'
import { WorkerCore } from '../../../src/jobs/worker/worker-core.ts'
import type { Channel } from '../../../src/network/types.ts'
import { pack } from '../../../src/tasks/values/pack.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { encodeShardRound } from '../../../src/tasks/values/shard-round.ts'
import { digestsOf, valuesOf } from '../../tasks/outcomes.ts'
import { IDS } from '../fake-cluster.ts'
import { FakeRounds } from '../fake-rounds.ts'
import { until } from '../squares.ts'

type Says = Exclude<LeaderSays, { type: 'welcome' }>

const SHA256 = 'ab'.repeat(32)
const NAMES = ['state 0', 'state 1', 'shard 0', 'shard 1', 'shard 2']
/** Values by their names in this test. */
const values = new Map(
  NAMES.map(name => {
    const number = Number(name.slice(-1)) + 1
    return [name, encode(name.startsWith('state') ? { sum: number } : { number }, 'value')]
  })
)
const idOf = (name: string): string => createHash('sha256').update(values.get(name)!).digest('hex')
const nameOf = (id: string): string => NAMES.find(name => idOf(name) === id) ?? id

/** A batch of a job with three shards. */
function batch(indices: number[], { job = 'a', mode = 'plain' as RunMode } = {}): Says & { type: 'batch' } {
  const references = indices.map(index => {
    const [round, shard] = [Math.floor(index / 3), index % 3]
    return encodeShardRound({ round, shard, state: idOf(`state ${round}`), data: idOf(`shard ${shard}`) })
  })
  return {
    type: 'batch',
    job,
    sha256: SHA256,
    mode,
    indices,
    chunks: pack(references),
    chunkTimeout: undefined,
    priority: 0,
    digests: digestsOf(indices),
    seal: new Uint8Array(64),
    submissionId: 'the first',
    combine: false
  }
}

function answer(names: string[], { job = 'a', missing = [] as string[] } = {}): Says {
  const parts = names.map(name => values.get(name)!)
  return { type: 'values', job, ids: names.map(idOf), values: pack(parts), missing: missing.map(idOf) }
}

/** Makes a worker that has the code of the task. The test sends the messages of the leader. */
function start({ slots = 1, valueBytes = 2 ** 20 } = {}) {
  const runner = new FakeRounds(slots)
  const said: WorkMessage[] = []
  const bench = new WorkerCore({ runner, codeStore: { has: () => true, put: async () => {} }, valueBytes })
  let epoch = 0
  const begin = (): void => {
    const channel = { remote: IDS[0]!, send: async (message: WorkMessage) => void said.push(message) }
    bench.begin({ channel: channel as unknown as Channel<WorkMessage>, epoch: ++epoch })
  }
  begin()
  return {
    runner,
    bench,
    begin,
    tell: (message: Says) => bench.handle(message),
    said,
    /** Removes all sent messages, and returns the names of the requested values, one list for each request. */
    asked: () =>
      said.splice(0).flatMap(message => (message.type === 'values-request' ? [message.ids.map(nameOf)] : [])),
    returned: () => said.flatMap(message => (message.type === 'returned' ? message.indices : [])),
    failed: () => said.flatMap(message => (message.type === 'outcomes' ? message.failed : [])),
    partials: () =>
      new Map(
        said.flatMap(message => {
          if (message.type !== 'outcomes') return []
          return [...valuesOf(message.partials)]
        })
      ),
    runs: () => runner.started.map(({ round, shard }) => 3 * round + shard)
  }
}

describe('a worker that gets chunks of an iteration', () => {
  it('a worker requests the values of each chunk once, and runs the chunk when all have arrived', async () => {
    const { tell, asked, runs, partials } = start()
    tell(batch([0, 1]))
    tell(batch([2]))
    expect(asked()).toEqual([['state 0', 'shard 0', 'shard 1'], ['shard 2']])
    tell(answer(['shard 1', 'state 0']))
    await until(() => partials().size === 1)
    expect(runs()).toEqual([1])
    tell(answer(['shard 0', 'shard 2']))
    await until(() => partials().size === 3)
    // The state is 1, and the shards are 1, 2 and 3.
    expect(partials()).toEqual(new Map([0, 1, 2].map(i => [i, i + 1])))
  })

  it('a worker requests no shard again in the next round', async () => {
    const { tell, asked, partials } = start()
    tell(batch([0, 1]))
    tell(answer(['state 0', 'shard 0', 'shard 1']))
    await until(() => partials().size === 2)
    asked()
    tell(batch([3, 4]))
    expect(asked()).toEqual([['state 1']])
    tell(answer(['state 1']))
    await until(() => partials().size === 2)
    expect(partials().get(4)).toBe(2 * 2 + 1)
  })

  it('a worker runs chunks whose values have arrived while other chunks of the same job wait for values', async () => {
    const { tell, partials, runs } = start()
    tell(batch([0]))
    tell(answer(['state 0', 'shard 0']))
    await until(() => partials().size === 1)
    tell(batch([1, 0], { job: 'a' }))
    tell(batch([2], { job: 'b' }))
    tell(answer(['state 0', 'shard 2'], { job: 'b' }))
    await until(() => runs().length === 3)
    expect(runs()).toEqual([0, 0, 2])
  })

  it('a worker returns chunks whose values the leader lacks, and runs the other chunks', async () => {
    const { tell, returned, partials } = start()
    tell(batch([0, 1]))
    tell(answer(['state 0', 'shard 1'], { missing: ['shard 0'] }))
    await until(() => partials().size === 1)
    expect(returned()).toEqual([0])
  })

  it('a worker fails chunks whose values have a wrong hash, and does not request the values again', async () => {
    const { tell, failed, asked, runs } = start()
    tell(batch([0]))
    asked()
    const { ids } = answer(['state 0', 'shard 0']) as Extract<Says, { type: 'values' }>
    tell({ ...answer(['state 0', 'shard 1']), ids } as Says)
    await until(() => failed().length > 0)
    expect(failed()).toMatchObject([{ index: 0, failure: { function: 'load', name: 'InvalidMessageError' } }])
    expect([asked(), runs()]).toEqual([[], []])
  })

  it('a worker ignores values that it has not requested', async () => {
    const { tell, asked, bench } = start()
    tell(answer(['state 0']))
    tell(batch([0]))
    expect(asked()).toEqual([['state 0', 'shard 0']])
    tell(answer(['shard 1']))
    await bench.idle()
    tell(batch([1]))
    expect(asked()).toEqual([['shard 1']])
  })

  it('a worker runs no chunk that was cancelled while it waited for values', async () => {
    const { tell, partials, runs } = start()
    tell(batch([0, 1]))
    tell({ type: 'cancel-chunks', job: 'a', indices: [0] })
    tell(answer(['state 0', 'shard 0', 'shard 1']))
    await until(() => partials().size === 1)
    expect(runs()).toEqual([1])
  })

  it('a worker forgets the values and the chunks of a released job', async () => {
    const { tell, partials, asked, runs } = start()
    tell(batch([0]))
    tell(answer(['state 0', 'shard 0']))
    await until(() => partials().size === 1)
    tell(batch([1]))
    tell({ type: 'release', job: 'a' })
    tell(answer(['shard 1']))
    asked()
    tell(batch([0]))
    expect(asked()).toEqual([['state 0', 'shard 0']])
    expect(runs()).toEqual([0])
  })

  it('a leaving worker returns the chunks that wait for values', () => {
    const { tell, bench, returned } = start()
    tell(batch([0, 1]))
    void bench.leave()
    expect(returned()).toEqual([0, 1])
  })

  it('a worker announces an announced chunk only after its values have arrived', async () => {
    const { tell, said } = start()
    tell(batch([0], { mode: 'announced' }))
    expect(said.some(({ type }) => type === 'starting')).toBe(false)
    tell(answer(['state 0', 'shard 0']))
    await until(() => said.some(({ type }) => type === 'starting'))
  })

  it('a worker runs a quarantined chunk with all its values', async () => {
    const { tell, partials, runner } = start()
    tell(batch([1], { mode: 'quarantined' }))
    tell(answer(['state 0', 'shard 1']))
    await until(() => partials().size === 1)
    expect(runner.alone).toEqual([1])
    expect(partials().get(1)).toBe(2)
  })

  it('a worker whose value cache has room for one byte computes its chunks, and requests evicted values again', async () => {
    const { tell, asked, partials } = start({ valueBytes: 1 })
    tell(batch([0, 1]))
    expect(asked()).toEqual([['state 0', 'shard 0', 'shard 1']])
    tell(answer(['state 0']))
    tell(answer(['shard 0']))
    tell(answer(['shard 1']))
    await until(() => partials().size === 2)
    asked()
    tell(batch([3]))
    expect(asked()).toEqual([['state 1', 'shard 0']])
  })
})

describe('a worker whose leader is gone while chunks wait for values', () => {
  const claim = (indices: number[]): Says => {
    const { digests, seal, submissionId } = batch(indices)
    return { type: 'reattach', job: 'a', indices, digests, seal, submissionId }
  }

  it('a worker names chunks that wait for values as waiting, and requests the values of reattached chunks from the next leader', async () => {
    const { tell, begin, asked, said, partials } = start()
    tell(batch([0, 1]))
    asked()
    begin()
    expect(said.find(({ type }) => type === 'in-flight')).toMatchObject({ waiting: [0, 1], running: [], retained: [] })
    expect(asked()).toEqual([])
    tell(claim([1]))
    expect(asked()).toEqual([['state 0', 'shard 1']])
    tell(answer(['state 0', 'shard 1']))
    await until(() => partials().size === 1)
    expect([...partials().keys()]).toEqual([1])
  })

  it('a worker returns reattached chunks whose values the next leader lacks', () => {
    const { tell, begin, returned } = start()
    tell(batch([0]))
    begin()
    tell(claim([0]))
    tell(answer([], { missing: ['state 0', 'shard 0'] }))
    expect(returned()).toEqual([0])
  })

  it('a worker does not name announced chunks that wait for values to the next leader', () => {
    const { tell, begin, said } = start()
    tell(batch([0], { mode: 'announced' }))
    begin()
    expect(said.some(({ type }) => type === 'in-flight')).toBe(false)
  })

  it('a worker keeps its shards when the leader changes, even if the worker has no chunk to name', async () => {
    const { tell, begin, asked, partials } = start()
    tell(batch([0]))
    tell(answer(['state 0', 'shard 0']))
    await until(() => partials().size === 1)
    tell({ type: 'covered', job: 'a', next: 1 })
    begin()
    asked()
    tell(batch([3]))
    expect(asked()).toEqual([['state 1']])
  })
})
