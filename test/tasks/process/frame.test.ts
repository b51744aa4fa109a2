import { describe, expect, it } from 'vitest'
import { encodeFrame, FrameBudget, FrameError, FrameReader } from '../../../src/tasks/process/frame.ts'

const bytesOf = (value: object): Buffer => Buffer.concat(encodeFrame(value))

describe('a frame', () => {
  it('a frame decodes to the same value, with buffers of its own, however the stream splits the frame', () => {
    const value = { text: 'ü', none: null, list: [1, { u8: Uint8Array.of(1, 2, 3) }], f64: Float64Array.of(0.1, -0) }
    const reader = new FrameReader()
    const found: unknown[] = []
    for (const byte of Buffer.concat([bytesOf(value), bytesOf({ u32: Uint32Array.of(7) })]))
      found.push(...reader.push(Buffer.of(byte)))
    expect(found).toEqual([value, { u32: Uint32Array.of(7) }])
    expect((found[0] as typeof value).f64.buffer.byteLength).toBe(16)
  })

  it('the reader that buffers most drops its frame when the budget is exceeded', () => {
    const ended: string[] = []
    const budget = new FrameBudget(100)
    const [large, small] = ['large', 'small'].map(name => new FrameReader(budget, () => ended.push(name)))
    const begun = (bytes: number): Buffer => bytesOf({ some: new Uint8Array(200) }).subarray(0, bytes)
    expect([...large!.push(begun(80))]).toEqual([])
    expect([...small!.push(begun(20))]).toEqual([])
    expect(ended).toEqual([])
    expect([...small!.push(begun(30))]).toEqual([])
    expect(ended).toEqual(['large'])
    large!.end()
    expect([...small!.push(begun(10))]).toEqual([])
    expect(ended).toEqual(['large'])
  })

  it.each([
    ['announces a body above the limit', (frame: Buffer) => frame.writeUInt32LE(2 ** 31, 4)],
    ['announces a header above the limit', (frame: Buffer) => frame.writeUInt32LE(2 ** 31, 0)],
    ['has a header that is not JSON', (frame: Buffer) => frame.fill('x', 8, 12)]
  ])('a frame that %s is refused', (_, change) => {
    const frame = bytesOf({ some: 'thing' })
    change(frame)
    expect(() => [...new FrameReader().push(frame)]).toThrow(FrameError)
  })
})
