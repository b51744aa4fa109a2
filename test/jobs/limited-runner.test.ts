import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { limitedRunner } from '../../src/jobs/limited-runner.ts'
import { MOST_PAYLOAD_MB, tooLarge } from '../../src/jobs/protocol/payload-limit.ts'
import type { Runner } from '../../src/jobs/shared/runner.ts'
import type { JobDriver, Outcomes } from '../../src/tasks/executor.ts'
import { type IndexedValue, NOTHING_PACKED, pack, packIndexed, unpackIndexed } from '../../src/tasks/values/pack.ts'

const MIB = 2 ** 20
const limit = { maxPayloadMb: 1, self: 'somebody' }
const FITS = new Uint8Array(MIB)
const EXCEEDS = new Uint8Array(MIB + 1)

/** A limited runner whose chunks and jobs have payloads of `bytes`, and the chunks that ran. */
function runnerOf(bytes: Uint8Array): { runner: Runner; ran: number[] } {
  const ran: number[] = []
  const driver: Partial<JobDriver> = {
    pull: async () => ({
      first: 3,
      chunks: pack([FITS, bytes]),
      digests: new Uint8Array(),
      digest: new Uint8Array(),
      done: false
    }),
    fold: async () => ({ kind: 'folded', bytes: 0 }) as never,
    finish: async () => bytes
  }
  const runner: Runner = {
    slots: 1,
    runBatch(batch, handlers) {
      const { indices } = batch.chunks
      ran.push(...indices)
      handlers.onOutcomes({ partials: packIndexed(indices.map(index => ({ index, bytes }))), failed: [] }, 1)
      return Object.assign(Promise.resolve(), { cancel() {} })
    },
    runQuarantined: async ({ chunk }, handlers) => {
      ran.push(chunk.index)
      handlers.onOutcomes({ partials: packIndexed([{ index: chunk.index, bytes }]), failed: [] }, 1)
    },
    openDriver: async () => driver as JobDriver
  }
  return { runner: limitedRunner(runner, limit), ran }
}

async function outcomes(runner: Runner, chunks: IndexedValue[]): Promise<Outcomes> {
  const seen: Outcomes[] = [{ partials: NOTHING_PACKED, failed: [] }]
  await runner.runBatch({ sha256: '', chunks: packIndexed(chunks) }, { onOutcomes: each => seen.push(each) })
  return {
    partials: packIndexed(seen.flatMap(({ partials }) => unpackIndexed(partials))),
    failed: seen.flatMap(({ failed }) => failed)
  }
}

describe('a runner with a limit', () => {
  it('a limited runner runs the chunks that fit, and fails the others without running them', async () => {
    const { runner, ran } = runnerOf(FITS)
    const seen = await outcomes(runner, [
      { index: 0, bytes: FITS },
      { index: 1, bytes: EXCEEDS }
    ])
    expect(ran).toEqual([0])
    expect(isDeepStrictEqual(seen.partials, packIndexed([{ index: 0, bytes: FITS }]))).toBe(true)
    expect(seen.failed).toMatchObject([
      { index: 1, failure: { function: 'run', index: 1, message: expect.stringContaining('the chunk has') } }
    ])
    await runner.runQuarantined({ sha256: '', chunk: { index: 2, bytes: EXCEEDS } }, { onOutcomes: () => {} })
    expect(ran).toEqual([0])
  })

  it('a limited runner fails a chunk whose partial does not fit', async () => {
    const seen = await outcomes(runnerOf(EXCEEDS).runner, [{ index: 5, bytes: FITS }])
    expect(seen.failed).toMatchObject([
      { index: 5, failure: { index: 5, message: expect.stringContaining('the partial has 1.01 MiB') } }
    ])
    expect(seen.partials.indices).toEqual([])
  })

  it('a limited runner fails a job whose input, chunk, partial or result does not fit', async () => {
    const driver = (bytes: Uint8Array) => runnerOf(bytes).runner.openDriver({ sha256: '', input: FITS, slots: 1 })
    const large = await driver(EXCEEDS)
    await expect(large.pull(2)).rejects.toMatchObject({ failure: { function: 'split', index: 4 } })
    await expect(large.fold(7, pack([FITS, EXCEEDS]))).rejects.toMatchObject({ failure: { function: 'run', index: 8 } })
    await expect(large.finish()).rejects.toMatchObject({ failure: { function: 'finish' } })
    const { runner } = runnerOf(FITS)
    const opened = runner.openDriver({ sha256: '', input: EXCEEDS, slots: 1 })
    await expect(opened).rejects.toMatchObject({ failure: { message: expect.stringContaining('the input has') } })
    const small = await driver(FITS)
    expect((await small.pull(2)).chunks.lengths).toHaveLength(2)
    await small.fold(0, pack([FITS]))
    expect(await small.finish()).toBe(FITS)
  })
})

describe('a payload that is too large', () => {
  const told = (mib: number, maxPayloadMb: number): string | undefined => {
    const size = mib * MIB
    return tooLarge({ function: 'split', what: 'chunk', size, index: 3 }, { maxPayloadMb, self: 'somebody' })?.message
  }

  it('a payload that is too large fails with its size, the peer with the limit, and the option that raises the limit', () => {
    expect(told(9, 8)).toBe(
      'the chunk has 9 MiB, more than the 8 MiB that peer somebody allows: yield smaller chunks, or start the peers with a larger --max-payload-mb (maxPayloadMb; up to 511)'
    )
    expect(told(8 + 1 / MIB, 8)).toContain('8.01 MiB')
    expect(told(8, 8)).toBeUndefined()
  })

  it('a payload above the largest limit fails with the note that no option helps', () => {
    expect(told(512, MOST_PAYLOAD_MB)).toBe(
      'the chunk has 512 MiB, more than the 511 MiB that can travel, which --max-payload-mb cannot raise: yield smaller chunks'
    )
  })
})
