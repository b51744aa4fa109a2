import type { Stream } from '@libp2p/interface'
import * as lp from 'it-length-prefixed'
import type { Uint8ArrayList } from 'uint8arraylist'
import { afterEach, expect, test, vi } from 'vitest'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { BulkWindow } from '../../../src/network/channel/bulk-window.ts'
import {
  decodeFrame,
  encodeFrame,
  FRAME_OVERHEAD,
  FrameFlag,
  MIN_PART_BYTES
} from '../../../src/network/channel/frame-format.ts'
import { Inbox, LEAST_ACK } from '../../../src/network/channel/inbox.ts'
import { Outbox } from '../../../src/network/channel/outbox.ts'

const KiB = 1024
const stream = { send: () => true } as unknown as Stream
const unbounded = { admits: () => true, budget: { take: () => true, give: () => {} } }
const inbox = new Inbox(stream, 1024 * KiB, () => {}, unbounded)

afterEach(() => inbox.stop())

/** Sends frames with these flags and payload sizes, and resolves with the sizes of the messages that arrive. */
async function sizes(...sent: [flags: number, bytes: number][]): Promise<number[]> {
  const encoded = sent.map(([flags, bytes]) => encodeFrame(flags, new Uint8Array(bytes)))
  const arrived: number[] = []
  for await (const { bytes } of inbox.reassemble(lp.decode(encoded) as unknown as AsyncIterable<Uint8ArrayList>)) {
    arrived.push(bytes.byteLength)
  }
  return arrived
}

test('a receiver refuses a message in tiny parts as soon as the first part arrives', async () => {
  await expect(sizes([0, 1], [FrameFlag.last, 1])).rejects.toBeInstanceOf(InvalidMessageError)
  await expect(sizes([0, MIN_PART_BYTES - 1])).rejects.toBeInstanceOf(InvalidMessageError)
})

test('only the last frame of a message may be shorter than the minimum size of a part', async () => {
  expect(await sizes([0, MIN_PART_BYTES], [FrameFlag.last, 0], [FrameFlag.last, 1])).toEqual([MIN_PART_BYTES, 1])
})

test('a sender never splits a message into parts below the minimum size, even when the bulk window has its minimum size', async () => {
  const window = new BulkWindow(50)
  // Repeated delays far beyond the target narrow the window to its minimum.
  window.sample(1, 0, 0)
  for (let now = 10_000; now < 100_000; now += 10_000) window.sample(5_000, 0, now)
  const parts: { last: boolean; bytes: number }[] = []
  const outbox = new Outbox(
    {
      send: (data: Uint8ArrayList) => {
        for (const frame of lp.decode([data])) {
          const decoded = decodeFrame(frame)
          if (decoded.type === 'data') parts.push({ last: decoded.last, bytes: decoded.payload.byteLength })
        }
        return true
      }
    } as unknown as Stream,
    window,
    { bytes: Number.POSITIVE_INFINITY, ms: 60_000, onSlow: () => {} }
  )
  for (const bytes of [0, 1, 16 * KiB, 16 * KiB + 1, 40 * KiB]) {
    outbox.push(new Uint8Array(bytes), undefined).catch(() => {})
  }
  outbox.fail(new Error('the test is over'))
  const open = parts.filter(({ last }) => !last)
  expect(open.length).toBeGreaterThan(3)
  expect(Math.min(...open.map(({ bytes }) => bytes))).toBe(MIN_PART_BYTES)
})

test('a receiver acknowledges small messages together, when they have reached 1 KiB in total', async () => {
  vi.useFakeTimers()
  try {
    let acks = 0
    const sent = { send: () => ++acks > 0 } as unknown as Stream
    const probes = new Inbox(sent, 1024 * KiB, () => {}, unbounded)
    const receive = async (count: number): Promise<void> => {
      const encoded = Array.from({ length: count }, () => encodeFrame(FrameFlag.last, new Uint8Array(20)))
      for await (const probe of probes.reassemble(lp.decode(encoded) as unknown as AsyncIterable<Uint8ArrayList>)) {
        probes.consume(probe)
      }
      await vi.advanceTimersByTimeAsync(60_000)
    }
    const each = 20 + FRAME_OVERHEAD
    const few = Math.floor((LEAST_ACK - 1) / each)
    await receive(few)
    expect(acks).toBe(0)
    await receive(1)
    expect(acks).toBe(1)
    await receive(few)
    expect(acks).toBe(1)
    probes.stop()
  } finally {
    vi.useRealTimers()
  }
})
