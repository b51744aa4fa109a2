import { describe, expect, it } from 'vitest'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { checkedPack, concatPacks, pack, slicePack, unpack } from '../../../src/tasks/values/pack.ts'
import fc from '../../properties.ts'

const parts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 })

describe('a pack', () => {
  it('unpack() returns the parts of a pack', () => {
    fc.assert(
      fc.property(parts, parts => {
        expect(unpack(pack(parts))).toEqual(parts)
      })
    )
  })

  it('a pack has a buffer of its own, so the original parts survive a transfer of the pack', () => {
    const part = Uint8Array.of(1, 2, 3)
    const packed = pack([part])
    structuredClone(packed, { transfer: [packed.bytes.buffer] })
    expect(packed.bytes.byteLength).toBe(0)
    expect(part).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('a pack can be sliced without copying and joined again', () => {
    fc.assert(
      fc.property(parts, fc.nat(20), (parts, at) => {
        const whole = pack(parts)
        const cut = Math.min(at, parts.length)
        const left = slicePack(whole, 0, cut)
        const right = slicePack(whole, cut, parts.length)
        expect(unpack(left)).toEqual(parts.slice(0, cut))
        expect(unpack(right)).toEqual(parts.slice(cut))
        expect(left.bytes.buffer).toBe(whole.bytes.buffer)
        expect(unpack(concatPacks([left, right]))).toEqual(parts)
      })
    )
  })

  it('a pack from the network is refused when its lengths do not add up', () => {
    expect(unpack(checkedPack([1, 0, 2], Uint8Array.of(1, 2, 3)))).toHaveLength(3)
    for (const lengths of [[1], [4], [-1, 4], [1.5, 1.5], [2 ** 53, 3 - 2 ** 53], [Number.NaN]]) {
      expect(() => checkedPack(lengths, Uint8Array.of(1, 2, 3))).toThrow(InvalidMessageError)
    }
  })
})
