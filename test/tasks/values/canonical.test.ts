import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { DIGEST_BYTES, digestOf } from '../../../src/tasks/values/canonical.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import fc from '../../properties.ts'

const hex = (value: unknown) => Buffer.from(digestOf(value)).toString('hex')
const roundTrip = (value: unknown) => decode(encode(value, 'value'), 'value')
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withObjectString: true,
  withBoxedValues: true,
  withNullPrototype: true,
  withUnicodeString: true
} as fc.ObjectConstraints)

function holes(...values: unknown[]): unknown[] {
  const array: unknown[] = new Array(values.length)
  for (const [i, value] of values.entries()) if (value !== 'hole') array[i] = value
  return array
}

const many = Array.from({ length: 5000 }, (_, i) => i)
const part = { a: 1 }
const cycle: unknown[] = []
cycle.push([cycle])
const otherCycle: unknown[] = []
otherCycle.push(otherCycle)

/** Values that all differ from one another. */
const DIFFERENT: unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  0n,
  1n,
  -1n,
  2n ** 64n,
  '',
  '0',
  '1',
  'ab',
  'é',
  '\u{1f600}',
  '\ud83d',
  '\ufffd',
  'x'.repeat(254),
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(200_000),
  `${'x'.repeat(199_999)}y`,
  [],
  [undefined],
  holes('hole'),
  holes('hole', 'hole'),
  holes(1, 'hole', 3),
  [1, undefined, 3],
  [1, 2],
  [[1], 2],
  [[1, 2]],
  Object.assign([1, 2], { name: 1 }),
  Object.assign([1, 2], { '-1': 1 }),
  Object.assign([1, 2], { '0.5': 1 }),
  Object.assign([1, 2], { '01': 1 }),
  Object.assign([], { 4000000000: 1 }),
  Object.assign([], { 4000000001: 1 }),
  {},
  { a: undefined },
  { a: 1 },
  { b: 1 },
  { a: 1, b: 2 },
  { b: 2, a: 1 },
  { a: { b: 2 } },
  { 'a\u0006b': 1 },
  [part, part],
  [{ ...part }, { ...part }],
  cycle,
  otherCycle,
  new Map(),
  new Map([[1, 2]]),
  new Map([[2, 1]]),
  new Map([
    [1, 2],
    [3, 4]
  ]),
  new Map([
    [3, 4],
    [1, 2]
  ]),
  new Set(),
  new Set([1, 2]),
  new Set([2, 1]),
  new Date(0),
  new Date(1),
  new Date(Number.NaN),
  /a/,
  /a/g,
  new Number(0),
  new Number(-0),
  new String('a'),
  new Boolean(false),
  Object(0n),
  new Error(),
  new Error(''),
  new Error('a'),
  new RangeError('a'),
  new ArrayBuffer(0),
  new ArrayBuffer(1),
  new Uint8Array(1),
  new Int8Array(1),
  new Uint8ClampedArray(1),
  new Uint16Array(1),
  new Float32Array(1),
  new DataView(new ArrayBuffer(1)),
  Buffer.alloc(1),
  Uint8Array.of(1),
  new Float64Array(20_000),
  new Float64Array(20_000).fill(1, 19_999),
  many,
  many.with(4999, -1),
  many.map(String),
  many.map(i => ({ i }))
]

describe('a digest', () => {
  it('a value and its structured clones have equal digests, whatever the value is', () => {
    fc.assert(
      fc.property(anything, value => {
        const digest = hex(value)
        expect(hex(structuredClone(value))).toBe(digest)
        expect(hex(roundTrip(value))).toBe(digest)
        expect(digest).toHaveLength(2 * DIGEST_BYTES)
      }),
      { numRuns: 1000 }
    )
    for (const value of DIFFERENT) expect(hex(roundTrip(value))).toBe(hex(value))
  })

  it('digests differ for different values', () => {
    const digests = DIFFERENT.map(hex)
    const twice = digests.flatMap((digest, i) => (digests.indexOf(digest) < i ? [[digests.indexOf(digest), i]] : []))
    expect(twice).toEqual([])
    fc.assert(
      fc.property(
        anything,
        anything,
        (a, b) => hex(a) !== hex(b) || fc.stringify(roundTrip(a)) === fc.stringify(roundTrip(b))
      ),
      { numRuns: 1000 }
    )
  })

  it('a digest differs when one leaf of a large value changes', () => {
    const leaf = fc.tuple(fc.nat(999), fc.integer())
    fc.assert(
      fc.property(fc.array(fc.record({ n: fc.integer(), s: fc.string() }), { minLength: 1 }), leaf, (rows, [at, n]) => {
        const i = at % rows.length
        const changed = rows.with(i, { ...rows[i]!, n })
        return (hex(changed) === hex(rows)) === (rows[i]!.n === n)
      })
    )
  })

  it.each<[string, unknown, unknown]>([
    [
      'strings that are stored with two bytes a character',
      'abcdefghijklmnop',
      'abcdefghijklmnop\u{1f600}'.slice(0, 16)
    ],
    ['integers that were computed as doubles', [1, 2], [0.5 + 0.5, Float64Array.of(2)[0]]],
    ['arrays that once had holes', [1, 2, 3], holes(1, 2, 3)],
    ['arrays that once were sparse', [1, 2], Object.assign(new Array(2), { 1: 2, 0: 1 })],
    ['NaN with other bits', Number.NaN, new Float64Array(Uint8Array.of(1, 0, 0, 0, 0, 0, 0xf8, 0xff).buffer)[0]],
    ['views of different buffers', Uint8Array.of(2, 3), Uint8Array.of(1, 2, 3, 4).subarray(1, 3)],
    [
      'an instance and its data',
      new (class Own {
        x = 1
      })(),
      { x: 1 }
    ],
    ['an object without prototype', Object.assign(Object.create(null), { x: 1 }), { x: 1 }],
    [
      'objects from another realm',
      runInNewContext('({ a: [1, new Map([[1, new Date(5)]])] })'),
      { a: [1, new Map([[1, new Date(5)]])] }
    ],
    ['errors with different stacks', new TypeError('x'), structuredClone(new TypeError('x'))],
    ['a long array with named properties', Object.assign([...many], { name: 1 }), many]
  ])('a digest is equal for %s', (_, a, b) => {
    expect(hex(a)).toBe(hex(b))
  })

  it('a deeply nested value has a digest, and does not overflow the call stack', () => {
    let deep: unknown = 0
    for (let i = 0; i < 200_000; i++) deep = [deep]
    expect(hex(deep)).not.toBe(hex([deep]))
  })

  it('digestOf refuses a value that cannot be cloned, and the digest of the next value is correct', () => {
    const before = hex({ a: 1 })
    expect(() => digestOf([1, { f() {} }])).toThrow(TypeError)
    expect(() => digestOf(Symbol('x'))).toThrow(TypeError)
    expect(hex({ a: 1 })).toBe(before)
  })

  it('the digest of a known value never changes between versions of this package', () => {
    expect(hex({ from: 0, to: 100, name: 'é', list: [1, -0, null], when: new Date(0) })).toBe(
      'e04ec1b23255f07ee3afc78597020f91'
    )
  })
})
