import { describe, expect, it } from 'vitest'
import { InFlightChunks, type SignedBatch } from '../../../src/jobs/worker/in-flight-chunks.ts'
import { packIndexed } from '../../../src/tasks/values/pack.ts'

const given = (indices: number[], epoch = 1): SignedBatch => ({
  leader: `leader${epoch}`,
  epoch,
  indices,
  digests: new Uint8Array(16 * indices.length),
  seal: new Uint8Array(64)
})
/** Makes partials of 100 bytes each. */
const partials = (...indices: number[]) => packIndexed(indices.map(index => ({ index, bytes: new Uint8Array(100) })))

/** Makes the chunks 0 to 3 of a worker. Chunks 0 and 1 have partials, chunk 2 runs, and chunk 3 waits. */
function startWork(): InFlightChunks {
  const work = new InFlightChunks()
  work.give(given([0, 1]))
  work.give(given([2, 3]))
  work.start([0, 1, 2])
  expect(work.done(partials(0, 1)).indices).toEqual([0, 1])
  return work
}

describe('the chunks in flight of a job at a worker', () => {
  it('the chunks in flight are listed by batch', () => {
    expect(startWork().batches()).toMatchObject([
      { batch: { indices: [0, 1] }, retained: [0, 1], sizes: [100, 100], running: [], waiting: [] },
      { batch: { indices: [2, 3] }, retained: [], sizes: [], running: [2], waiting: [3] }
    ])
  })

  it('after the loss of a leader, a worker keeps its partials, and reports each partial when the next leader asks for its chunk again', () => {
    const work = startWork()
    work.leaderGone()
    expect(work.done(partials(2)).indices, 'nobody has asked for it yet').toEqual([])
    const { retained, missing } = work.reattach(given([1, 2, 3, 7], 2))
    expect(retained).toEqual(partials(1, 2))
    expect(missing).toEqual([7])
    expect(work.hasDetached, 'nobody has said anything of chunk 0').toBe(true)
    work.start([3])
    expect(work.done(partials(3)).indices).toEqual([3])
    // A reattached chunk belongs to the batch of the leader that reattached it.
    expect(work.batches().map(({ batch, retained }) => [batch.epoch, retained])).toEqual([
      [1, [0]],
      [2, [1, 2, 3]]
    ])
  })

  it('a checkpoint drops the partials that it covers, but no running or waiting chunk', () => {
    const work = startWork()
    work.covered(3)
    expect(work.batches()).toMatchObject([{ retained: [], running: [2], waiting: [3] }])
    expect(work.retainedBytes).toBe(0)
    work.drop([2, 3])
    expect(work.isEmpty).toBe(true)
  })

  it('eviction drops the oldest partial first, and drops no running or waiting chunk', () => {
    const work = startWork()
    const before = work.retainedBytes
    expect(work.evict()).toBe(true)
    expect(work.retainedBytes).toBe(before / 2)
    expect(work.reattach(given([0, 1], 2))).toMatchObject({ retained: { indices: [1] }, missing: [0] })
    expect([work.evict(), work.evict()], 'what runs and waits is not given up').toEqual([true, false])
  })

  it('the partial of a dropped chunk is not reported, and neither is the failure of a chunk of a lost leader', () => {
    const work = startWork()
    work.drop([2])
    expect(work.done(partials(2)).indices).toEqual([])
    work.leaderGone()
    expect(work.failed(3)).toBe(false)
    expect(work.reattach(given([2, 3], 2)).missing).toEqual([2, 3])
  })

  it('a chunk of a lost leader runs again when the next leader dispatches the chunk', () => {
    const work = startWork()
    work.leaderGone()
    work.give(given([0], 2))
    expect(work.retainedBytes).toBeGreaterThan(0)
    work.start([0])
    expect(work.done(partials(0)).indices).toEqual([0])
    expect(work.reattach(given([0], 3)).retained.indices).toEqual([0])
  })
})
