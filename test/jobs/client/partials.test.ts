import pDefer from 'p-defer'
import { afterEach, describe, expect, it } from 'vitest'
import { InvalidOptionError, JobFailedError } from '../../../src/common/errors.ts'
import { PartialStream } from '../../../src/jobs/client/partial-stream.ts'
import { PartialDelivery, type PartialDeliveryInit } from '../../../src/jobs/leader/partial-delivery.ts'
import type { SubmitMessage } from '../../../src/jobs/protocol/submit-messages.ts'
import type { Channel } from '../../../src/network/types.ts'
import { pack } from '../../../src/tasks/values/pack.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { FakeCluster, type FakePeer } from '../fake-cluster.ts'
import { expected, FakeRunner, type FakeTask } from '../fake-runner.ts'
import { parts, until } from '../squares.ts'

let cluster: FakeCluster
let runners: FakeRunner[]

function start(peers: number, task: FakeTask = {}): FakePeer[] {
  cluster = new FakeCluster()
  runners = Array.from({ length: peers }, () => new FakeRunner(2, task))
  return runners.map(runner => cluster.add(runner))
}

const squares = (count: number) => Array.from({ length: count }, (_, i) => i * i)

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const value of values) seen.push(value)
  return seen
}

afterEach(async () => {
  await cluster.stop()
})

describe('the partials of a job', () => {
  it('the client gets each partial once and in chunk order, and then the result', async () => {
    const [a, , c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number, number>(parts(500), { partials: true })
    expect(await all(job.partials())).toEqual(squares(500))
    expect(await job.result()).toBe(expected(500))
  })

  it('a client in the process of the leader gets the partials', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    const job = await a.jobs.submit<number, number>(parts(50), { partials: true })
    expect(await all(job.partials())).toEqual(squares(50))
  })

  it('partials arrive while the job runs', async () => {
    const last = pDefer<void>()
    const [a, b] = start(2, {
      run: async chunk => {
        if (chunk === 9) await last.promise
        return chunk * chunk
      }
    }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number, number>(parts(10), { partials: true })
    const seen: number[] = []
    for await (const partial of job.partials()) {
      seen.push(partial)
      if (seen.length === 9) last.resolve()
    }
    expect(seen).toEqual(squares(10))
  })

  it('the client gets each partial exactly one time, although the first leader dies and a third leader replaces the second leader', async () => {
    const [a, b, c, d] = start(4) as [FakePeer, FakePeer, FakePeer, FakePeer]
    cluster.elect(d)
    const job = await a.jobs.submit<number, number>(parts(400), { partials: true })
    const seen: number[] = []
    for await (const partial of job.partials()) {
      seen.push(partial)
      if (seen.length === 50) {
        const before = cluster.hub.sent.length
        cluster.kill(d)
        cluster.elect(c)
        // The client reads its next partial only after this wait, so the new leader must send the unread partials again.
        await until(() =>
          cluster.hub.sent.slice(before).some(({ message }) => (message as { type: string }).type === 'partials')
        )
      } else if (seen.length === 150) cluster.elect(b)
    }
    expect(seen).toEqual(squares(400))
    expect(await job.result()).toBe(expected(400))
  })

  it('the leader folds no partial that the client has not read, until the client stops reading', async () => {
    const [a, b] = start(2) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number, number>(parts(300), { partials: true })
    await until(() => cluster.hub.sent.some(({ message }) => (message as { type: string }).type === 'partials'))
    const partials = job.partials()[Symbol.asyncIterator]()
    expect(await partials.next()).toEqual({ value: 0, done: false })
    expect(job.progress.done, 'nothing is folded that has not been read').toBe(0)
    await partials.return!()
    expect(await job.result(), 'who reads no more holds nothing up').toBe(expected(300))
  })

  it('the next leader does not wait for a client that has stopped reading partials', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number, number>(parts(400), { partials: true })
    for await (const partial of job.partials()) if (partial > 100) break
    cluster.kill(c)
    cluster.elect(b)
    expect(await job.result()).toBe(expected(400))
  })

  it('reading the partials of a job rejects when the job fails', async () => {
    const [a, b] = start(2, {
      run: chunk => {
        if (chunk === 30) throw new RangeError('enough')
        return chunk * chunk
      }
    }) as [FakePeer, FakePeer]
    cluster.elect(b)
    const job = await a.jobs.submit<number, number>(parts(60), { partials: true })
    const seen: number[] = []
    const reading = (async () => {
      for await (const partial of job.partials()) seen.push(partial)
    })()
    await expect(reading).rejects.toThrow(JobFailedError)
    expect(seen).toEqual(squares(seen.length))
    expect(seen.length).toBeLessThanOrEqual(30)
  })

  it('reading partials fails if the submission did not request partials, and fails on a second read', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    const silent = await a.jobs.submit<number>(parts(5))
    expect(() => silent.partials()).toThrow(InvalidOptionError)
    const job = await a.jobs.submit<number, number>(parts(5), { partials: true })
    await all(job.partials())
    await expect(all(job.partials())).rejects.toThrow('can be read once')
  })

  it('a second submission that joins after some partials are folded cannot read partials, and does not delay the job', async () => {
    const [a, b, c] = start(3) as [FakePeer, FakePeer, FakePeer]
    cluster.elect(c)
    const job = await a.jobs.submit<number, number>(parts(400), { id: 'night', partials: true })
    const seen: number[] = []
    let late: Promise<unknown> | undefined
    for await (const partial of job.partials()) {
      seen.push(partial)
      if (seen.length !== 100) continue
      const again = await b.jobs.submit<number, number>(parts(400), { id: 'night', partials: true })
      late = all(again.partials()).catch((error: Error) => error.message)
    }
    expect(await late).toContain('some of the partials are gone')
    expect(seen, 'who was there goes on reading').toEqual(squares(400))
    expect(await job.result()).toBe(expected(400))
  })

  it('two Jobs in the process of the leader can both read all partials of one job', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    const one = await a.jobs.submit<number, number>(parts(100), { id: 'night', partials: true })
    const two = await a.jobs.submit<number, number>(parts(100), { id: 'night', partials: true })
    expect(await all(one.partials())).toEqual(squares(100))
    expect(await all(two.partials())).toEqual(squares(100))
  })

  it('a submission that joins an ended job gets the result, but no partials', async () => {
    const [a] = start(1) as [FakePeer]
    cluster.elect(a)
    await (await a.jobs.submit<number>(parts(5), { id: 'night' })).result()
    const again = await a.jobs.submit<number, number>(parts(5), { id: 'night', partials: true })
    expect(await again.result()).toBe(expected(5))
    await expect(all(again.partials())).rejects.toThrow('some of the partials are gone')
  })
})

