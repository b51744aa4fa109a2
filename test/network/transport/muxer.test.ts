import { type MessageStream, StreamMessageEvent, type StreamMuxer } from '@libp2p/interface'
import { TypedEventEmitter } from 'main-event'
import { Uint8ArrayList } from 'uint8arraylist'
import { expect, test } from 'vitest'
import { silentLogger } from '../../../src/network/silent-logger.ts'
import { frugalYamux } from '../../../src/network/transport/muxer.ts'

const KiB = 1024

/** One end of a connection. It delivers data to the other end at once, and records the data in `sent`. */
class End extends TypedEventEmitter<{ message: StreamMessageEvent }> {
  readonly direction: 'inbound' | 'outbound'
  readonly log = silentLogger.forComponent('test')
  readonly sent: (Uint8Array | Uint8ArrayList)[] = []
  other: End | undefined

  constructor(direction: 'inbound' | 'outbound') {
    super()
    this.direction = direction
  }

  send(data: Uint8Array | Uint8ArrayList): boolean {
    this.sent.push(data)
    const copy = new Uint8ArrayList(data.slice())
    queueMicrotask(() => this.other?.dispatchEvent(new StreamMessageEvent(copy)))
    return true
  }

  /** Counts the window updates: frames of type 1 without flags. */
  get updates(): number {
    return this.sent.filter(data => data.byteLength === 12 && [...data.subarray(1, 4)].join() === '1,0,0').length
  }
}

/** Creates two muxers on one connection. `onData` gets the size of the data that arrives on a stream at the second muxer. */
async function streams(onData: (bytes: number) => void) {
  const [a, b] = [new End('outbound'), new End('inbound')]
  a.other = b
  b.other = a
  const make = (end: End): StreamMuxer =>
    frugalYamux({ enableKeepAlive: false })().createStreamMuxer(end as unknown as MessageStream)
  const [near, far] = [make(a), make(b)]
  far.addEventListener('stream', ({ detail }) =>
    detail.addEventListener('message', ({ data }) => onData(data.byteLength))
  )
  const stream = await near.createStream()
  await settled()
  return { a, b, stream }
}

function settled(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}

test('the muxer sends each small message in one piece, and the receiver sends no window update for small messages', async () => {
  let arrived = 0
  const { a, b, stream } = await streams(() => arrived++)
  a.sent.length = 0
  for (let i = 0; i < 100; i++) {
    stream.send(new Uint8ArrayList(new Uint8Array(1), new Uint8Array(40)))
    await settled()
  }
  expect(arrived).toBe(100)
  expect(a.sent.map(data => (data instanceof Uint8Array ? data.byteLength : 'parts'))).toEqual(Array(100).fill(12 + 41))
  expect(b.updates).toBe(0)
})

test('the receiver returns the window before the sender runs out of window, for pieces of any size', async () => {
  let arrived = 0
  const { b, stream } = await streams(bytes => {
    arrived += bytes
  })
  // The test sends about ten windows of 256 KiB.
  let sent = 0
  for (let i = 0; sent < 2_560 * KiB; i++) {
    const bytes = [100, 5_000, 40_000][i % 3]!
    stream.send(new Uint8Array(bytes))
    sent += bytes
    await settled()
  }
  expect(arrived).toBe(sent)
  expect(b.updates).toBeGreaterThan(0)
  expect(b.updates).toBeLessThanOrEqual(Math.ceil(sent / (16 * KiB)))
})
