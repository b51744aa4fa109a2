import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Call } from '../../../src/tasks/thread/call.ts'
import type { Task } from '../../../src/tasks/thread/load-task.ts'
import { type Pulled, Splitter } from '../../../src/tasks/thread/splitter.ts'
import { unpack } from '../../../src/tasks/values/pack.ts'
import { decode } from '../../../src/tasks/values/payload.ts'

// A pull ends after a time limit. With real timers, a busy machine could reach the time limit at any chunk.
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const call: Pick<Call, 'invoke'> = { invoke: (_function, _index, use) => use() }

function splitting(split: Task['split']): Splitter {
  return new Splitter(call, { split, run: chunk => chunk }, undefined, { slots: 1 })
}

const values = ({ chunks }: Pulled) => unpack(chunks).map(bytes => decode(bytes, 'chunk'))

it('a splitter computes no more chunks than requested', async () => {
  const computed: number[] = []
  const splitter = splitting(function* () {
    for (let i = 0; ; i++) {
      computed.push(i)
      yield i
    }
  })
  expect(values(await splitter.pull(3))).toEqual([0, 1, 2])
  expect(computed).toEqual([0, 1, 2])
  expect(values(await splitter.pull(2))).toEqual([3, 4])
  expect(computed).toEqual([0, 1, 2, 3, 4])
})

it('a splitter reports the time per chunk', async () => {
  const splitter = splitting(function* () {
    for (let i = 0; i < 4; i++) {
      vi.advanceTimersByTime(2)
      yield i
    }
  })
  expect((await splitter.pull(4)).msEach).toBe(2)
  expect((await splitter.pull(4)).msEach).toBeUndefined()
})

it('a splitter returns the chunks so far when the next chunk is late, and returns the late chunk in the next pull', async () => {
  let goOn = () => {}
  const next = new Promise<void>(resolve => {
    goOn = resolve
  })
  const splitter = splitting(async function* () {
    yield 0
    await next
    yield 1
  })
  const first = splitter.pull(10)
  await vi.advanceTimersByTimeAsync(100)
  expect(await first).toMatchObject({ first: 0, chunks: { lengths: { length: 1 } }, done: false })
  const second = splitter.pull(10)
  await vi.advanceTimersByTimeAsync(100)
  goOn()
  expect(values(await second)).toEqual([1])
})

it('a pull of slow chunks returns before it has all requested chunks, but with at least one chunk', async () => {
  const splitter = splitting(function* () {
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(15)
      yield i
    }
    vi.advanceTimersByTime(1_000)
    yield 3
  })
  expect(values(await splitter.pull(10))).toEqual([0, 1])
  expect(values(await splitter.pull(10))).toEqual([2, 3])
  expect(await splitter.pull(10)).toMatchObject({ first: 4, chunks: { lengths: { length: 0 } }, done: true })
})

it('a splitter returns large chunks in several pulls', async () => {
  const splitter = splitting(function* () {
    for (let i = 0; i < 5; i++) yield new Uint8Array(3_000_000)
  })
  const sizes: number[] = []
  for (let pull = 0; pull < 3; pull++) sizes.push((await splitter.pull(10)).chunks.lengths.length)
  expect(sizes).toEqual([2, 2, 1])
})

it('a splitter returns no chunks after split has thrown', async () => {
  const splitter = splitting(function* () {
    yield 0
    throw new RangeError('enough')
  })
  await expect(splitter.pull(10)).rejects.toThrow('enough')
  expect(await splitter.pull(10)).toMatchObject({ chunks: { lengths: { length: 0 } }, done: true })
})

it('a splitter refuses an iterator whose next() returns no object', async () => {
  const splitter = splitting(() => ({ [Symbol.iterator]: () => ({ next: () => undefined as never }) }))
  await expect(splitter.pull(10)).rejects.toThrow('the iterator of split gave undefined')
})
