import type { Connection } from '@libp2p/interface'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import { PeerProtocol, type ProtocolHost } from '../../../src/network/channel/peer-protocol.ts'
import { Guard } from '../../../src/network/guard/guard.ts'
import { textCodec } from '../support.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A protocol whose streams all fail to open with `error`. After the failure, the connection has this `status`. */
function unwanted(error: Error, status: Connection['status']) {
  const asked: number[] = []
  const host = {
    self: 'self',
    guard: new Guard(DEFAULT_LIMITS, undefined, () => {}),
    connection: async () => {
      asked.push(Date.now())
      return { status, timeline: { open: Date.now() }, newStream: () => Promise.reject(error) }
    },
    unregister: async () => {}
  }
  const spec = { name: 'talk', codec: textCodec, maxMessageBytes: 100 }
  const protocol = new PeerProtocol('/talk', host as unknown as ProtocolHost, spec, { onMessage: () => {} })
  return { asked, protocol }
}

test('if the other peer closes each connection at once, a peer reopens the connection with growing pauses', async () => {
  const { asked, protocol } = unwanted(new Error('the connection was closed'), 'closed')
  const opening = protocol.channel('other').catch(() => {})
  await vi.advanceTimersByTimeAsync(4_500)
  expect(asked.length).toBeGreaterThan(4)
  expect(asked.length).toBeLessThan(12)
  await protocol.close()
  await opening
})

test('a peer retries opening a channel soon if the other peer does not speak the protocol yet', async () => {
  const unknown = Object.assign(new Error('not yet'), { name: 'UnsupportedProtocolError' })
  const { asked, protocol } = unwanted(unknown, 'open')
  const opening = protocol.channel('other').catch(() => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.length).toBeGreaterThan(15)
  await protocol.close()
  await opening
})
