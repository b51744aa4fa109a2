import { describe, expect, it } from 'vitest'
import { ChunkMap } from '../../../src/http/dashboard/model/chunk-map.ts'
import { gridFor, mostOf } from '../../../src/http/dashboard/model/grid.ts'
import type { WireChunks } from '../../../src/http/dashboard/model/wire.ts'
import fc from '../../properties.ts'

const told = (fields: Partial<WireChunks>): WireChunks => ({
  jobId: 'ep-1',
  reset: false,
  first: 0,
  end: 10,
  peers: ['A', 'B'],
  runs: [],
  ...fields
})
const codes = (map: ChunkMap): number[] =>
  Array.from({ length: map.end - map.first }, (_, at) => map.codeOf(map.first + at))

describe('the chunk map', () => {
  it('the chunk map begins with a complete map and applies changes', () => {
    const map = new ChunkMap()
    expect(map.apply(told({ reset: true, runs: [0, 2, 3, 2, 1, 4, 5, 1, 1] }))).toBeUndefined()
    expect(codes(map)).toEqual([3, 3, 4, 0, 0, 1, 0, 0, 0, 0])
    expect(map.apply(told({ end: 12, runs: [2, 1, 5, 3, 1, 2] }))).toEqual([
      { start: 10, length: 2 },
      { start: 2, length: 1 },
      { start: 3, length: 1 }
    ])
    expect(codes(map)).toEqual([3, 3, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0])
    expect([map.countOf(0), map.countOf(1)]).toEqual([
      { done: 2, given: 1 },
      { done: 1, given: 0 }
    ])
    expect([map.waiting, map.doneBefore]).toEqual([7, 1])
  })

  it('the chunk map reports only the changed part of a repeated run', () => {
    const map = new ChunkMap()
    map.apply(told({ reset: true, runs: [0, 10, 2] }))
    expect(map.apply(told({ runs: [0, 4, 2, 4, 2, 3, 6, 4, 2] }))).toEqual([{ start: 4, length: 2 }])
    // The report covers the run from its first to its last change.
    expect(map.apply(told({ runs: [0, 10, 3] }))).toEqual([{ start: 0, length: 10 }])
    expect(map.apply(told({ runs: [0, 10, 3] }))).toEqual([])
  })

  it('the chunk map forgets all earlier chunks when the new leader sends a complete map', () => {
    const map = new ChunkMap()
    map.apply(told({ reset: true, runs: [0, 10, 3] }))
    map.apply(told({ reset: true, end: 4, peers: ['B'], runs: [0, 2, 1] }))
    expect(codes(map)).toEqual([1, 1, 0, 0])
    expect([map.countOf(0), map.waiting, map.doneBefore, map.peers]).toEqual([{ done: 0, given: 0 }, 2, 2, ['B']])
  })

  it('after any events, the counts of the chunk map match its chunks, even for an endless stream of chunks', () => {
    const step = fc.record({
      reset: fc.boolean(),
      forward: fc.nat(2_000),
      grown: fc.nat(3_000),
      runs: fc.array(fc.tuple(fc.nat(6_000), fc.integer({ min: 1, max: 500 }), fc.nat(7)), { maxLength: 20 })
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const map = new ChunkMap()
        let known = new Map<number, number>()
        let [first, end] = [0, 0]
        map.apply(told({ reset: true, end }))
        for (const { reset, forward, grown, runs } of steps) {
          end += grown
          first = Math.min(end, first + forward)
          if (reset) known = new Map()
          map.apply(told({ reset, first, end, runs: runs.flat() }))
          for (const [start, length, code] of runs) {
            for (let at = start; at < start + length; at++) if (at >= first && at < end) known.set(at, code)
          }
          const all = Array.from({ length: end - first }, (_, at) => known.get(first + at) ?? 0)
          expect(codes(map)).toEqual(all)
          const many = (code: number): number => all.filter(other => other === code).length
          expect([map.waiting, map.doneBefore]).toEqual([many(0), many(1)])
          for (const peer of [0, 1, 2]) {
            expect(map.countOf(peer)).toEqual({ done: many(3 + 2 * peer), given: many(2 + 2 * peer) })
          }
        }
      }),
      { numRuns: 60 }
    )
  })
})

describe('the cells of the chunk map', () => {
  it('each cell of the chunk map shows one chunk, and the cells are as large as the width allows', () => {
    expect(gridFor(10, 320, 320, 1)).toMatchObject({ size: 16, cells: 10, chunksPerCell: 1, rows: 1 })
    expect(gridFor(3_000, 900, 440, 1)).toMatchObject({ cells: 3_000, chunksPerCell: 1 })
    expect(gridFor(100_000, 320, 440, 1)).toMatchObject({ size: 1, cells: 100_000, chunksPerCell: 1 })
  })

  it('if the map has too many chunks, each cell shows several chunks, but as few chunks as possible', () => {
    expect(gridFor(300_000, 300, 400, 1)).toMatchObject({ size: 1, chunksPerCell: 3, cells: 100_000 })
  })

  it('a cell has more pixels on a screen of higher resolution', () => {
    expect(gridFor(300_000, 600, 800, 2)).toMatchObject({ size: 2, chunksPerCell: 3 })
  })

  it('the cells always fit and cover every chunk', () => {
    const any = fc.record({
      chunks: fc.nat(2_000_000),
      width: fc.integer({ min: 50, max: 3_000 }),
      height: fc.integer({ min: 50, max: 900 }),
      scale: fc.integer({ min: 1, max: 3 })
    })
    fc.assert(
      fc.property(any, ({ chunks, width, height, scale }) => {
        const { size, columns, rows, cells, chunksPerCell } = gridFor(chunks, width, height, scale)
        expect(columns * size).toBeLessThanOrEqual(Math.max(width, size))
        expect(rows * size).toBeLessThanOrEqual(height)
        expect(columns * rows).toBeGreaterThanOrEqual(cells)
        expect(cells * chunksPerCell).toBeGreaterThanOrEqual(chunks)
      })
    )
  })

  it('a cell shows the most frequent state of its chunks, and prefers done to waiting', () => {
    expect([mostOf([]), mostOf([0, 0, 3]), mostOf([0, 3]), mostOf([5, 3, 3])]).toEqual([0, 0, 3, 3])
  })
})
