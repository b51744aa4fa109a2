import type { Stream } from '@libp2p/interface'
import { afterEach, expect, test, vi } from 'vitest'
import { limitsWith } from '../../../src/common/limits.ts'
import { BulkWindow } from '../../../src/network/channel/bulk-window.ts'
import { CHANNEL_WINDOW, Outbox } from '../../../src/network/channel/outbox.ts'
import { RefusedMessageError } from '../../../src/network/guard/refusals.ts'
import type { ProtocolSpec } from '../../../src/network/types.ts'
import { bytesCodec, pair, until } from '../support.ts'

const MiB = 2 ** 20
const bulk: ProtocolSpec<Uint8Array> = { name: 'bulk', codec: bytesCodec, maxMessageBytes: 64 * MiB }
const never = new Promise<void>(() => {})

afterEach(() => void vi.useRealTimers())

test('a sender closes and counts the channel of a reader that reads nothing, and other channels to the same reader still work', async () => {
  const [a, b] = await pair({ limits: limitsWith({ slowReaderMs: 1_000 }) })
  b.register(bulk, { onMessage: () => never })
  let answered = 0
  b.register({ ...bulk, name: 'other' }, { onMessage: (message, channel) => channel.send(message) })
  const other = a.register({ ...bulk, name: 'other' }, { onMessage: () => void answered++ })
  const protocol = a.register(bulk, { onMessage: () => {} })
  const channel = await protocol.channel(b.self)
  const sending = Array.from({ length: 12 }, () => channel.send(new Uint8Array(MiB)))
  const outcomes = await Promise.allSettled(sending)
  expect(channel.closed.aborted).toBe(true)
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
  expect(a.refusals.counts()).toMatchObject({ slow: 1, message: 0 })
  await other.send(b.self, new Uint8Array(1))
  await until(() => answered === 1)
  expect(b.refusals.counts().slow).toBe(0)
})

test('a sender closes a channel when more bytes wait on the channel than the limit allows', async () => {
  const [a, b] = await pair({ limits: limitsWith({ outboxBytes: 8 * MiB }) })
  b.register(bulk, { onMessage: () => never })
  const channel = await a.register(bulk, { onMessage: () => {} }).channel(b.self)
  const outcomes = await Promise.allSettled(Array.from({ length: 32 }, () => channel.send(new Uint8Array(MiB))))
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
  expect(a.refusals.counts().slow).toBe(1)
})

/** Returns an outbox that is full. The other side reads only the bytes that the test acknowledges. */
function stalled() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const slow: Error[] = []
  const window = new BulkWindow(50)
  const outbox = new Outbox({ send: () => true } as unknown as Stream, window, {
    bytes: 1_000 * MiB,
    ms: 10_000,
    onSlow: reason => void slow.push(reason)
  })
  outbox.push(new Uint8Array(2 * CHANNEL_WINDOW), undefined).catch(() => {})
  return { outbox, slow }
}

test('a sender waits for a reader as long as the reader reads a few bytes before each time limit', async () => {
  const { outbox, slow } = stalled()
  for (let read = 1; read < 20; read++) {
    await vi.advanceTimersByTimeAsync(9_000)
    outbox.onAck({ received: read * 1_000, consumed: read * 1_000 }, performance.now())
  }
  expect(slow).toEqual([])
  await vi.advanceTimersByTimeAsync(10_100)
  expect(slow).toHaveLength(1)
  expect(slow[0]).toBeInstanceOf(RefusedMessageError)
  expect((slow[0] as RefusedMessageError).refusal).toBe('slow')
})

test('a reader never counts as too slow while no bytes wait for the reader', async () => {
  const { outbox, slow } = stalled()
  outbox.fail(new Error('the test needs an empty one'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(slow).toEqual([])
})