describe('the delivery of partials', () => {
  const three = pack([1, 2, 3].map(value => encode(value, 'partial')))
  const client = (name: string) => ({ remote: name }) as Channel<SubmitMessage>

  function delivery(from = 0) {
    const sent: string[] = []
    const send: PartialDeliveryInit['send'] = ({ remote }, says) => {
      if (says.type === 'partials') sent.push(`${remote} ${says.first} +${says.partials.lengths.length}`)
    }
    return { sent, delivery: new PartialDelivery({ from, awayMs: 20, send }) }
  }

  it('the delivery of partials resumes for a returning reader at the first partial that the reader lacks', async () => {
    const { sent, delivery: partials } = delivery()
    const [before, after] = [client('before'), client('after')]
    partials.reads(before, 0)
    const read = partials.deliver(0, three)
    partials.got(before, 1)
    partials.gone(before)
    partials.reads(after, 1)
    partials.got(before, 3)
    expect(sent).toEqual(['before 0 +3', 'after 1 +2'])
    partials.got(after, 3)
    await read
  })

  it('the delivery of partials stops waiting for a reader that stays away', async () => {
    const { delivery: partials, sent } = delivery()
    const reader = client('reader')
    partials.reads(reader, 0)
    const read = partials.deliver(0, three)
    partials.gone(reader)
    await read
    await partials.deliver(3, three)
    partials.reads(reader, 3)
    expect(sent.at(-1), 'it has come back too late').toBe('reader 6 +0')
  })

  it('the delivery of partials stops waiting at once for a reader that leaves', async () => {
    const { delivery: partials } = delivery()
    const reader = client('reader')
    partials.reads(reader, 0)
    const read = partials.deliver(0, three)
    partials.left(reader)
    await read
  })

  it('the delivery of partials begins after the partials that earlier leaders have folded', () => {
    const { delivery: partials, sent } = delivery(10)
    partials.reads(client('new'), 0)
    partials.reads(client('same'), 12)
    partials.deliver(10, three).catch(() => {})
    expect(sent).toEqual(['new 10 +0', 'same 12 +1'])
    partials.stop(new Error('over'))
  })
})

describe('a stream of partials', () => {
  const encoded = (...values: number[]) => pack(values.map(value => encode(value, 'partial')))

  it('a stream of partials skips repeated partials, and acknowledges its position again when only repeated partials arrive', async () => {
    const got: number[] = []
    const stream = new PartialStream<number>(next => got.push(next))
    stream.receive(0, encoded(0, 1, 2))
    stream.receive(1, encoded(1, 2, 3))
    const reader = stream[Symbol.asyncIterator]()
    const seen = [await reader.next(), await reader.next(), await reader.next(), await reader.next()]
    expect(seen.map(({ value }) => value)).toEqual([0, 1, 2, 3])
    const next = reader.next()
    await until(() => got.length > 0)
    expect(got).toEqual([4])
    stream.receive(2, encoded(2, 3))
    expect(got).toEqual([4, 4])
    stream.receive(4, encoded(4))
    stream.end(5)
    expect([(await next).value, (await reader.next()).done]).toEqual([4, true])
  })
})
