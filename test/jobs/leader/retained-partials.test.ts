import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { describe, expect, it } from 'vitest'
import { type ResumedJob, RetainedPartials } from '../../../src/jobs/leader/retained-partials.ts'
import { createBatchSeal } from '../../../src/jobs/protocol/batch-seal.ts'
import type { InFlightMessage } from '../../../src/jobs/protocol/work-messages.ts'
import { fakeSeal } from '../fake-cluster.ts'

const SHA256 = 'ab'.repeat(32)
const digestOf = (index: number): Uint8Array => new Uint8Array(16).fill(index)
const seals = fakeSeal('old')

/** An offer of `worker` from a batch of `leader`. */
function offer(worker: string, indices: number[], changes: Partial<InFlightMessage['batch']> = {}): InFlightMessage {
  const digests = Buffer.concat(indices.map(digestOf))
  const terms = { job: 'night', sha256: SHA256, worker, epoch: 1, indices, digests }
  const batch = { leader: 'old', epoch: 1, indices, digests, seal: seals.seal(terms), ...changes }
  const half = Math.ceil(indices.length / 2)
  const [retained, running] = [indices.slice(0, half), indices.slice(half)]
  return {
    type: 'in-flight',
    job: 'night',
    sha256: SHA256,
    batch,
    retained,
    sizes: retained.map(() => 8),
    running,
    waiting: []
  }
}

const night: ResumedJob = {
  id: 'night',
  sha256: SHA256,
  splitEnd: 10,
  wasLedBy: (leader, epoch) => leader === 'old' && epoch === 1,
  digestOf: index => (index === 9 ? undefined : digestOf(index))
}

function start(...offers: [string, InFlightMessage][]): RetainedPartials {
  const book = new RetainedPartials(seals)
  for (const [worker, each] of offers) book.add(worker, each)
  for (const [worker] of offers) book.admit(worker)
  return book
}

const indicesOf = (chunks: readonly { index: number }[]): number[] => chunks.map(({ index }) => index)

describe('the offers to a new leader', () => {
  it('an offer counts if its batch is genuine and the chunk is unchanged', () => {
    const book = start(['a', offer('a', [1, 2])], ['b', offer('b', [3])])
    expect(book.match(night)).toEqual({
      chunks: [
        { worker: 'a', index: 1, state: 'held', size: 8 },
        { worker: 'a', index: 2, state: 'running', size: 0 },
        { worker: 'b', index: 3, state: 'held', size: 8 }
      ],
      refused: []
    })
    expect(book.hasOffers('a')).toBe(false)
    expect(book.jobs().length).toBe(0)
  })

  it('the offers of a worker are limited before its hello, even if little of each batch is offered', () => {
    const book = new RetainedPartials(seals)
    const indices = Array.from({ length: 16_384 }, (_, i) => i)
    const batch = { leader: 'old', epoch: 1, indices, digests: new Uint8Array(16), seal: new Uint8Array() }
    const one = {
      type: 'in-flight',
      job: 'night',
      sha256: SHA256,
      batch,
      retained: [],
      sizes: [],
      running: [3],
      waiting: []
    } as const
    for (let i = 0; i < 1_000; i++) book.add('a', { ...one, retained: [], sizes: [], running: [3], waiting: [] })
    book.admit('a')
    const { refused } = book.match(night)
    expect(refused.length).toBeGreaterThan(200)
    expect(refused.length * indices.length).toBeLessThan(4_000_001)
  })

  it('an offered chunk waits until split has reached the chunk, and is refused if the partial of the chunk has already arrived', () => {
    const book = start(['a', offer('a', [9, 10])])
    expect(book.match(night)).toMatchObject({ chunks: [], refused: [{ index: 9 }] })
    expect(book.hasOffers('a')).toBe(true)
    expect(indicesOf(book.match({ ...night, splitEnd: 11 }).chunks)).toEqual([10])
  })

  it.each<[string, InFlightMessage, Partial<ResumedJob>]>([
    ['whose chunk is split differently now', offer('a', [1]), { digestOf: () => digestOf(2) }],
    ['for another task', offer('a', [1]), { sha256: 'cd'.repeat(32) }],
    ['from a batch that another worker got', offer('b', [1]), {}],
    ['from a leader that has not led the job', offer('a', [1], { leader: 'young' }), {}],
    ['from another leadership', offer('a', [1], { epoch: 2 }), {}],
    [
      'with more chunks than were given',
      { ...offer('a', [1]), batch: { ...offer('a', [1, 2]).batch, seal: offer('a', [1]).batch.seal } },
      {}
    ],
    ['with an invalid seal', offer('a', [1], { seal: new Uint8Array(64) }), {}]
  ])('an offer %s is refused', (_what, each, changes) => {
    const book = start(['a', each])
    const { chunks, refused } = book.match({ ...night, ...changes })
    expect([indicesOf(chunks), indicesOf(refused)]).toEqual([[], [1]])
  })

  it('an offer is not checked before the worker has said hello', () => {
    const book = new RetainedPartials(seals)
    book.add('a', offer('a', [1]))
    expect(book.match(night)).toEqual({ chunks: [], refused: [] })
    expect(book.hasOffers('a')).toBe(true)
    book.admit('a')
    expect(indicesOf(book.match(night, 'a').chunks)).toEqual([1])
  })

  it('an offer is forgotten with its worker, and with its job', () => {
    const book = start(['a', offer('a', [1, 2])], ['b', offer('b', [1, 3])])
    book.forgetWorker('a')
    expect(book.match({ ...night, splitEnd: 3 }).chunks).toMatchObject([{ worker: 'b', index: 1 }])
    expect(indicesOf(book.refuse('night'))).toEqual([3])
    expect([book.hasOffers('a'), book.hasOffers('b'), book.jobs().length]).toEqual([false, false, 0])
  })

  it('the offers of a worker are accepted up to a number of chunks, and the rest is computed again', () => {
    const indices = Array.from({ length: 1_000 }, (_, i) => i)
    const big = offer('a', indices)
    const book = new RetainedPartials(seals)
    for (let i = 0; i < 1_001; i++) book.add('a', { ...big, job: `job${i}` })
    book.admit('a')
    expect(book.jobs().length).toBe(1_000)
  })
})

