import { describe, expect, it } from 'vitest'
import { encode } from '../../../src/tasks/values/payload.ts'
import { survey } from '../../../src/tasks/values/plain-data.ts'
import fc from '../../properties.ts'

class Own {
  x = 1
}
const shared = new ArrayBuffer(8)
const self: unknown[] = []
self.push(self)

describe('what structured clone carries unchanged', () => {
  it.each<[string, unknown]>([
    ['numbers, strings, null and undefined', [1, -0, Number.NaN, 1n, 'x', null, undefined, true]],
    ['nested objects', { a: { b: [{ c: 1 }] } }],
    ['Maps and Sets', new Map<unknown, unknown>([[{ a: 1 }, new Set([1, new Map()])]])],
    ['dates', [new Date(0)]],
    ['typed arrays with a buffer of their own', [new Float64Array(3), new DataView(new ArrayBuffer(4))]],
    ['buffers', [new ArrayBuffer(3), Buffer.alloc(5000)]],
    ['an array with holes and a property', Object.assign(new Array(3), { 1: 1, name: 'x' })],
    ['cycles and shared parts', { self, again: self }]
  ])('a value that consists of %s is plain', (_, value) => {
    expect(survey(value).plain).toBe(true)
  })

  it.each<[string, unknown]>([
    ['an instance', new Own()],
    ['a deeply nested instance', new Map([[1, [{ it: new Own() }]]])],
    ['an instance as a key', new Map([[new Own(), 1]])],
    ['an instance in an array with named properties', Object.assign([1], { it: new Own() })],
    ['an array of a class', new (class extends Array {})()],
    ['a Map of a class', new (class extends Map {})()],
    ['a Map with a property', Object.assign(new Map(), { a: 1 })],
    ['an object without prototype', Object.create(null)],
    [
      'a getter',
      {
        get a() {
          return 1
        }
      }
    ],
    ['a hidden property', Object.defineProperty({}, 'a', { value: 1 })],
    ['a symbol as a key', { [Symbol.iterator]: 1 }],
    ['a frozen object', Object.freeze({ a: 1 })],
    ['a frozen array', [Object.freeze([1])]],
    ['two views of one buffer', [new Uint8Array(shared), new Int8Array(shared)]],
    ['a buffer and its view', [shared, new Uint8Array(shared)]],
    ['a view and its buffer', [new Uint8Array(shared), shared]],
    ['a part of a buffer', new Uint8Array(shared, 2)],
    ['a typed array of a class', new (class extends Uint8Array {})(3)],
    ['a boxed number', new Number(1)],
    ['an error', new Error('x')],
    ['a proxy', new Proxy({}, {})],
    ['a function', { f() {} }],
    ['a symbol', [Symbol('x')]]
  ])('a value that contains %s is not plain', (_, value) => {
    expect(survey(value).plain).toBe(false)
  })

  it('the survey estimates the encoded size of plain data within a factor of five', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        const { plain, bytes } = survey(value)
        const actual = encode(value, 'value').byteLength
        expect(plain).toBe(true)
        expect(bytes).toBeGreaterThan(actual / 5)
        expect(bytes).toBeLessThan(actual * 5 + 10)
      })
    )
  })
})
