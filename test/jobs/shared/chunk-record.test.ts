import { describe, expect, it } from 'vitest'
import {
  type ChunkChanges,
  ChunkRecord,
  MOST_RECORDED,
  MOST_RECORDED_PEERS
} from '../../../src/jobs/shared/chunk-record.ts'
import fc from '../../properties.ts'

/** Returns the code of each chunk in the runs, by the index of the chunk. */
function codesOf({ runs }: Pick<ChunkChanges, 'runs'>): Map<number, number> {
  const codes = new Map<number, number>()
  for (let at = 0; at < runs.length; at += 3)
    for (let i = 0; i < runs[at + 1]!; i++) codes.set(runs[at]! + i, runs[at + 2]!)
  return codes
}

describe('ChunkRecord', () => {
  it('a chunk record reports in runs which peer computes or has computed each chunk', () => {
    const record = new ChunkRecord()
    record.add(6)
    for (const index of [0, 1, 2]) record.set(index, record.givenTo('a'))
    record.set(1, record.doneBy('b'))
    expect(record.since(0)).toEqual({
      version: 1,
      first: 0,
      end: 6,
      peers: ['a', 'b'],
      runs: [0, 1, 2, 1, 1, 5, 2, 1, 2, 3, 3, 0],
      next: undefined
    })
  })

  it('after its first report, a chunk record reports only the blocks of 256 chunks that have changed', () => {
    const record = new ChunkRecord()
    record.add(1_000)
    const { version } = record.since(0)
    expect(record.since(version).runs).toEqual([])
    record.set(300, record.doneBy('a'))
    const changes = record.since(version)
    expect(changes.runs).toEqual([256, 44, 0, 300, 1, 3, 301, 211, 0])
    expect(record.since(changes.version).runs).toEqual([])
    // A viewer that still has the earlier version gets the same changes.
    expect(record.since(version).runs).toEqual(changes.runs)
  })

  it('an empty chunk record that was read reports the first chunk that is added after the read', () => {
    const record = new ChunkRecord()
    const { version } = record.since(0)
    record.add(1)
    expect(record.since(version)).toMatchObject({ end: 1, runs: [0, 1, 0] })
  })

  it('a chunk record reports all chunks to a viewer with an unknown version', () => {
    const record = new ChunkRecord()
    record.add(2)
    expect(record.since(17).runs).toEqual([0, 2, 0])
  })

  it('the chunk record of a resumed job reports the folded chunks as done by an unknown peer', () => {
    expect(new ChunkRecord(5).since(0)).toMatchObject({ first: 0, end: 5, runs: [0, 5, 1] })
    const late = new ChunkRecord(3 * MOST_RECORDED + 7)
    expect(late.first % 256).toBe(0)
    expect(late.end).toBe(3 * MOST_RECORDED + 7)
    expect(late.since(0).runs).toEqual([late.first, late.end - late.first, 1])
    late.add(1)
    late.set(late.end - 1, late.doneBy('a'))
    expect(late.since(0).runs.slice(3)).toEqual([late.end - 1, 1, 3])
  })

  it('a chunk record keeps the last 1,048,576 chunks of an endless stream in at most two bytes each, and drops whole blocks', () => {
    const record = new ChunkRecord()
    for (let i = 0; i < 40; i++) record.add(100_000)
    expect(record.end).toBe(4_000_000)
    expect(record.end - record.first).toBeGreaterThan(MOST_RECORDED - 256)
    expect(record.end - record.first).toBeLessThanOrEqual(MOST_RECORDED)
    record.set(record.first - 1, record.doneBy('a'))
    expect(record.since(0).runs).toEqual([record.first, record.end - record.first, 0])
    expect(record.bytes).toBeLessThan(1.1 * MOST_RECORDED)
    for (let i = 0; i < 200; i++) record.set(record.first, record.doneBy(`peer ${i}`))
    expect(record.since(0).runs.slice(0, 3)).toEqual([record.first, 1, 3 + 2 * 200])
    expect(record.bytes).toBeLessThan(2.1 * MOST_RECORDED)
  })

  it('a chunk record distinguishes 10,000 peers, and reports the done chunks of further peers without the peer', () => {
    const record = new ChunkRecord()
    record.add(3)
    for (let i = 0; i < MOST_RECORDED_PEERS; i++) record.doneBy(`peer ${i}`)
    record.set(0, record.doneBy(`peer ${MOST_RECORDED_PEERS - 1}`))
    record.set(1, record.doneBy('one more'))
    record.set(2, record.givenTo('one more'))
    const { peers, runs } = record.since(0)
    expect(peers).toHaveLength(MOST_RECORDED_PEERS)
    expect(runs).toEqual([0, 1, 3 + 2 * (MOST_RECORDED_PEERS - 1), 1, 1, 1, 2, 1, 0])
  })

  it('when a job ends, its chunk record reports the chunks that are not done as waiting', () => {
    const record = new ChunkRecord()
    record.add(3)
    record.set(0, record.doneBy('a'))
    record.set(1, record.givenTo('a'))
    const { version } = record.since(0)
    record.release()
    expect(record.since(version).runs).toEqual([0, 1, 3, 1, 2, 0])
  })

  it('a chunk record reports in pieces of the requested size, and reports a change between two pieces later', () => {
    const record = new ChunkRecord()
    record.add(2_048)
    for (let index = 0; index < 2_048; index += 2) record.set(index, record.doneBy('a'))
    const first = record.since(0, 0, 300)
    expect(first.next).toBe(512)
    expect(first.runs).toHaveLength(3 * 512)
    record.set(1, record.doneBy('b'))
    const codes = codesOf(first)
    for (let next = first.next; next !== undefined; ) {
      const piece = record.since(0, next, 300)
      for (const [index, code] of codesOf(piece)) codes.set(index, code)
      next = piece.next
    }
    expect(codes.size).toBe(2_048)
    expect(codesOf(record.since(first.version)).get(1)).toBe(5)
  })

  it('the copy of a viewer equals the chunk record of an endless stream, although the viewer misses millions of chunks', () => {
    const record = new ChunkRecord()
    let copy: ChunkRecord | undefined
    let version = 0
    for (const count of [700_000, 400_000, 300, 3_000_000, 77]) {
      record.add(count)
      for (let index = record.end - 50; index < record.end; index++) record.set(index, record.doneBy(`${count}`))
      const changes = record.since(version)
      version = changes.version
      if (copy === undefined) copy = ChunkRecord.from(changes)
      else copy.apply(changes)
      expect({ ...copy.since(0), version: 0 }).toEqual({ ...record.since(0), version: 0 })
    }
  })

  it('the copy of a viewer equals the chunk record after reads at any times and with any piece sizes', () => {
    const step = fc.oneof(
      fc.record({ add: fc.nat({ max: 3_000 }) }),
      fc.record({ set: fc.nat({ max: 9_999 }), peer: fc.nat({ max: 150 }), kind: fc.nat({ max: 2 }) }),
      fc.record({ look: fc.nat({ max: 1 }), most: fc.integer({ min: 1, max: 50 }) }),
      fc.constant({ release: true })
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat({ max: 3_000 }), (steps, folded) => {
        const record = new ChunkRecord(folded)
        const model = new Map<number, string>()
        for (let index = record.first; index < record.end; index++) model.set(index, 'done')
        const whole = record.since(0)
        const mirrors = [0, 1].map(() => ({ copy: ChunkRecord.from(whole), version: whole.version }))
        const look = (mirror: { copy: ChunkRecord; version: number }, most: number): void => {
          const { version } = mirror
          let from: number | undefined = 0
          for (let isFirst = true; from !== undefined; isFirst = false) {
            const piece = record.since(version, from, most)
            mirror.copy.apply(piece)
            if (isFirst) mirror.version = piece.version
            from = piece.next
          }
        }
        for (const one of steps) {
          if ('add' in one) {
            for (let i = 0; i < one.add; i++) model.set(record.end + i, 'waiting')
            record.add(one.add)
          } else if ('set' in one) {
            if (record.end === record.first) continue
            const index = record.first + (one.set % (record.end - record.first))
            const peer = `peer ${one.peer}`
            if (one.kind === 0) record.set(index, 0)
            else record.set(index, one.kind === 1 ? record.givenTo(peer) : record.doneBy(peer))
            model.set(index, one.kind === 0 ? 'waiting' : `${one.kind === 1 ? 'at' : 'by'} ${peer}`)
          } else if ('look' in one) look(mirrors[one.look]!, one.most)
          else {
            record.release()
            for (const [index, what] of model) if (what.startsWith('at')) model.set(index, 'waiting')
          }
        }
        for (const mirror of mirrors) look(mirror, 10)
        const { peers, first, end, runs } = record.since(0)
        const told = codesOf({ runs })
        expect(told.size).toBe(end - first)
        for (const [index, code] of told) {
          const peer = peers[(code - 2) >> 1]
          const what = code === 0 ? 'waiting' : code === 1 ? 'done' : `${code % 2 === 0 ? 'at' : 'by'} ${peer}`
          if (what !== model.get(index)) throw new Error(`${index} is ${what}, not ${model.get(index)}`)
        }
        for (const { copy } of mirrors)
          expect({ ...copy.since(0), version: 0 }).toEqual({ peers, first, end, runs, version: 0, next: undefined })
      }),
      { numRuns: 60 }
    )
  })
})
