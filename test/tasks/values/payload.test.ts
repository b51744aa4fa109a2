import { describe, expect, it } from 'vitest'
import { InvalidMessageError, NotCloneableError } from '../../../src/common/errors.ts'
import { decode, encode } from '../../../src/tasks/values/payload.ts'
import fc from '../../properties.ts'

const roundTrip = (value: unknown) => decode(encode(value, 'value'), 'value')

describe('a payload', () => {
  it('a payload decodes to an equal value, to the bit, for every value that structured clone carries', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withObjectString: true
    })
    fc.assert(
      fc.property(anything, value => fc.stringify(roundTrip(value)) === fc.stringify(value)),
      { numRuns: 300 }
    )
  })

  it('a payload keeps doubles exactly, including −0 and NaN', () => {
    fc.assert(fc.property(fc.double(), value => Object.is(roundTrip(value), value)))
    expect(Object.is(roundTrip(-0), -0)).toBe(true)
    expect((roundTrip([{ zero: -0 }]) as [{ zero: number }])[0].zero).toBe(-0)
  })

  it('a payload keeps every kind of typed array, at any offset in its bytes, in a buffer of its own', () => {
    const source = Uint8Array.from({ length: 64 }, (_, i) => i)
    const views = [
      new Int8Array(source.buffer, 1, 5),
      new Uint8Array(source.buffer, 3, 5),
      new Uint8ClampedArray(source.buffer, 5, 5),
      new Int16Array(source.buffer, 2, 5),
      new Uint16Array(source.buffer, 4, 5),
      new Int32Array(source.buffer, 8, 5),
      new Uint32Array(source.buffer, 4, 5),
      new Float32Array(source.buffer, 12, 5),
      new Float64Array(source.buffer, 8, 5),
      new BigInt64Array(source.buffer, 8, 2),
      new BigUint64Array(source.buffer, 16, 2),
      new DataView(source.buffer, 7, 9),
      Buffer.from('abc')
    ]
    const back = roundTrip(['x', ...views]) as ArrayBufferView[]
    for (const [i, view] of views.entries()) {
      const copy = back[i + 1] as ArrayBufferView
      expect(copy).toStrictEqual(view)
      expect(copy.constructor).toBe(view.constructor)
      expect([copy.byteOffset, copy.buffer.byteLength]).toEqual([0, view.byteLength])
    }
  })

  it('a payload keeps cycles, holes, dates, errors and shared parts', () => {
    const shared = { n: 1 }
    const holes = [1, 2, 3]
    delete holes[1]
    const value: Record<string, unknown> = { holes, when: new Date(0), a: shared, b: shared }
    value.self = value
    const back = roundTrip(value) as Record<string, unknown>
    expect(back.self).toBe(back)
    expect(back.a).toBe(back.b)
    expect(1 in (back.holes as number[])).toBe(false)
    expect(back.when).toEqual(new Date(0))
    expect((roundTrip(new RangeError('out')) as Error).message).toBe('out')
  })

  it.each<[string, unknown, string]>([
    ['a deeply nested function', { rows: [1, 2, 3, { callback() {} }] }, 'input.rows[3].callback'],
    ['a symbol', { kind: Symbol('x') }, 'input.kind'],
    ['a promise', [Promise.resolve(1)], 'input[0]'],
    ['a WeakMap', { cache: new WeakMap() }, 'input.cache'],
    ['a value of a Map', new Map<unknown, unknown>([['a b', { f() {} }]]), 'input.get("a b").f'],
    ['a key of a Map', new Map([[() => 1, 1]]), 'input.keys()[0]'],
    ['an entry of a Set', new Set([1, () => 1]), 'input.values()[1]'],
    ['a key that is not an identifier', { 'two words': () => 1 }, 'input["two words"]'],
    ['a function as the whole value', () => 1, 'input'],
    ['shared memory', { memory: new SharedArrayBuffer(8) }, 'input.memory']
  ])('a value that contains %s is refused, and the error names the path of that part', (_, value, path) => {
    expect(() => encode(value, 'input')).toThrow(NotCloneableError)
    try {
      encode(value, 'input')
    } catch (error) {
      expect((error as NotCloneableError).path).toBe(path)
      expect((error as NotCloneableError).message).toContain(path)
    }
  })

  it('a cyclic value that contains a function is refused, and the error names the path of the function', () => {
    const value: Record<string, unknown> = {}
    value.self = value
    value.last = { f: () => 1 }
    expect(() => encode(value, 'partial')).toThrow(/^partial\.last\.f cannot be carried/)
  })

  it('a value is refused when a getter throws', () => {
    const value = {
      get broken(): never {
        throw new Error('no')
      }
    }
    expect(() => encode({ value }, 'input')).toThrow(NotCloneableError)
  })

  it('bytes that are not an encoded value are refused', () => {
    expect(() => decode(new Uint8Array(), 'chunk')).toThrow(InvalidMessageError)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        try {
          decode(bytes, 'chunk')
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidMessageError)
        }
      }),
      { numRuns: 500 }
    )
  })
})
