import { describe, expect, it } from 'vitest'
import {
  areTimes,
  type ChunkTime,
  type ChunkTimes,
  readTimes,
  TimesWriter
} from '../../../src/tasks/execute/chunk-times.ts'
import { executorOf, moduleOf } from '../helpers.ts'
import { chunksOf } from '../outcomes.ts'

/** Runs chunks, and resolves with the start and end times of the chunks by the system clock. */
async function timesFor(source: string, values: unknown[], more: { chunkTimeout?: number; times?: boolean } = {}) {
  const bundle = moduleOf(source)
  const executor = await executorOf([bundle])
  const told: ChunkTimes[] = []
  const batch = { sha256: bundle.sha256, chunks: chunksOf(values), times: true, ...more }
  const from = Date.now()
  await executor.runBatch(batch, { onOutcomes: ({ times }) => void (times !== undefined && told.push(times)) })
  return { from, until: Date.now(), rows: told.flatMap(times => [...readTimes(times)]), told }
}

const WORK = `export default {
  async run(chunk) {
    if (chunk === 'throw') throw new Error('no')
    if (chunk === 'exit') process.exit(1)
    if (chunk === 'loop') for (;;) {}
    await new Promise(resolve => setTimeout(resolve, chunk))
    return chunk
  }
}`

describe('the times of chunks', () => {
  it('chunk times arrive in the order in which the thread ran the chunks', async () => {
    const { from, until, rows } = await timesFor(WORK, [20, 1, 20])
    expect(rows.map(({ index, how }) => [index, how])).toEqual([0, 1, 2].map(index => [index, 'completed']))
    // Allows 2 ms, because the two clocks are not read at the same moment.
    let before = from - 2
    for (const { start, end } of rows) {
      expect(start).toBeGreaterThan(before)
      expect(end).toBeGreaterThanOrEqual(start)
      before = end - 2
    }
    expect(before).toBeLessThanOrEqual(until)
    expect(rows[0]!.end - rows[0]!.start).toBeGreaterThan(15)
  })

  it('chunk times also cover chunks that threw, that exceeded chunkTimeout or that ended their thread', async () => {
    const { rows } = await timesFor(WORK, ['throw', 'loop', 1], { chunkTimeout: 1_000 })
    const byIndex = rows.toSorted((a: ChunkTime, b: ChunkTime) => a.index - b.index)
    expect(byIndex.map(({ how }) => how)).toEqual(['failed', 'timed-out', 'completed'])
    expect(byIndex[1]!.end - byIndex[1]!.start).toBeGreaterThan(975)
    expect((await timesFor(WORK, ['exit'])).rows).toMatchObject([{ index: 0, how: 'failed' }])
  })

  it('for thousands of tiny chunks, the chunk times cover some chunks and count the omitted chunks', async () => {
    const { rows, told } = await timesFor(
      'export default { run: chunk => chunk }',
      Array.from({ length: 5_000 }, (_, i) => i)
    )
    const leftOut = told.reduce((sum, times) => sum + times.leftOut, 0)
    expect(leftOut).toBeGreaterThan(0)
    expect(rows.length + leftOut).toBe(5_000)
  })

  it('chunk times are reported only on request', async () => {
    expect((await timesFor(WORK, [1], { times: false })).told).toEqual([])
  })

  it('chunk times are refused if they are invalid', () => {
    const writer = new TimesWriter()
    writer.add(3, 1, 2, 'completed')
    const { rows } = writer.take()
    expect(areTimes(rows, 4)).toBe(true)
    expect(areTimes(rows, 3)).toBe(false)
    expect(areTimes(rows.subarray(1), 4)).toBe(false)
    expect(areTimes(Float64Array.of(0, Number.NaN, 1, 0), 4)).toBe(false)
    expect(areTimes(Float64Array.of(0, 1, Number.POSITIVE_INFINITY, 0), 4)).toBe(false)
    expect(areTimes(Float64Array.of(0, 1, 2, 4), 4)).toBe(false)
    expect(areTimes(Float64Array.of(0.5, 1, 2, 0), 4)).toBe(false)
  })
})
