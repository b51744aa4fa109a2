import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tagged, toJson } from '../src/tagged-json.ts'
import { untag } from './cli/untag.ts'
import fc from './properties.ts'

const key = fc.oneof(fc.string(), fc.constantFrom('$number', '$bigint', '$object', '$undefined', '__proto__', '$'))

/** Values as structured clone carries them, the awkward ones among them. */
const values = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.double(),
      fc.constantFrom(-0, Number.NaN, Infinity, -Infinity, undefined, null, true),
      fc.bigInt(),
      fc.string(),
      fc.date({ noInvalidDate: true }),
      fc.uint8Array(),
      fc.array(fc.double()).map(numbers => Float64Array.from(numbers)),
      fc.int32Array()
    ),
    fc.array(tie('value')),
    fc.array(tie('value')).map(items => {
      const holes = [...items]
      delete holes[1]
      return holes
    }),
    fc.array(fc.tuple(key, tie('value'))).map(entries => Object.fromEntries(entries)),
    fc.array(fc.tuple(tie('value'), tie('value'))).map(entries => new Map(entries)),
    fc.array(tie('value')).map(items => new Set(items))
  )
})).value

describe('tagged JSON', () => {
  it('loses nothing that structured clone can carry', () => {
    fc.assert(
      fc.property(values, value => {
        expect(isDeepStrictEqual(untag(JSON.parse(toJson(value))), value)).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })

  it('leaves plain JSON as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), made => {
        // By way of JSON text, which turns −0 into 0.
        const text = JSON.stringify(made)
        fc.pre(!text.includes('$'))
        expect(toJson(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)))
      })
    )
  })

  it('tags what JSON cannot hold with a $ key', () => {
    expect(tagged([1n, undefined, Number.NaN, -0, Infinity])).toEqual([
      { $bigint: '1' },
      { $undefined: true },
      { $number: 'NaN' },
      { $number: '-0' },
      { $number: 'Infinity' }
    ])
    expect(tagged(new Map([['a', new Set([1])]]))).toEqual({ $map: [['a', { $set: [1] }]] })
    expect(tagged(new Uint8Array([1, 2]))).toEqual({ $bytes: 'AQI=' })
    expect(tagged(new Float64Array([0]))).toEqual({ $typedArray: 'Float64Array', base64: 'AAAAAAAAAAA=' })
    expect(tagged(new Date(0))).toEqual({ $date: '1970-01-01T00:00:00.000Z' })
    expect(tagged(new Date(Number.NaN))).toEqual({ $date: null })
    expect(tagged(/a/g)).toEqual({ $regexp: 'a', flags: 'g' })
    expect(tagged(new RangeError('no'))).toMatchObject({ $error: { name: 'RangeError', message: 'no' } })
  })

  it('ends on a value that holds itself', () => {
    const loop: { inner: { up?: unknown } } = { inner: {} }
    loop.inner.up = loop
    expect(tagged(loop)).toEqual({ inner: { up: { $circular: 2 } } })
  })

  it('shows a value twice that is held twice', () => {
    const shared = { a: 1 }
    expect(tagged([shared, shared])).toEqual([{ a: 1 }, { a: 1 }])
  })
})
