import { describe, expect, it } from 'vitest'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { decode, encode, serialize } from '../../../src/tasks/values/payload.ts'
import { isTooSparse, sparseLengthOf } from '../../../src/tasks/values/sparse-arrays.ts'
import fc from '../../properties.ts'

const ARRAY = [0x61]
const END = [0x40, 0]

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 128)
  }
}

/** Returns the bytes that structured clone writes for an array of this length without elements. */
const hollow = (length: number): number[] => [...ARRAY, ...varint(length), ...END, ...varint(length)]
const value = (...bytes: number[]): Uint8Array => Uint8Array.from([0xff, 0x0f, ...bytes])

describe('the memory of sparse arrays in a value', () => {
  it('the sparse length of a value is the sum of the lengths of its sparse arrays at any depth', () => {
    // biome-ignore lint/suspicious/noSparseArray: the test is about sparse arrays
    expect(sparseLengthOf(serialize([, 1], 'value'))).toBe(2)
    const nested = {
      a: new Map([[new Array(7), new Set([[new Array(9)]])]]),
      b: new Error('x', { cause: new Array(11) })
    }
    expect(sparseLengthOf(serialize(nested, 'value'))).toBe(27)
    expect(sparseLengthOf(serialize(['a'.repeat(500), Buffer.alloc(500, 'a'), 97n ** 50n], 'value'))).toBe(0)
  })

  it('the sparse length can be computed for every value that structured clone carries', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withBoxedValues: true,
      maxDepth: 4
    })
    const more = fc.constantFrom<unknown>(
      ...[
        new Error('\u{1f600}', { cause: 'caf\u00e9 \u{1f600}' }),
        new TypeError(),
        new RangeError('a', { cause: true })
      ],
      ...[/a+/gi, /\u{1f600}/u, Object(1n), Object('x'), new ArrayBuffer(9), new Date(Number.NaN), -(2n ** 90n)],
      Object.assign([1, 2], { name: 'x' })
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(anything, more)), values => {
        expect(sparseLengthOf(serialize(values, 'value'))).toBeGreaterThanOrEqual(0)
        expect(isTooSparse(serialize(values, 'value'))).toBe(false)
      }),
      { numRuns: 1_000 }
    )
  })

  it('decode() refuses a value in which a few bytes would allocate much memory', () => {
    expect(() => decode(value(...hollow(30_000_000)), 'partial')).toThrow(InvalidMessageError)
    const many = Array.from({ length: 60 }, () => hollow(100_000)).flat()
    expect(() => decode(value(0x41, 60, ...many, 0x24, 0, 60), 'partial')).toThrow(InvalidMessageError)
    // The parser cuts this length to 32 bits, because V8 does the same when it reads the value.
    expect(() => decode(value(...ARRAY, 0x80, 0x87, 0xa7, 0x8e, 0x70, ...END, 0), 'partial')).toThrow(
      InvalidMessageError
    )
    expect(() => decode(Uint8Array.from([0xff, 0x0d, ...hollow(30_000_000)]), 'partial')).toThrow(InvalidMessageError)
  })

  it('an array without elements may have a moderate length, and an array with many elements a large length', () => {
    expect(decode(encode(new Array(1_000_000), 'value'), 'value')).toHaveLength(1_000_000)
    const filled = new Array(400_000)
    for (let i = 0; i < filled.length; i += 4) filled[i] = i
    const back = decode(encode([filled, filled.slice(), filled.slice(), filled.slice()], 'value'), 'value')
    expect(back).toEqual([filled, filled, filled, filled])
    // V8 allocates no memory for an array of this length.
    expect(decode(value(...hollow(2 ** 32 - 1)), 'value')).toHaveLength(2 ** 32 - 1)
  })
})
