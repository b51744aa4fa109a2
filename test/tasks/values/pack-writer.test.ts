import { describe, expect, it } from 'vitest'
import { NotCloneableError } from '../../../src/common/errors.ts'
import { unpack } from '../../../src/tasks/values/pack.ts'
import { PackWriter } from '../../../src/tasks/values/pack-writer.ts'
import { decode, decodeAt, encode } from '../../../src/tasks/values/payload.ts'
import fc, { anyText } from '../../properties.ts'

const text = fc.oneof(fc.string(), anyText(60), fc.constant('\ud800é'))
const simple = fc.oneof(fc.double(), fc.integer(), text, fc.boolean(), fc.constant(null), fc.constant(undefined))
const any = fc.oneof(simple, fc.bigInt(), fc.array(simple), fc.uint8Array({ maxLength: 10_000 }))

describe('a pack writer', () => {
  it('a pack writer encodes each value to the same bytes as encode(), and the values decode unchanged', () => {
    const writer = new PackWriter()
    fc.assert(
      fc.property(fc.array(any), values => {
        let bytes = 0
        for (const value of values) bytes += writer.add(value, 'value')
        expect([writer.count, writer.byteLength]).toEqual([values.length, bytes])
        const pack = writer.take()
        expect(unpack(pack)).toEqual(values.map(value => new Uint8Array(encode(value, 'value'))))
        const back = unpack(pack).map(each => decode(each, 'value'))
        expect(back.every((value, i) => typeof value === 'object' || Object.is(value, values[i]))).toBe(true)
        expect(back).toEqual(values)
        expect([pack.bytes.buffer.byteLength, writer.count, writer.byteLength]).toEqual([bytes, 0, 0])
      })
    )
  })

  it('a pack writer keeps a large first value when another value follows', () => {
    const writer = new PackWriter()
    const large = new Uint8Array(100_000).fill(7)
    writer.add(large, 'value')
    writer.add('behind', 'value')
    const [first, second] = unpack(writer.take()).map(each => decode(each, 'value'))
    expect(first).toEqual(large)
    expect(second).toBe('behind')
  })

  it('a pack writer stays unchanged when a value cannot be cloned', () => {
    const writer = new PackWriter()
    writer.add(1, 'value')
    expect(() => writer.add({ deep: [() => {}] }, 'value')).toThrow(NotCloneableError)
    writer.add(2, 'value')
    expect(unpack(writer.take()).map(each => decode(each, 'value'))).toEqual([1, 2])
  })

  it('a packed value can be decoded at any offset, and invalid bytes are refused', () => {
    const writer = new PackWriter()
    const length = writer.add('here', 'value')
    writer.add(5, 'value')
    const { bytes } = writer.take()
    expect(decodeAt(bytes, length, bytes.byteLength, 'value')).toBe(5)
    expect(() => decodeAt(bytes, length, bytes.byteLength - 1, 'value')).toThrow(
      'value is not an encoded value (8 bytes)'
    )
    for (const wrong of [[], [0, 0], [1, 1], [2, 2], [3, 3], [4, 1], [6, 65], [7], [200, 1]])
      expect(() => decode(Uint8Array.from(wrong), 'value')).toThrow('is not an encoded value')
  })
})
