import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { JsonTooLargeError } from '../../../src/common/errors.ts'
import { toJson, writeJson } from '../../../src/tasks/values/tagged-json.ts'
import { untag } from '../../cli/untag.ts'
import fc from '../../properties.ts'

const key = fc.oneof(fc.string(), fc.constantFrom('$number', '$bigint', '$object', '$undefined', '__proto__', '$'))

/** Values that structured clone carries, including values without a form in JSON. */
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

/** Parses the text as a reader of the tagged JSON would. */
function tagged(value: unknown): unknown {
  return JSON.parse(toJson(value))
}

/** Nested `[x, x]`: a few hundred bytes as structured clone, but 2 ** levels strings as JSON. */
function shared(levels: number): unknown {
  let value: unknown = 'end'
  for (let level = 0; level < levels; level++) value = [value, value]
  return value
}

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

describe('tagged JSON', () => {
  it('tagged JSON preserves every value that structured clone can carry', () => {
    fc.assert(
      fc.property(values, value => {
        expect(isDeepStrictEqual(untag(JSON.parse(toJson(value))), value)).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })

  it('tagged JSON leaves plain JSON unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), made => {
        // The value goes through JSON text first, which turns −0 into 0.
        const text = JSON.stringify(made)
        fc.pre(!text.includes('$'))
        expect(toJson(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)))
      })
    )
  })

  it('tagged JSON marks what JSON cannot hold with a $ key', () => {
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

  it('tagged JSON of a cyclic value is finite', () => {
    const loop: { inner: { up?: unknown } } = { inner: {} }
    loop.inner.up = loop
    expect(tagged(loop)).toEqual({ inner: { up: { $circular: 2 } } })
  })

  it('tagged JSON repeats a shared value', () => {
    const both = { a: 1 }
    expect(tagged([both, both])).toEqual([{ a: 1 }, { a: 1 }])
  })

  it('tagged JSON has the layout of JSON.stringify', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
        const text = toJson(value, indent)
        expect(text).toBe(JSON.stringify(JSON.parse(text), undefined, indent))
      })
    )
  })

  it.each([
    'x'.repeat(200_000),
    '"\n\u0000'.repeat(70_000),
    '🙂'.repeat(100_000),
    `a${'🙂'.repeat(100_000)}`,
    '\ud83d'.repeat(100_000)
  ])('tagged JSON writes a long string, and a key of that length, as JSON.stringify does: %#', text => {
    expect(toJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }))
  })

  it('tagged JSON of long bytes is written in several pieces, which join to the whole text', () => {
    const bytes = Uint8Array.from({ length: 500_001 }, (_, i) => i * i)
    expect(toJson(bytes)).toBe(`{"$bytes":"${Buffer.from(bytes).toString('base64')}"}`)
    const pieces: string[] = []
    writeJson(bytes, piece => pieces.push(piece))
    expect(pieces.length).toBeGreaterThan(5)
    expect(pieces.join('')).toBe(toJson(bytes))
  })

  it('tagged JSON never exceeds the character limit, not even for shared values', () => {
    const most = 1_000_000
    for (const value of [
      shared(30),
      new Map([[shared(29), shared(29)]]),
      { $: shared(30) },
      new Set([shared(30)]),
      new Error('no', { cause: shared(30) }),
      'x'.repeat(most),
      '\u0000'.repeat(most / 5),
      { ['x'.repeat(most)]: 1 },
      new Uint8Array(most),
      new Array(most)
    ]) {
      let written = 0
      const write = (): void => writeJson(value, piece => (written += piece.length), { most })
      expect(write).toThrow(JsonTooLargeError)
      expect(written).toBeLessThanOrEqual(most)
    }
  })

  it('the writer of tagged JSON stops early if a value is far above the limit', () => {
    for (const value of [shared(30), [new Map([[shared(15), shared(30)]])], new Set([{ deep: shared(1_000) }])]) {
      let written = 0
      const write = (): void => writeJson(value, piece => (written += piece.length))
      expect(write).toThrow(JsonTooLargeError)
      expect(written).toBeLessThan(2 ** 21)
    }
  })

  it.each([
    ['billions of holes', 2 ** 32 - 1, 2 ** 28],
    ['holes whose commas alone would fit', 1_500_000, 4_000_000]
  ])('tagged JSON refuses an array with %s without reading most of them', (_, length, most) => {
    const array: unknown[] = []
    array[length - 1] = 1
    let reads = 0
    const counted = new Proxy(array, {
      get(target, key) {
        if (++reads > 1_000_000) throw new Error('it is read place by place')
        return Reflect.get(target, key)
      }
    })
    expect(() => toJson(counted, 0, most)).toThrow(JsonTooLargeError)
  })

  it('tagged JSON may have exactly as many characters as the limit', () => {
    const holes = new Array(100_000)
    holes[50_000] = undefined
    for (const value of [
      shared(10),
      Array.from({ length: 200_000 }, () => [1, '']),
      holes,
      new String('x'.repeat(2 ** 21))
    ]) {
      const { length } = toJson(value)
      expect(toJson(value, 0, length)).toHaveLength(length)
      expect(() => toJson(value, 0, length - 1)).toThrow(JsonTooLargeError)
    }
  })

  it('tagged JSON has at most 1,000 levels, however deep the call stack may be', () => {
    expect(toJson(nested(1_000))).toBe(`${'['.repeat(1_000)}1${']'.repeat(1_000)}`)
    expect(() => toJson(nested(1_001))).toThrow(JsonTooLargeError)
    expect(() => toJson(nested(100_000))).toThrow(JsonTooLargeError)
  })
})
