import { expect, test } from 'vitest'
import type { Entry } from '../../src/journal/core/entry.ts'
import { isJob, type JournalRecord } from '../../src/journal/record.ts'
import { decodeStored, encodeStored } from '../../src/journal/stored-entry.ts'
import fc from '../properties.ts'
import { entry } from './drawn.ts'

/** Puts large contents in place of some that an entry has. */
function enlarged({ record, ...head }: Entry<JournalRecord>, sizes: readonly number[]): Entry<JournalRecord> {
  if (!isJob(record)) return { ...head, record }
  const [code = 0, input = 0, accumulator = 0] = sizes
  const filled = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(bytes)
  const { submission, checkpoint, outcome } = record
  return {
    ...head,
    record: {
      ...record,
      submission: submission && { ...submission, code: filled(code), input: filled(input) },
      checkpoint: checkpoint?.kind === 'folded' ? { ...checkpoint, accumulator: filled(accumulator) } : checkpoint,
      outcome: outcome?.type === 'completed' ? { ...outcome, result: filled(input) } : outcome
    }
  }
}

test('an entry that was stored is the same when it is read, with its large contents beside it', () => {
  const size = fc.constantFrom(0, 1, 255, 256, 2_000)
  fc.assert(
    fc.property(entry, fc.array(size, { minLength: 3, maxLength: 3 }), (drawn, sizes) => {
      const before = enlarged(drawn as unknown as Entry<JournalRecord>, sizes)
      const stored = encodeStored(before)
      // Some drawn bytes are of the class Buffer.
      expect(decodeStored(stored)).toEqual(structuredClone(before))
      for (const content of stored.contents) expect(content.byteLength).toBeGreaterThanOrEqual(256)
    })
  )
})

test('an entry of which a content is missing is refused', () => {
  fc.assert(
    fc.property(entry, drawn => {
      const { value, contents } = encodeStored(enlarged(drawn as unknown as Entry<JournalRecord>, [300, 300, 300]))
      fc.pre(contents.length > 0)
      expect(() => decodeStored({ value, contents: contents.slice(1) })).toThrow(/missing|numbers/)
    })
  )
})

test('an entry that is cut off is refused', () => {
  expect(() => decodeStored({ value: new Uint8Array(3), contents: [] })).toThrow(/cut off/)
})
