import { describe, expect, it } from 'vitest'
import { batchMessages } from '../../../src/jobs/leader/batch-messages.ts'
import { JobExecution } from '../../../src/jobs/leader/job-execution.ts'
import { combinedAt, tornGroups, withCombined } from '../../../src/jobs/shared/combined-groups.ts'
import { CHUNKS_A_GROUP } from '../../../src/tasks/execute/group.ts'
import type { JobDriver } from '../../../src/tasks/executor.ts'
import { type IndexedPack, packIndexed, unpackIndexed } from '../../../src/tasks/values/pack.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import fc from '../../properties.ts'
import { FakeRunner } from '../fake-runner.ts'

const range = (from: number, end: number) => Array.from({ length: end - from }, (_, i) => from + i)
const packed = (indices: number[], textOf: (index: number) => string): IndexedPack =>
  packIndexed(indices.map(index => ({ index, bytes: Buffer.from(textOf(index)) })))
const single = (indices: number[]) => packed(indices, index => `one ${index}`)
const sizesOf = ({ indices, lengths }: IndexedPack) => ({ indices, sizes: lengths })

describe('partials with combined groups', () => {
  it('the first chunk of a combined group has the combined value, and the other chunks of the group have no bytes', () => {
    const from = fc.nat({ max: 200 })
    fc.assert(
      fc.property(from, fc.integer({ min: 1, max: 100 }), fc.func(fc.boolean()), (first, count, isCombined) => {
        const indices = range(first, first + count)
        const whole = indices.filter(index => index % CHUNKS_A_GROUP === 0 && indices.includes(index + 15))
        const firsts = whole.filter(index => isCombined(index))
        const groups = packed(firsts, index => `all from ${index}`)
        const sent = withCombined(single(indices), groups)
        expect(sent.indices).toEqual(indices)
        for (const [position, { index, bytes }] of unpackIndexed(sent).entries()) {
          const group = index - (index % CHUNKS_A_GROUP)
          const text = Buffer.from(bytes).toString()
          if (!firsts.includes(group))
            expect([text, combinedAt(sizesOf(sent), position)]).toEqual([`one ${index}`, undefined])
          else {
            expect(text).toBe(index === group ? `all from ${group}` : '')
            expect(sent.indices[combinedAt(sizesOf(sent), position)!]).toBe(group)
          }
        }
      })
    )
  })

  it.each([
    ['the group is incomplete', packed(range(0, 15), index => (index === 0 ? 'all' : ''))],
    ['the first chunk of the group is missing', packed(range(1, 17), () => '')],
    ['the group has no combined value', packed(range(0, 16), () => '')],
    ['the partials are not in order', packed([0, 2, 1, ...range(3, 16)], index => (index === 0 ? 'all' : ''))],
    ['each chunk has its own partial', packed(range(0, 16), () => 'one')]
  ])('partials contain no combined group if %s', (_, pack) => {
    for (const position of pack.indices.keys()) expect(combinedAt(sizesOf(pack), position)).toBeUndefined()
  })
})

describe('a combined group', () => {
  const sent = sizesOf(
    withCombined(
      single(range(0, 40)),
      packed([0, 16], index => `all from ${index}`)
    )
  )

  it('a combined group counts if all chunks of the group count', () => {
    expect(tornGroups(sent, () => true)).toEqual(new Set())
    expect(tornGroups(sent, index => index < 32)).toEqual(new Set())
  })

  it('a combined group does not count if one chunk of the group does not count, because that chunk would count twice', () => {
    expect(tornGroups(sent, index => index !== 15)).toEqual(new Set([0]))
    expect(tornGroups(sent, index => index > 16)).toEqual(new Set([0, 16]))
  })

  it('an incomplete combined group does not count', () => {
    const indices = range(4, 16)
    expect(tornGroups({ indices, sizes: indices.map(() => 0) }, () => true)).toEqual(new Set([0]))
  })
})

describe('a job whose task combines', () => {
  it.each([
    [false, true],
    [true, false]
  ])(
    'the workers of a combining job combine partials unless a client reads the partials (client reads: %s)',
    async (partials, combine) => {
      const { lengths, bytes } = single([0, 1])
      const driver: Partial<JobDriver> = {
        pull: async () => ({
          first: 0,
          chunks: { lengths, bytes },
          digests: new Uint8Array(32),
          digest: new Uint8Array(32),
          combines: true,
          done: true
        })
      }
      const submission = { sha256: 'ab'.repeat(32), code: new Uint8Array(), input: encode(0, 'input') }
      const codeStore = { has: () => true, put: async () => {} }
      const init = { id: 'a', submission, slots: 1, runner: new FakeRunner(1), codeStore, onLog() {} }
      const execution = new JobExecution({ ...init, driver: driver as JobDriver })
      await execution.pull(2)
      const job = {
        id: 'a',
        submissionId: 'b',
        execution,
        submission: { ...submission, chunkTimeout: 1, priority: 0, partials }
      }
      expect([...batchMessages(job, 'plain', [0, 1])]).toMatchObject([{ indices: [0, 1], combine }])
    }
  )
})
