import { describe, expect, it } from 'vitest'
import { WaitingChunks } from '../../../src/jobs/worker/waiting-chunks.ts'
import { unpackIndexed } from '../../../src/tasks/values/pack.ts'
import { chunksOf } from '../../tasks/outcomes.ts'

/** Makes a queue with the chunks 0 to 4 in two batches, then the chunks 5 and 6 in the mode `announced`, and then chunk 7. */
function waiting(): WaitingChunks {
  const waiting = new WaitingChunks()
  waiting.add(chunksOf([0, 1, 2]), 'plain')
  waiting.add(chunksOf([3, 4], 3), 'plain')
  waiting.add(chunksOf([5, 6], 5), 'announced')
  waiting.add(chunksOf([7], 7), 'plain')
  return waiting
}

describe('chunks that wait', () => {
  it('waiting chunks are taken in order of arrival, in any number, across batches', () => {
    const chunks = waiting()
    const four = chunks.take(4)
    expect(four).toEqual(chunksOf([0, 1, 2, 3]))
    expect(chunks.size).toBe(4)
    expect(unpackIndexed(chunks.take(1))).toEqual(unpackIndexed(chunksOf([4], 4)))
  })

  it('waiting chunks are taken together only if they run in the same mode', () => {
    const chunks = waiting()
    expect([chunks.mode, chunks.take(10).indices]).toEqual(['plain', [0, 1, 2, 3, 4]])
    expect([chunks.mode, chunks.take(10).indices]).toEqual(['announced', [5, 6]])
    expect([chunks.mode, chunks.take(10).indices]).toEqual(['plain', [7]])
    expect([chunks.mode, chunks.size]).toEqual([undefined, 0])
  })

  it.each([
    [0, 40, 32],
    [0, 3, 16],
    [20, 3, 12],
    [20, 30, 28],
    [31, 1, 1]
  ])(
    'with the first waiting chunk %i and about %i wanted chunks, the last chunk to take is the last chunk of a group',
    (first, most, count) => {
      const chunks = new WaitingChunks()
      chunks.add(chunksOf([1, 2, 3], first), 'plain')
      expect(chunks.wholeGroups(most)).toBe(count)
    }
  )

  it('waiting chunks are dropped one by one, by mode, or all at once', () => {
    const chunks = waiting()
    chunks.drop(new Set([0, 4, 5, 9]))
    expect([chunks.size, chunks.dropAnnounced(), chunks.size]).toEqual([5, [6], 4])
    expect(chunks.clear()).toEqual([1, 2, 3, 7])
    expect([chunks.size, chunks.clear()]).toEqual([0, []])
  })
})