describe('the cost of offers', () => {
  /**
   * Counts how often offers are read. `workers` workers join, each with its own chunks. Then their offers are matched, and the workers
   * leave.
   */
  function looked(workers: number): number {
    const book = new RetainedPartials(seals)
    let looks = 0
    for (let worker = 0; worker < workers; worker++) {
      const { retained, ...rest } = offer(`w${worker}`, [1_000 * worker, 1_000 * worker + 1])
      book.add(`w${worker}`, {
        ...rest,
        get retained() {
          looks += 1
          return retained
        }
      })
      book.admit(`w${worker}`)
      expect(book.match({ ...night, splitEnd: 0 }, `w${worker}`)).toEqual({ chunks: [], refused: [] })
    }
    for (let splitEnd = 0; splitEnd <= 500 * workers; splitEnd += 100) book.match({ ...night, splitEnd })
    for (let worker = 0; worker < workers; worker++) book.forgetWorker(`w${worker}`)
    expect(book.jobs()).toEqual([])
    return looks
  }

  it('an offer is matched and forgotten without a read of the offers of other workers', () => {
    expect(looked(64)).toBeLessThanOrEqual(4 * looked(16))
  })

  it('an offer is returned once for each chunk, in index order, even from a worker that joins late', () => {
    const job = (splitEnd: number) => ({ ...night, splitEnd, digestOf })
    const every = (first: number): number[] => Array.from({ length: 300 }, (_, i) => first + 3 * i)
    const book = start(['a', offer('a', every(0))], ['b', offer('b', every(1))])
    const before = book.match(job(400))
    book.add('c', offer('c', every(2)))
    book.admit('c')
    const [between, after] = [book.match(job(400), 'c'), book.match(job(900))]
    const up = (first: number, last: number): number[] => Array.from({ length: last - first }, (_, i) => first + i)
    expect(indicesOf(before.chunks)).toEqual(up(0, 400).filter(index => index % 3 !== 2))
    expect(indicesOf(between.chunks)).toEqual(up(0, 400).filter(index => index % 3 === 2))
    expect(indicesOf(after.chunks)).toEqual(up(400, 900))
    expect([before, between, after].flatMap(({ refused }) => refused)).toEqual([])
    expect(book.jobs()).toEqual([])
  })

  it('an offer is read a few times for each chunk, whatever the spread and the size of splits', () => {
    let reads = 0
    const count: ProxyHandler<number[]> = {
      get: (list, key) => {
        reads += 1
        return Reflect.get(list, key)
      }
    }
    const far = Array.from({ length: 500 }, (_, i) => 300 * i)
    const book = start([
      'a',
      { ...offer('a', far), retained: new Proxy(far, count), running: [], sizes: far.map(() => 8) }
    ])
    let found = 0
    for (let splitEnd = 0; splitEnd <= 150_000; splitEnd += 100)
      found += book.match({ ...night, splitEnd, digestOf }).chunks.length
    expect(found).toBe(500)
    expect(reads).toBeLessThan(20 * far.length)
  })

  it('an offer is matched by its position in the batch, in any order', () => {
    const mixed = offer('a', [5, 1, 4, 2])
    const book = start(['a', { ...mixed, retained: [2, 4, 1], running: [5], sizes: [8, 8, 8] }])
    expect(indicesOf(book.match(night).chunks)).toEqual([1, 2, 4, 5])
  })

  it('dropping a job drops its offers and returns their workers', () => {
    const book = start(['a', offer('a', [1, 2])], ['b', offer('b', [3])])
    expect(book.drop('night')).toEqual(new Set(['a', 'b']))
    expect([book.hasOffers('a'), book.hasOffers('b'), book.jobs()]).toEqual([false, false, []])
    expect(book.match(night)).toEqual({ chunks: [], refused: [] })
  })
})

describe('the seal of a batch', () => {
  const terms = { job: 'night', sha256: SHA256, worker: 'w', epoch: 3, indices: [1, 300], digests: new Uint8Array(32) }

  it('the seal of a batch is genuine only for the batch of its leader', async () => {
    const key = await generateKeyPair('Ed25519')
    const leader = peerIdFromPrivateKey(key).toString()
    const seal = createBatchSeal('cluster', key)
    const signature = seal.seal(terms)
    expect(seal.isGenuine(leader, terms, signature)).toBe(true)
    const others = [
      { ...terms, job: 'day' },
      { ...terms, worker: 'v' },
      { ...terms, epoch: 4 },
      { ...terms, sha256: 'cd'.repeat(32) },
      { ...terms, indices: [1, 301] },
      { ...terms, digests: new Uint8Array(32).fill(1) }
    ]
    expect(others.map(other => seal.isGenuine(leader, other, signature))).toEqual(others.map(() => false))
    const other = peerIdFromPrivateKey(await generateKeyPair('Ed25519')).toString()
    expect(seal.isGenuine(other, terms, signature)).toBe(false)
    expect(createBatchSeal('another cluster', key).isGenuine(leader, terms, signature)).toBe(false)
  })
})
