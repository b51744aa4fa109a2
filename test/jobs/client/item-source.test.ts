import pDefer from 'p-defer'
import { describe, expect, it } from 'vitest'
import { InvalidOptionError, NotCloneableError } from '../../../src/common/errors.ts'
import { ItemSource, type Items } from '../../../src/jobs/client/item-source.ts'
import { unpack } from '../../../src/tasks/values/pack.ts'
import { decode } from '../../../src/tasks/values/payload.ts'
import fc from '../../properties.ts'

interface Said {
  first: number
  values: unknown[]
  done: boolean
}

function sourceOf(source: Items<unknown>) {
  const failed = pDefer<unknown>()
  const items = new ItemSource({ source, onFailed: failed.resolve })
  const want = (first: number, most: number): Promise<Said> =>
    new Promise(resolve =>
      items.wanted(first, most, ({ first, items, done }) =>
        resolve({ first, values: unpack(items).map(bytes => decode(bytes, 'item')), done })
      )
    )
  return { items, want, failed: failed.promise }
}

function* count(to: number): Generator<number> {
  for (let i = 0; i < to; i++) yield i
}

async function* slowly(to: number): AsyncGenerator<number> {
  for (let i = 0; i < to; i++) {
    await new Promise(resolve => setImmediate(resolve))
    yield i
  }
}

describe('the items of a stream', () => {
  it('the items of a stream are sent in order, in batches that are never larger than requested', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(200),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        async (total, most) => {
          for (const source of [count(total), slowly(total)]) {
            const { want } = sourceOf(source)
            const got: unknown[] = []
            for (let i = 0; ; i++) {
              const limit = most[i % most.length]!
              const { first, values, done } = await want(got.length, limit)
              expect(first).toBe(got.length)
              expect(values.length).toBeLessThanOrEqual(limit)
              got.push(...values)
              if (done) break
              expect(values.length).toBeGreaterThan(0)
            }
            expect(got).toEqual([...count(total)])
          }
        }
      ),
      { numRuns: 30 }
    )
  })

  it('the client reads no item of a stream before the leader requests items', async () => {
    let read = 0
    const { want } = sourceOf(
      (function* () {
        for (;;) yield read++
      })()
    )
    expect(read).toBe(0)
    await want(0, 1)
    expect(read).toBeGreaterThan(0)
  })

  it('the client sends the items of a stream again from the first item whose result is missing', async () => {
    const { items, want } = sourceOf(count(1_000))
    let next = 0
    for (; next < 600; next += (await want(next, 100)).values.length);
    items.settled(250)
    items.forget(250)
    const again = await want(250, 100)
    expect(again.values[0]).toBe(250)
    const rest: unknown[] = [...again.values]
    for (;;) {
      const { values, done } = await want(250 + rest.length, 300)
      rest.push(...values)
      if (done) break
    }
    expect(rest).toEqual([...count(1_000)].slice(250))
  })

  describe('that come one by one', () => {
    /** `take` requests all items of a range, as a leader does. An earlier leader has already received the items 0 to 59. */
    async function startOneByOne() {
      const { items, want } = sourceOf(slowly(100))
      const take = async (from: number, end: number): Promise<unknown[]> => {
        const taken: unknown[] = []
        while (from + taken.length < end)
          taken.push(...(await want(from + taken.length, end - from - taken.length)).values)
        return taken
      }
      await take(0, 60)
      return { items, take }
    }

    it('the client keeps the items that the next leader has not requested yet, even items whose results have already arrived', async () => {
      const { items, take } = await startOneByOne()
      // The results of the items 0 to 24 and 30 to 59 have arrived.
      items.settled(25)
      items.forget(25)
      expect(await take(25, 30)).toEqual([25, 26, 27, 28, 29])
      // The results of the items 25 to 29 have arrived from the next leader, so all results of the items 0 to 59 have arrived.
      items.settled(60)
      expect(await take(30, 100)).toEqual([...count(100)].slice(30))
    })

    it('the client keeps the items from the start position of the next leader, although more results of the previous leader arrive later', async () => {
      const { items, take } = await startOneByOne()
      items.settled(25)
      items.forget(25)
      items.settled(60)
      expect(await take(25, 100)).toEqual([...count(100)].slice(25))
    })
  })

  it('the client reads at most 16,384 items of a stream ahead of the leader', async () => {
    let read = 0
    const { items, want } = sourceOf(
      (function* () {
        for (;;) yield read++
      })()
    )
    let next = 0
    for (let i = 0; i < 50; i++) {
      next += (await want(next, 1_000)).values.length
      await new Promise(resolve => setImmediate(resolve))
      expect(read - next).toBeLessThanOrEqual(16_384)
    }
    items.close()
  })

  it('the client reads at most 10 items of 1 MiB, because the bytes of items that are read ahead are limited', async () => {
    let read = 0
    const { items, want } = sourceOf(
      (function* () {
        for (;;) {
          read += 1
          yield new Uint8Array(2 ** 20)
        }
      })()
    )
    await want(0, 100)
    for (let i = 0; i < 100; i++) await new Promise(resolve => setImmediate(resolve))
    expect(read).toBeLessThanOrEqual(10)
    items.close()
  })

  it('the client sends the items that it has read while the source of the stream delays the next item', async () => {
    const never = new Promise<number>(() => {})
    const { want } = sourceOf(
      (async function* () {
        yield 1
        yield 2
        yield await never
      })()
    )
    const { values } = await want(0, 10)
    const rest = values.length === 1 ? (await want(1, 10)).values : []
    expect([...values, ...rest]).toEqual([1, 2])
  })

  it('a stream fails with the error that its source throws', async () => {
    const { want, failed } = sourceOf(
      (function* () {
        yield 1
        throw new RangeError('no more')
      })()
    )
    void want(0, 10)
    expect(await failed).toEqual(new RangeError('no more'))
  })

  it('a stream fails and closes its source if an item cannot be cloned', async () => {
    let closed = false
    const { want, failed } = sourceOf(
      (function* () {
        try {
          yield () => {}
        } finally {
          closed = true
        }
      })()
    )
    void want(0, 10)
    expect(await failed).toBeInstanceOf(NotCloneableError)
    expect(closed).toBe(true)
  })

  it('closing a stream closes the source of its items, even while the source delays an item', async () => {
    let closed = false
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<number>>(() => {}),
        return: async () => {
          closed = true
          return { done: true as const, value: undefined }
        }
      })
    }
    const { items, want } = sourceOf(source)
    void want(0, 10)
    items.close()
    expect(closed).toBe(true)
  })

  it.each([null, 7, {}, undefined])('a stream cannot read its items from %s, which is not iterable', source => {
    expect(() => sourceOf(source as unknown as Items<unknown>)).toThrow(InvalidOptionError)
  })
})
