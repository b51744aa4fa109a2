import { describe, expect, it } from 'vitest'
import { UnorderedResults } from '../../../src/jobs/client/unordered-results.ts'
import { packIndexed } from '../../../src/tasks/values/pack.ts'
import { encode } from '../../../src/tasks/values/payload.ts'

const packOf = (...indices: number[]) =>
  packIndexed(indices.map(index => ({ index, bytes: encode(index * 10, 'partial') })))

function results() {
  const told: number[] = []
  const all = new UnorderedResults<number>(next => told.push(next))
  return { all, told, reader: all[Symbol.asyncIterator]() }
}

describe('the results of an unordered stream', () => {
  it('the reader of an unordered stream gets each result once, in the order of arrival', async () => {
    const { all, reader } = results()
    all.receive(packOf(4, 0, 2))
    all.receive(packOf(2, 1, 4, 0))
    all.receive(packOf(3))
    expect(all.received).toBe(5)
    all.end(5)
    const seen: number[] = []
    for await (const value of reader) seen.push(value)
    expect(seen).toEqual([40, 0, 20, 10, 30])
  })

  it('the client acknowledges the position up to which all unordered results are read', async () => {
    const { all, told, reader } = results()
    all.receive(packOf(0, 1, 5))
    for (let i = 0; i < 3; i++) await reader.next()
    const next = reader.next()
    expect(told).toEqual([2])
    expect(all.received).toBe(2)
    all.receive(packOf(2))
    await next
    expect(all.got).toBe(2)
  })

  it('the client repeats its acknowledgement when only repeated results arrive, because the acknowledgement may have been lost', async () => {
    const { all, told, reader } = results()
    all.receive(packOf(0, 1))
    await reader.next()
    await reader.next()
    void reader.next()
    await Promise.resolve()
    all.receive(packOf(0, 1))
    expect(told).toEqual([2, 2])
  })

  it('all results of an unordered stream count as read when the reader stops', async () => {
    const { all, told, reader } = results()
    all.receive(packOf(0, 1))
    await reader.next()
    await reader.return()
    expect(told).toEqual([Number.MAX_SAFE_INTEGER])
    expect(all.got).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('the reader of an unordered stream gets the received results, and then the error that ended the job', async () => {
    const { all, reader } = results()
    all.receive(packOf(0))
    all.end(undefined, new RangeError('enough'))
    expect((await reader.next()).value).toBe(0)
    await expect(reader.next()).rejects.toThrow('enough')
  })
})
