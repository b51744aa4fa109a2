import { expect, test } from 'vitest'
import nasEp from '../../examples/nas-ep.ts'
import { chunksOf, runInOneLoop } from './in-one-loop.ts'

test('the result of class S equals the published sums and counts, and is verified', async () => {
  const { chunks, result } = await runInOneLoop(nasEp, { class: 'S' })

  expect(chunks).toEqual(Array.from({ length: 256 }, (_, block) => block))
  expect(result).toMatchObject({ class: 'S', pairs: 2 ** 24, verified: true })
  expect(Math.abs(result.sx / -3247.83465203474 - 1)).toBeLessThan(1e-8)
  expect(Math.abs(result.sy / -6958.407078382297 - 1)).toBeLessThan(1e-8)
  expect(result.counts).toEqual([6140517, 5865300, 1100361, 68546, 1648, 17, 0, 0, 0, 0])
})

test('the default class is S', () => {
  expect(chunksOf(nasEp, undefined)).toHaveLength(256)
})

test('every class is cut into blocks of 2^16 pairs', () => {
  for (const [name, blocks] of Object.entries({ S: 256, W: 512, A: 4096, B: 16384 })) {
    expect(chunksOf(nasEp, { class: name })).toHaveLength(blocks)
  }
})

test('an unknown class is refused, even if it is the name of an inherited property', () => {
  for (const name of ['C', 's', 'toString']) {
    expect(() => chunksOf(nasEp, { class: name })).toThrow('class must be S, W, A or B')
  }
})

test('a wrong sum, count or number of blocks is not verified', async () => {
  const { result } = await runInOneLoop(
    { ...nasEp, run: block => ({ pairs: 2 ** 16, sx: block, sy: 1, counts: [1] }) },
    { class: 'S' }
  )
  expect(result).toMatchObject({ class: 'S', verified: false })

  const published = { pairs: 2 ** 24, sx: -3247.83465203474, sy: -6958.407078382297 }
  const counts = [6140517, 5865300, 1100361, 68546, 1648, 17, 0, 0, 0, 0]
  expect(await nasEp.finish?.({ ...published, counts })).toMatchObject({ verified: true })
  expect(await nasEp.finish?.({ ...published, sx: published.sx * (1 + 2e-8), counts })).toMatchObject({
    verified: false
  })
  expect(await nasEp.finish?.({ ...published, sy: Number.NaN, counts })).toMatchObject({ verified: false })
  expect(await nasEp.finish?.({ ...published, counts: [6140516, ...counts.slice(1)] })).toMatchObject({
    verified: false
  })
  const oneBlockLost = await nasEp.finish?.({ ...published, pairs: published.pairs - 2 ** 16, counts })
  expect(oneBlockLost).toMatchObject({ class: undefined, verified: false })
})
