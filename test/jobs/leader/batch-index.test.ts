import { describe, expect, it } from 'vitest'
import { BatchIndex } from '../../../src/jobs/leader/batch-index.ts'
import { packIndexed, unpack } from '../../../src/tasks/values/pack.ts'

const values = (...indices: number[]) =>
  packIndexed(indices.map(index => ({ index, bytes: new Uint8Array(index % 5).fill(index) })))

/** An index with 0 to 5 in two pieces, the second without order. */
function filled(): BatchIndex<string> {
  const all = new BatchIndex<string>()
  all.add(values(0, 1, 2), 'a')
  all.add(values(9, 5, 4, 3), 'b', [1, 2, 3])
  return all
}

describe('the batch index', () => {
  it('the batch index gathers values in any order into a new buffer, with the origin of each run', () => {
    const runs: unknown[] = []
    const { lengths, bytes } = filled().gather([0, 1, 5, 4, 3, 2], (origin, position, count) =>
      runs.push([origin, position, count])
    )
    expect(unpack({ lengths, bytes }).map(each => [...each])).toEqual([[], [1], [], [4, 4, 4, 4], [3, 3, 3], [2, 2]])
    expect(runs).toEqual([
      ['a', 0, 2],
      ['b', 1, 3],
      ['a', 2, 1]
    ])
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
  })

  it('the batch index contains only the added values, without the deleted ones', () => {
    const all = filled()
    expect(all.whence(9)).toBeUndefined()
    expect([all.byteLengthOf(4), all.whence(4)]).toEqual([4, { origin: 'b', position: 2 }])
    all.delete(4)
    expect([all.whence(4), all.whence(3)]).toEqual([undefined, { origin: 'b', position: 3 }])
    all.clear()
    expect(all.whence(3)).toBeUndefined()
  })
})
