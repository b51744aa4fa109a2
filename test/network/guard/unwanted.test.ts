import type { Connection } from '@libp2p/interface'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../../src/common/limits.ts'
import { PeerProtocol, type ProtocolHost } from '../../../src/network/channel/peer-protocol.ts'
import { Guard } from '../../../src/network/guard/guard.ts'
import { textCodec } from '../support.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A protocol at a peer whose connections all fail with `error` before a stream opens, and then have this `status`. */
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

test('a peer that closes each connection at once gets the next one after a growing pause', async () => {
  const { asked, protocol } = unwanted(new Error('the connection was closed'), 'closed')
  const opening = protocol.channel('other').catch(() => {})
  await vi.advanceTimersByTimeAsync(4_500)
  expect(asked.length).toBeGreaterThan(4)
  expect(asked.length).toBeLessThan(12)
  await protocol.close()
  await opening
})

test('a peer that has just started and does not speak the protocol yet is asked again soon', async () => {
  const unknown = Object.assign(new Error('not yet'), { name: 'UnsupportedProtocolError' })
  const { asked, protocol } = unwanted(unknown, 'open')
  const opening = protocol.channel('other').catch(() => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked.length).toBeGreaterThan(15)
  await protocol.close()
  await opening
})
